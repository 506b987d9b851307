//! Reads one day.

use std::sync::Arc;

use btp_domain::{Alert, DayView, SCOPE_READ, StageId, TripId};
use btp_mcp_kit::{Budget, Call, Hints, Spec, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{READS, Toolbox};
use crate::{
    answer::{Linked, Place, km, metres, trip_path},
    error::tool_error,
};

/// 8,000 tokens of four bytes.
const BUDGET: Budget = Budget { bytes: 32_000, lists: &["alerts", "accommodations", "events"] };

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Args {
    /// Trip identifier
    trip_id: String,
    /// Day identifier, as listed in stages by get_trip
    stage_id: String,
}

/// What a producer publishes, as it publishes it.
type Open = Map<String, Value>;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Answer {
    /// Day identifier
    id: String,
    /// From 1
    day_number: usize,
    /// Kilometres
    distance: f64,
    /// Metres climbed, null when unknown
    elevation: Option<i64>,
    /// Metres descended, null when unknown
    elevation_loss: Option<i64>,
    /// Where the day starts
    start_point: Place,
    /// Where the day ends
    end_point: Place,
    /// Free-text name of the day
    label: Option<String>,
    /// A day off the bike
    is_rest_day: bool,
    /// Where the line comes from: source, routed or straight_line
    geometry_quality: &'static str,
    /// Forecast for the riding hours, null when there is none
    weather: Option<Open>,
    /// Alerts of the day, most severe first
    alerts: Vec<Open>,
    /// Food and water on the way
    resupply: Open,
    /// Accommodations near the end, nearest first
    accommodations: Vec<Open>,
    /// The chosen accommodation
    selected_accommodation: Option<Open>,
    /// Events on the way
    events: Vec<Open>,
    /// How many alerts there are, when the list is cut
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    alerts_total: Option<u64>,
    /// How many accommodations there are, when the list is cut
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    accommodations_total: Option<u64>,
    /// How many events there are, when the list is cut
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    events_total: Option<u64>,
}

pub(super) fn tool(toolbox: Arc<Toolbox>) -> Tool {
    let spec = Spec {
        name: "get_stage",
        title: "Read a day",
        description: include_str!("get_stage.md"),
        scope: SCOPE_READ,
        hints: Hints { read_only: true, ..Hints::default() },
        limits: READS,
        closed: false,
        budget: Some(BUDGET),
    };
    Tool::new(spec, move |call| run(Arc::clone(&toolbox), call))
}

async fn run(toolbox: Arc<Toolbox>, call: Call<Args>) -> Result<Linked<Answer>, ToolError> {
    let (trip, stage) = (TripId(call.args.trip_id), StageId(call.args.stage_id));
    let day = toolbox.planner.get_stage(&call.principal, &trip, &stage).await.map_err(tool_error)?;
    let path = format!("{}/stages/{}", trip_path(&trip), day.stage.id);
    Ok(toolbox.linked("Stage", &path, day.into()))
}

impl From<DayView> for Answer {
    fn from(day: DayView) -> Self {
        let DayView { number, stage, alerts } = day;
        Self {
            id: stage.id.0,
            day_number: number,
            distance: km(stage.distance),
            elevation: stage.ascent.map(metres),
            elevation_loss: stage.descent.map(metres),
            start_point: stage.start.into(),
            end_point: stage.end.into(),
            label: stage.label,
            is_rest_day: stage.is_rest_day,
            geometry_quality: stage.quality.as_str(),
            weather: None,
            alerts: alerts.into_iter().map(open).collect(),
            resupply: Open::new(),
            accommodations: Vec::new(),
            selected_accommodation: None,
            events: Vec::new(),
            alerts_total: None,
            accommodations_total: None,
            events_total: None,
        }
    }
}

/// An alert as it is published: `type` is its severity.
fn open(alert: Alert) -> Open {
    let members = [
        ("code", alert.code.to_owned()),
        ("type", alert.severity.as_str().to_owned()),
        ("group", alert.group.to_owned()),
        ("message", alert.message),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
}
