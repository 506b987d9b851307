//! Trips, read.

use axum::{
    Json,
    extract::{RawQuery, State},
};
use btp_domain::{
    Settings, Stage, Trip, TripId, TripSummary, parse_date,
    store::{TripPage, TripQuery},
};
use http::{HeaderName, StatusCode, header};
use serde::Serialize;

use super::{person::Signed, problem::Problem};
use crate::{Services, layer::Named};

type Answer<T> = ([(HeaderName, &'static str); 1], Json<T>);

#[derive(Serialize)]
pub(super) struct List {
    total: u64,
    trips: Vec<Summary>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    id: String,
    title: Option<String>,
    start: Option<String>,
    end: Option<String>,
    /// Metres, rest days excluded.
    metres: f64,
    /// Days, rest days excluded.
    days: usize,
    status: &'static str,
    created_at: String,
    updated_at: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Detail {
    id: String,
    version: u64,
    title: Option<String>,
    start: Option<String>,
    end: Option<String>,
    status: &'static str,
    /// Route or days are still being computed.
    computing: bool,
    locked: bool,
    failure: Option<Note>,
    warnings: Vec<Note>,
    pacing: Pacing,
    days: Vec<Day>,
    created_at: String,
    updated_at: String,
}

#[derive(Serialize)]
struct Note {
    code: String,
    message: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Pacing {
    fatigue_factor: f64,
    elevation_penalty: f64,
    max_distance_per_day: f64,
    average_speed: f64,
    ebike: bool,
    departure_hour: u8,
    accommodation_types: Vec<&'static str>,
}

#[derive(Serialize)]
struct Day {
    id: String,
    /// Metres.
    metres: f64,
    ascent: Option<f64>,
    descent: Option<f64>,
    /// `[longitude, latitude]`, as GeoJSON has it.
    start: [f64; 2],
    end: [f64; 2],
    label: Option<String>,
    rest: bool,
    geometry: &'static str,
}

/// `GET /api/trips`: `page`, `itemsPerPage` (at most 30), `title`, `startDate`, `endDate`.
pub(super) async fn list(
    State(services): State<Services>,
    Signed(principal): Signed,
    RawQuery(query): RawQuery,
) -> Result<Answer<List>, Problem> {
    let query = asked(query.as_deref().unwrap_or_default())?;
    let TripPage { total, trips } = services.planner.list_trips(&principal, &query).await?;
    Ok(private(List { total, trips: trips.into_iter().map(Summary::from).collect() }))
}

/// `GET /api/trips/{id}`.
pub(super) async fn read(
    State(services): State<Services>,
    Signed(principal): Signed,
    Named(id): Named,
) -> Result<Answer<Detail>, Problem> {
    let trip = services.planner.get_trip(&principal, &TripId(id)).await?;
    let locked = services.planner.is_locked(&trip);
    Ok(private(Detail::new(trip, locked)))
}

fn private<T>(body: T) -> Answer<T> {
    ([(header::CACHE_CONTROL, "no-store")], Json(body))
}

fn asked(query: &str) -> Result<TripQuery, Problem> {
    let bad = |name: &str, wants: &str| Problem::new(StatusCode::BAD_REQUEST, format!("\"{name}\" {wants}."));
    let mut asked = TripQuery { page: 1, per_page: 20, title: None, start: None, end: None };
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        let number = |most: u32| {
            let number = value.parse().ok().filter(|number| (1..=most).contains(number));
            number.ok_or_else(|| bad(&name, &format!("must be a whole number from 1 to {most}")))
        };
        let date = || parse_date(&value).map_err(|err| bad(&name, &err.to_string()));
        match name.as_ref() {
            "page" => asked.page = number(u32::MAX)?,
            "itemsPerPage" => asked.per_page = number(30)?,
            "title" => asked.title = Some(value.into_owned()),
            "startDate" => asked.start = Some(date()?),
            "endDate" => asked.end = Some(date()?),
            _ => {}
        }
    }
    Ok(asked)
}

impl From<TripSummary> for Summary {
    fn from(trip: TripSummary) -> Self {
        Self {
            id: trip.id.0,
            title: trip.title,
            start: trip.start_date.map(|date| date.to_string()),
            end: trip.end_date.map(|date| date.to_string()),
            metres: trip.distance.round(),
            days: trip.stage_count,
            status: trip.status.as_str(),
            created_at: trip.created_at.rfc3339(),
            updated_at: trip.updated_at.rfc3339(),
        }
    }
}

impl Detail {
    pub(super) fn new(trip: Trip, locked: bool) -> Self {
        let (end, computing, status) = (trip.end_date(), trip.is_partial(), trip.list_status());
        Self {
            id: trip.id.0,
            version: trip.version,
            title: trip.title,
            start: trip.settings.start_date.map(|date| date.to_string()),
            end: end.map(|date| date.to_string()),
            status: status.as_str(),
            computing,
            locked,
            failure: trip
                .failure
                .map(|failure| Note { code: failure.code.as_str().to_owned(), message: failure.message }),
            warnings: trip.warnings.into_iter().map(|note| Note { code: note.code, message: note.message }).collect(),
            pacing: trip.settings.into(),
            days: trip.stages.into_iter().map(Day::from).collect(),
            created_at: trip.created_at.rfc3339(),
            updated_at: trip.updated_at.rfc3339(),
        }
    }
}

impl From<Settings> for Pacing {
    fn from(settings: Settings) -> Self {
        Self {
            fatigue_factor: settings.fatigue_factor,
            elevation_penalty: settings.elevation_penalty,
            max_distance_per_day: settings.max_distance_per_day,
            average_speed: settings.average_speed,
            ebike: settings.ebike_mode,
            departure_hour: settings.departure_hour,
            accommodation_types: settings.accommodation_types.iter().map(|kind| kind.as_str()).collect(),
        }
    }
}

impl From<Stage> for Day {
    fn from(stage: Stage) -> Self {
        Self {
            id: stage.id.0,
            metres: stage.distance.round(),
            ascent: stage.ascent.map(f64::round),
            descent: stage.descent.map(f64::round),
            start: [stage.start.lon, stage.start.lat],
            end: [stage.end.lon, stage.end.lat],
            label: stage.label,
            rest: stage.is_rest_day,
            geometry: stage.quality.as_str(),
        }
    }
}
