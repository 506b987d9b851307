//! The form of answers: JSON-LD, kilometres and metres rounded, dates as published.

use btp_domain::{Confirmable, Edited, Impact, Point, TripId};
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

/// Either the question or the outcome of a call that asks first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Confirmed<D> {
    #[serde(flatten)]
    question: Option<Question>,
    #[serde(flatten)]
    outcome: Option<D>,
}

/// Nothing was done yet.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Question {
    /// True when nothing was done yet
    confirmation_required: bool,
    /// Send it back with the same arguments to carry the action out: single use, five minutes
    confirmation_token: String,
    /// What will happen
    action: String,
    /// What will be touched
    impact: Touched,
}

impl<D> Confirmed<D> {
    /// The answer of `outcome`, `done` saying what was done.
    pub(crate) fn new<T>(outcome: Confirmable<T>, done: impl FnOnce(T) -> D) -> Self {
        match outcome {
            Confirmable::Ask { token, impact } => {
                let question = Question {
                    confirmation_required: true,
                    confirmation_token: token,
                    action: impact.action.clone(),
                    impact: impact.into(),
                };
                Self { question: Some(question), outcome: None }
            }
            Confirmable::Done(outcome) => Self { question: None, outcome: Some(done(outcome)) },
        }
    }
}

/// Something was done.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Done {
    /// What was done
    pub(crate) result: &'static str,
}

/// A trip was changed.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Changed {
    /// What was done
    result: String,
    /// The trip's version now: use it for the next edit, without reading the trip again
    version: u64,
    /// What to do next
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    next_action: Option<String>,
}

impl From<Edited> for Changed {
    fn from(edited: Edited) -> Self {
        Self { result: edited.result, version: edited.version, next_action: edited.next }
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
    /// Whether the trip has a public link now
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
