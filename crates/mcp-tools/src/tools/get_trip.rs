//! Reads one trip.

use std::sync::Arc;

use btp_domain::{Alert, SCOPE_READ, Settings, Severity, Stage, Trip, TripId};
use btp_mcp_kit::{Call, Hints, Spec, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{READS, Toolbox};
use crate::{
    answer::{Linked, date, km, metres, trip_path},
    error::tool_error,
};

#[derive(Deserialize, JsonSchema)]
struct Args {
    /// Trip identifier, from list_trips or create_trip
    id: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Answer {
    /// Trip identifier
    id: String,
    /// Pass it back to any tool that edits the trip
    version: u64,
    /// Trip name
    title: Option<String>,
    /// Address of the route
    source_url: Option<String>,
    /// First day
    start_date: Option<String>,
    /// Last day
    end_date: Option<String>,
    /// draft until the route is split into days, then ready
    status: &'static str,
    /// True while the days are still being computed
    partial: bool,
    /// The trip has started: it can no longer be edited
    is_locked: bool,
    /// The route leaves the provisioned area: no rerouting possible
    out_of_zone: bool,
    /// How much shorter each day is than the one before
    fatigue_factor: f64,
    /// Metres of ascent that remove one kilometre from a day
    elevation_penalty: f64,
    /// Cap of a day in km
    max_distance_per_day: f64,
    /// km/h
    average_speed: f64,
    /// Pacing for an e-bike
    ebike_mode: bool,
    /// Usual hour of departure
    departure_hour: u8,
    /// Kinds of accommodation looked for
    enabled_accommodation_types: Vec<&'static str>,
    /// What has been or is being computed; a category that is absent was never looked at
    category_status: Vec<Category>,
    /// Why the route could not be had
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Note")]
    failure: Option<Note>,
    /// What was not perfect
    warnings: Vec<Note>,
    /// Number of days, rest days excluded
    stage_count: usize,
    /// Kilometres, rest days excluded
    total_distance: f64,
    /// One line per day, in order
    stages: Vec<Day>,
}

#[derive(Serialize, JsonSchema)]
struct Category {
    /// route, points_of_interest, accommodations, terrain_security, weather or context
    category: &'static str,
    /// running, done, failed or superseded
    status: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct Note {
    /// Stable name
    code: String,
    /// A sentence
    message: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Day {
    /// Day identifier, for get_stage
    stage_id: String,
    /// From 1
    day_number: usize,
    /// Kilometres
    distance: f64,
    /// Metres climbed, null when unknown
    elevation: Option<i64>,
    /// Locality of the start
    start_label: Option<String>,
    /// Locality of the end
    end_label: Option<String>,
    /// A day off the bike
    is_rest_day: bool,
    /// Name of the chosen accommodation
    accommodation: Option<String>,
    /// Number of alerts of the day
    alert_count: usize,
    /// Messages of the critical alerts
    critical_alerts: Vec<String>,
    /// Where the line comes from: source, routed or straight_line
    geometry_quality: &'static str,
}

pub(super) fn tool(toolbox: Arc<Toolbox>) -> Tool {
    let spec = Spec {
        name: "get_trip",
        title: "Read a trip",
        description: include_str!("get_trip.md"),
        scope: SCOPE_READ,
        hints: Hints { read_only: true, ..Hints::default() },
        limits: READS,
        closed: false,
        budget: None,
    };
    Tool::new(spec, move |call| run(Arc::clone(&toolbox), call))
}

async fn run(toolbox: Arc<Toolbox>, call: Call<Args>) -> Result<Linked<Answer>, ToolError> {
    let trip = toolbox.planner.get_trip(&call.principal, &TripId(call.args.id)).await.map_err(tool_error)?;
    let is_locked = toolbox.planner.is_locked(&trip);
    let path = trip_path(&trip.id);
    Ok(toolbox.linked("Trip", &path, Answer::new(trip, is_locked)))
}

impl Answer {
    fn new(trip: Trip, is_locked: bool) -> Self {
        let (stage_count, total_distance) = (trip.ridden().count(), km(trip.distance()));
        let end_date = date(trip.end_date());
        let stages = trip
            .stages
            .iter()
            .enumerate()
            .map(|(index, stage)| Day::new(index + 1, stage, trip.alerts(stage)))
            .collect();
        let partial = trip.is_partial();
        let Settings { start_date, fatigue_factor, elevation_penalty, max_distance_per_day, average_speed, .. } =
            trip.settings;
        Self {
            id: trip.id.0,
            version: trip.version,
            title: trip.title,
            source_url: trip.source.address(),
            start_date: date(start_date),
            end_date,
            status: trip.readiness.as_str(),
            partial,
            is_locked,
            out_of_zone: trip.out_of_zone,
            fatigue_factor,
            elevation_penalty,
            max_distance_per_day,
            average_speed,
            ebike_mode: trip.settings.ebike_mode,
            departure_hour: trip.settings.departure_hour,
            enabled_accommodation_types: trip.settings.accommodation_types.iter().map(|kind| kind.as_str()).collect(),
            category_status: vec![Category { category: "route", status: trip.computations.route.as_str() }],
            failure: trip
                .failure
                .map(|failure| Note { code: failure.code.as_str().to_owned(), message: failure.message }),
            warnings: trip.warnings.into_iter().map(|w| Note { code: w.code, message: w.message }).collect(),
            stage_count,
            total_distance,
            stages,
        }
    }
}

fn is_critical(alert: &Alert) -> bool {
    alert.severity == Severity::Critical
}

impl Day {
    fn new(day_number: usize, stage: &Stage, alerts: Vec<Alert>) -> Self {
        Self {
            stage_id: stage.id.0.clone(),
            day_number,
            distance: km(stage.distance),
            elevation: stage.ascent.map(metres),
            start_label: stage.start_label.clone(),
            end_label: stage.end_label.clone(),
            is_rest_day: stage.is_rest_day,
            accommodation: None,
            alert_count: alerts.len(),
            critical_alerts: alerts.into_iter().filter(is_critical).map(|alert| alert.message).collect(),
            geometry_quality: stage.quality.as_str(),
        }
    }
}
