//! Changes how a trip is planned, after asking.

use std::sync::Arc;

use btp_domain::{SCOPE_WRITE, TripId, UpdateSettings};
use btp_mcp_kit::{Call, Hints, Spec, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Toolbox, WRITES};
use crate::{
    answer::{Changed, Confirmed, Linked, trip_path},
    args::SettingsArgs,
    error::tool_error,
};

const NAME: &str = "update_trip_settings";

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Args {
    /// Trip identifier
    id: String,
    /// Trip version from get_trip or the previous edit
    #[schemars(required)]
    version: Option<u64>,
    /// Leave out on the first call; send the token from the first answer to apply
    confirmation_token: Option<String>,
    #[serde(flatten)]
    settings: SettingsArgs,
}

pub(super) fn tool(toolbox: Arc<Toolbox>) -> Tool {
    let spec = Spec {
        name: NAME,
        title: "Change a trip's settings",
        description: include_str!("update_trip_settings.md"),
        scope: SCOPE_WRITE,
        hints: Hints { destructive: true, ..Hints::default() },
        limits: WRITES,
        closed: true,
        budget: None,
    };
    Tool::new(spec, move |call| run(Arc::clone(&toolbox), call))
}

async fn run(toolbox: Arc<Toolbox>, call: Call<Args>) -> Result<Linked<Confirmed<Changed>>, ToolError> {
    let Args { id, version, confirmation_token, settings } = call.args;
    let trip = TripId(id);
    let command =
        UpdateSettings { trip: trip.clone(), version, changes: settings.changes(NAME)?, token: confirmation_token };
    let outcome = toolbox.planner.update_settings(&call.principal, command).await.map_err(tool_error)?;
    Ok(toolbox.linked("SettingsUpdate", &trip_path(&trip), Confirmed::new(outcome, Changed::from)))
}
