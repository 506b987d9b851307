//! Computes all that is known about the days anew.

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
struct Args {
    /// Trip identifier
    id: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Answer {
    /// What was done
    result: &'static str,
    /// What to do next
    next_action: &'static str,
}

pub(super) fn tool(toolbox: Arc<Toolbox>) -> Tool {
    let spec = Spec {
        name: "analyze_trip",
        title: "Analyze a trip again",
        description: include_str!("analyze_trip.md"),
        scope: SCOPE_WRITE,
        hints: Hints::default(),
        limits: WRITES,
        closed: false,
        budget: None,
    };
    Tool::new(spec, move |call| run(Arc::clone(&toolbox), call))
}

async fn run(toolbox: Arc<Toolbox>, call: Call<Args>) -> Result<Linked<Answer>, ToolError> {
    let trip = TripId(call.args.id);
    toolbox.planner.analyze_trip(&call.principal, &trip).await.map_err(tool_error)?;
    let answer = Answer {
        result: "The analysis has started.",
        next_action: "Call get_trip again and read categoryStatus until nothing in it is running.",
    };
    Ok(toolbox.linked("TripAnalysis", &trip_path(&trip), answer))
}
