//! The form of answers: JSON-LD, kilometres and metres rounded, dates as published.

use btp_domain::{Impact, Point, TripId};
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

/// An answer with its JSON-LD keys.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Linked<T> {
    /// JSON-LD context
    #[serde(rename = "@context")]
    context: String,
    /// Address of what the answer is about
    #[serde(rename = "@id")]
    id: String,
    /// JSON-LD type
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(flatten)]
    body: T,
}

impl<T> Linked<T> {
    /// An answer of type `kind` about `path` on the server at `base`.
    pub(crate) fn new(base: &str, kind: &'static str, path: &str, body: T) -> Self {
        Self { context: format!("{base}/contexts/{kind}"), id: format!("{base}{path}"), kind, body }
    }
}

/// Path of a trip.
pub(crate) fn trip_path(trip: &TripId) -> String {
    format!("/trips/{trip}")
}

/// A list with the number of all that match.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Members<T> {
    /// How many there are in all
    pub(crate) total_items: u64,
    /// Those of this page
    pub(crate) member: Vec<T>,
}

/// Either the question or the outcome of a destructive call.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Confirmed {
    /// True when nothing was done yet
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub(crate) confirmation_required: Option<bool>,
    /// Send it back with the same arguments to carry the action out: single use, five minutes
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) confirmation_token: Option<String>,
    /// What will happen
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) action: Option<&'static str>,
    /// What will be touched
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Touched")]
    pub(crate) impact: Option<Touched>,
    /// What was done
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) result: Option<&'static str>,
}

impl Confirmed {
    /// The question.
    pub(crate) fn ask(action: &'static str, token: String, impact: Impact) -> Self {
        Self {
            confirmation_required: Some(true),
            confirmation_token: Some(token),
            action: Some(action),
            impact: Some(impact.into()),
            result: None,
        }
    }

    /// The outcome.
    pub(crate) fn done(result: &'static str) -> Self {
        Self { result: Some(result), ..Self::default() }
    }
}

/// What a destructive call would touch.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Touched {
    /// Trip identifier
    trip_id: String,
    /// Trip name
    title: Option<String>,
    /// Number of days, rest days excluded
    stage_count: usize,
    /// First day
    start_date: Option<String>,
    /// Last day
    end_date: Option<String>,
    /// Whether a public link would stop working
    has_active_share_link: bool,
}

impl From<Impact> for Touched {
    fn from(impact: Impact) -> Self {
        Self {
            trip_id: impact.trip.0,
            title: impact.title,
            stage_count: impact.stage_count,
            start_date: date(impact.start_date),
            end_date: date(impact.end_date),
            has_active_share_link: impact.has_active_link,
        }
    }
}

/// A place.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Place {
    /// Latitude in degrees
    lat: f64,
    /// Longitude in degrees
    lon: f64,
    /// Metres above sea level, null when unknown
    ele: Option<i64>,
}

impl From<Point> for Place {
    fn from(point: Point) -> Self {
        Self { lat: degrees(point.lat), lon: degrees(point.lon), ele: point.ele.map(metres) }
    }
}

/// A civil date as published: its midnight in UTC.
pub(crate) fn date(date: Option<Date>) -> Option<String> {
    date.map(|date| format!("{date}T00:00:00+00:00"))
}

/// Metres as kilometres with two decimals.
pub(crate) fn km(metres: f64) -> f64 {
    (metres / 10.0).round() / 100.0
}

/// Degrees with six decimals: eleven centimetres.
pub(crate) fn degrees(degrees: f64) -> f64 {
    (degrees * 1e6).round() / 1e6
}

/// Metres without decimals.
#[expect(clippy::cast_possible_truncation, reason = "a cast saturates, and no height or climb is near 2^63")]
pub(crate) fn metres(metres: f64) -> i64 {
    metres.round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_rounded_as_published() {
        assert_eq!((km(73_684.999), km(0.0), km(66_315.0)), (73.68, 0.0, 66.32));
        assert_eq!((metres(1_019.5), metres(-0.4)), (1_020, 0));
        assert_eq!(date(Some(Date::constant(2026, 7, 1))).as_deref(), Some("2026-07-01T00:00:00+00:00"));
    }
}
