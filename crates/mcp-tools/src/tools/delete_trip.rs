//! Deletes a trip, after asking.

use std::sync::Arc;

use btp_domain::{Confirmable, SCOPE_WRITE, TripId};
use btp_mcp_kit::{Call, Hints, Spec, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Toolbox, WRITES};
use crate::{
    answer::{Confirmed, Linked, trip_path},
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

async fn run(toolbox: Arc<Toolbox>, call: Call<Args>) -> Result<Linked<Confirmed>, ToolError> {
    let id = TripId(call.args.id);
    let token = call.args.confirmation_token.as_deref().filter(|token| !token.is_empty());
    let body = match toolbox.planner.delete_trip(&call.principal, &id, token).await.map_err(tool_error)? {
        Confirmable::Ask { token, impact } => {
            Confirmed::ask("Deletes the trip permanently, with its days and any public link.", token, impact)
        }
        Confirmable::Done(()) => Confirmed::done("The trip was deleted."),
    };
    Ok(toolbox.linked("TripDeletion", &trip_path(&id), body))
}
