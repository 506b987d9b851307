//! Leads a day through a place.

use std::sync::Arc;

use btp_domain::{AddWaypoint, Point, SCOPE_WRITE, StageId, TripId};
use btp_mcp_kit::{Call, Hints, Spec, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Toolbox, WRITES};
use crate::{
    answer::{Done, Linked, trip_path},
    error::tool_error,
};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Args {
    /// Trip identifier
    trip_id: String,
    /// Day to reroute
    stage_id: String,
    /// Latitude of the place to route through
    #[schemars(range(min = -90, max = 90))]
    waypoint_lat: f64,
    /// Longitude of the place to route through
    #[schemars(range(min = -180, max = 180))]
    waypoint_lon: f64,
}

pub(super) fn tool(toolbox: Arc<Toolbox>) -> Tool {
    let spec = Spec {
        name: "add_waypoint",
        title: "Route a day through a place",
        description: include_str!("add_waypoint.md"),
        scope: SCOPE_WRITE,
        hints: Hints::default(),
        limits: WRITES,
        closed: true,
        budget: None,
    };
    Tool::new(spec, move |call| run(Arc::clone(&toolbox), call))
}

async fn run(toolbox: Arc<Toolbox>, call: Call<Args>) -> Result<Linked<Done>, ToolError> {
    let Args { trip_id, stage_id, waypoint_lat: lat, waypoint_lon: lon } = call.args;
    let trip = TripId(trip_id);
    let command = AddWaypoint { trip: trip.clone(), stage: StageId(stage_id), place: Point { lat, lon, ele: None } };
    toolbox.planner.add_waypoint(&call.principal, command).await.map_err(tool_error)?;
    let result = "The day is being rerouted through this place; its distance and climbing change when that is done.";
    Ok(toolbox.linked("WaypointRequest", &trip_path(&trip), Done { result }))
}
