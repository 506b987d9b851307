//! Chooses where to sleep.

use std::sync::Arc;

use btp_domain::{ChooseAccommodation, SCOPE_WRITE, StageId, TripId};
use btp_mcp_kit::{Call, Hints, Spec, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Toolbox, WRITES};
use crate::{
    answer::{Changed, Linked, trip_path},
    error::tool_error,
};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Args {
    /// Trip identifier
    trip_id: String,
    /// Day to sleep on
    stage_id: String,
    /// Trip version from get_trip or the previous edit
    #[schemars(required)]
    version: Option<u64>,
    /// Latitude, copied from the accommodations of get_stage; leave both coordinates out to clear the choice
    #[schemars(range(min = -90, max = 90))]
    selected_accommodation_lat: Option<f64>,
    /// Longitude of the chosen place
    #[schemars(range(min = -180, max = 180))]
    selected_accommodation_lon: Option<f64>,
}

pub(super) fn tool(toolbox: Arc<Toolbox>) -> Tool {
    let spec = Spec {
        name: "choose_accommodation",
        title: "Choose where to sleep",
        description: include_str!("choose_accommodation.md"),
        scope: SCOPE_WRITE,
        hints: Hints::default(),
        limits: WRITES,
        closed: true,
        budget: None,
    };
    Tool::new(spec, move |call| run(Arc::clone(&toolbox), call))
}

async fn run(toolbox: Arc<Toolbox>, call: Call<Args>) -> Result<Linked<Changed>, ToolError> {
    let args = call.args;
    let trip = TripId(args.trip_id);
    let command = ChooseAccommodation {
        trip: trip.clone(),
        stage: StageId(args.stage_id),
        version: args.version,
        lat: args.selected_accommodation_lat,
        lon: args.selected_accommodation_lon,
    };
    let edited = toolbox.planner.choose_accommodation(&call.principal, command).await.map_err(tool_error)?;
    Ok(toolbox.linked("AccommodationChoice", &trip_path(&trip), edited.into()))
}
