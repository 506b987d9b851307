//! Publishes a link to a trip.

use std::sync::Arc;

use btp_domain::{SCOPE_WRITE, TripId};
use btp_mcp_kit::{Call, Hints, Spec, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Toolbox, WRITES};
use crate::{
    answer::{Linked, trip_path},
    error::tool_error,
};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Args {
    /// Trip identifier
    trip_id: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Answer {
    /// Public address; append .gpx or .fit to download the trip
    url: String,
    /// Its last part
    short_code: String,
    /// When the link was made
    created_at: String,
}

pub(super) fn tool(toolbox: Arc<Toolbox>) -> Tool {
    let spec = Spec {
        name: "share_trip",
        title: "Share a trip",
        description: include_str!("share_trip.md"),
        scope: SCOPE_WRITE,
        hints: Hints::default(),
        limits: WRITES,
        closed: false,
        budget: None,
    };
    Tool::new(spec, move |call| run(Arc::clone(&toolbox), call))
}

async fn run(toolbox: Arc<Toolbox>, call: Call<Args>) -> Result<Linked<Answer>, ToolError> {
    let trip = TripId(call.args.trip_id);
    let link = toolbox.planner.share_trip(&call.principal, &trip).await.map_err(tool_error)?;
    let answer = Answer {
        url: format!("{}/s/{}", toolbox.base, link.code),
        created_at: link.created_at.rfc3339(),
        short_code: link.code,
    };
    Ok(toolbox.linked("TripShare", &trip_path(&trip), answer))
}
