//! Lists trips.

use std::sync::Arc;

use btp_domain::{
    SCOPE_READ, TripSummary,
    store::{TripPage, TripQuery},
};
use btp_mcp_kit::{Call, Hints, Spec, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{READS, Toolbox};
use crate::{
    answer::{Linked, Members, date, km},
    args::date as date_arg,
    error::tool_error,
};

const NAME: &str = "list_trips";

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Args {
    /// Page number, from 1
    #[schemars(range(min = 1))]
    page: Option<u64>,
    /// Trips per page, 20 by default, 30 at most
    #[schemars(range(min = 1, max = 30))]
    items_per_page: Option<u32>,
    /// Keep trips whose title contains this text
    title: Option<String>,
    /// Keep trips starting on or after this date (YYYY-MM-DD)
    start_date: Option<String>,
    /// Keep trips ending on or before this date (YYYY-MM-DD)
    end_date: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Line {
    /// Trip identifier
    id: String,
    /// Trip name
    title: Option<String>,
    /// First day
    start_date: Option<String>,
    /// Last day
    end_date: Option<String>,
    /// Kilometres, rest days excluded
    total_distance: f64,
    /// Number of days, rest days excluded
    stage_count: usize,
    /// When the trip was created
    created_at: String,
    /// When anything of it last changed
    updated_at: String,
    /// draft, analyzing, analyzed or failed
    status: &'static str,
}

pub(super) fn tool(toolbox: Arc<Toolbox>) -> Tool {
    let spec = Spec {
        name: NAME,
        title: "List trips",
        description: include_str!("list_trips.md"),
        scope: SCOPE_READ,
        hints: Hints { read_only: true, ..Hints::default() },
        limits: READS,
        closed: false,
        budget: None,
    };
    Tool::new(spec, move |call| run(Arc::clone(&toolbox), call))
}

async fn run(toolbox: Arc<Toolbox>, call: Call<Args>) -> Result<Linked<Members<Line>>, ToolError> {
    let args = call.args;
    let query = TripQuery {
        page: args.page.map_or(1, |page| page.try_into().unwrap_or(u32::MAX)),
        per_page: args.items_per_page.unwrap_or(20),
        start: date_arg(NAME, "startDate", args.start_date.as_deref())?,
        end: date_arg(NAME, "endDate", args.end_date.as_deref())?,
        title: args.title,
    };
    let TripPage { total, trips } = toolbox.planner.list_trips(&call.principal, &query).await.map_err(tool_error)?;
    let member = trips.into_iter().map(Line::from).collect();
    Ok(toolbox.linked("TripList", "/trips", Members { total_items: total, member }))
}

impl From<TripSummary> for Line {
    fn from(trip: TripSummary) -> Self {
        Self {
            id: trip.id.0,
            title: trip.title,
            start_date: date(trip.start_date),
            end_date: date(trip.end_date),
            total_distance: km(trip.distance),
            stage_count: trip.stage_count,
            created_at: trip.created_at.rfc3339(),
            updated_at: trip.updated_at.rfc3339(),
            status: trip.status.as_str(),
        }
    }
}
