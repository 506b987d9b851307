//! Revokes a trip's public link, after asking.

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
    trip_id: String,
    /// Leave out on the first call; send the token from the first answer to apply
    confirmation_token: Option<String>,
}

pub(super) fn tool(toolbox: Arc<Toolbox>) -> Tool {
    let spec = Spec {
        name: "unshare_trip",
        title: "Stop sharing a trip",
        description: include_str!("unshare_trip.md"),
        scope: SCOPE_WRITE,
        hints: Hints { destructive: true, ..Hints::default() },
        limits: WRITES,
        closed: false,
        budget: None,
    };
    Tool::new(spec, move |call| run(Arc::clone(&toolbox), call))
}

async fn run(toolbox: Arc<Toolbox>, call: Call<Args>) -> Result<Linked<Confirmed<Done>>, ToolError> {
    let Args { trip_id, confirmation_token } = call.args;
    let trip = TripId(trip_id);
    let outcome = toolbox.planner.unshare_trip(&call.principal, &trip, confirmation_token.as_deref()).await;
    let done = |()| Done { result: "The public link is revoked: its address no longer works." };
    let body = Confirmed::new(outcome.map_err(tool_error)?, done);
    Ok(toolbox.linked("TripUnshare", &trip_path(&trip), body))
}
