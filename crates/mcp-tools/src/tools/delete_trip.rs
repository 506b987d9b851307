//! Deletes a trip, after asking.

use std::sync::Arc;

use btp_domain::{SCOPE_WRITE, TripId};
use btp_mcp_kit::{Call, Hints, Spec, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Toolbox, WRITES};
use crate::{
    answer::{Confirmed, Done, Linked, trip_path},
    error::tool_error,
};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Args {
    /// Trip identifier
    id: String,
    /// Leave out on the first call; send the token from the first answer to apply
    confirmation_token: Option<String>,
}

pub(super) fn tool(toolbox: Arc<Toolbox>) -> Tool {
    let spec = Spec {
        name: "delete_trip",
        title: "Delete a trip",
        description: include_str!("delete_trip.md"),
        scope: SCOPE_WRITE,
        hints: Hints { destructive: true, ..Hints::default() },
        limits: WRITES,
        closed: false,
        budget: None,
    };
    Tool::new(spec, move |call| run(Arc::clone(&toolbox), call))
}

async fn run(toolbox: Arc<Toolbox>, call: Call<Args>) -> Result<Linked<Confirmed<Done>>, ToolError> {
    let Args { id, confirmation_token } = call.args;
    let trip = TripId(id);
    let outcome = toolbox.planner.delete_trip(&call.principal, &trip, confirmation_token.as_deref()).await;
    let body = Confirmed::new(outcome.map_err(tool_error)?, |()| Done { result: "The trip was deleted." });
    Ok(toolbox.linked("TripDeletion", &trip_path(&trip), body))
}
