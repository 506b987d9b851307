//! Creates a trip.

use std::sync::Arc;

use btp_domain::{CreateTrip, SCOPE_WRITE, Settings};
use btp_mcp_kit::{Call, Hints, Spec, Tool, ToolError, canonical};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Toolbox, WRITES};
use crate::{
    answer::{Linked, trip_path},
    args::SettingsArgs,
    error::tool_error,
};

const NAME: &str = "create_trip";

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Args {
    /// Komoot tour or collection, Strava route, or RideWithGPS route, https only
    #[schemars(length(max = 2048))]
    source_url: String,
    #[serde(flatten)]
    settings: SettingsArgs,
    /// Leave out in general. Only to make two identical creations distinct
    #[schemars(length(min = 16, max = 255), regex(pattern = "^[A-Za-z0-9_-]+$"))]
    idempotency_key: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Answer {
    /// Trip identifier
    id: String,
    /// What was done
    result: &'static str,
    /// What to do next
    next_action: &'static str,
}

pub(super) fn tool(toolbox: Arc<Toolbox>) -> Tool {
    let spec = Spec {
        name: NAME,
        title: "Create a trip",
        description: include_str!("create_trip.md"),
        scope: SCOPE_WRITE,
        hints: Hints::default(),
        limits: WRITES,
        closed: true,
        budget: None,
    };
    Tool::new(spec, move |call| run(Arc::clone(&toolbox), call))
}

async fn run(toolbox: Arc<Toolbox>, call: Call<Args>) -> Result<Linked<Answer>, ToolError> {
    let Args { source_url, settings, idempotency_key } = call.args;
    let changes = settings.changes(NAME)?;
    let command = CreateTrip {
        source_url,
        title: changes.title.clone(),
        settings: changes.applied_to(&Settings::default()),
        key: idempotency_key,
        arguments: canonical(&call.sent, &["idempotencyKey"]),
    };
    let created = toolbox.planner.create_trip(&call.principal, command).await.map_err(tool_error)?;
    let result = if created.replayed {
        "An identical call created this trip a moment ago; no second one was made."
    } else {
        "The trip was created and its route is being fetched."
    };
    let next_action =
        "Call get_trip with this id: days usually appear within 10 to 40 seconds; until then partial is true.";
    let path = trip_path(&created.trip);
    Ok(toolbox.linked("TripCreation", &path, Answer { id: created.trip.0, result, next_action }))
}
