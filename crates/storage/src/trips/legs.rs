//! The legs of a day as JSON: `[from, to]` in metres for a part of the source line, two `[lat, lon, ele]` for a straight one.

use btp_domain::{Leg, Point};
use serde::{Deserialize, Serialize};

use crate::{
    Error,
    rows::{from_json, to_json},
};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Row {
    Source(f64, f64),
    Straight((f64, f64, Option<f64>), (f64, f64, Option<f64>)),
}

pub(super) fn encode(legs: &[Leg]) -> Result<String, Error> {
    let place = |point: Point| (point.lat, point.lon, point.ele);
    let row = |leg: &Leg| match *leg {
        Leg::Source { from, to } => Row::Source(from, to),
        Leg::Straight { from, to } => Row::Straight(place(from), place(to)),
    };
    to_json(&legs.iter().map(row).collect::<Vec<_>>())
}

/// `None` is a row of before there were legs: a part of the source line, or nothing on a rest day.
pub(super) fn decode(text: Option<&str>, from: f64, to: f64, is_rest_day: bool) -> Result<Vec<Leg>, Error> {
    let Some(text) = text else {
        return Ok(if is_rest_day { Vec::new() } else { vec![Leg::Source { from, to }] });
    };
    let place = |(lat, lon, ele)| Point { lat, lon, ele };
    let leg = |row| match row {
        Row::Source(from, to) => Leg::Source { from, to },
        Row::Straight(from, to) => Leg::Straight { from: place(from), to: place(to) },
    };
    Ok(from_json::<Vec<Row>>("legs", text)?.into_iter().map(leg).collect())
}

/// Where on the source line the day begins and ends, in metres; zeros when it does not touch it.
pub(super) fn span(legs: &[Leg]) -> (f64, f64) {
    let mut parts = legs.iter().filter_map(|leg| match *leg {
        Leg::Source { from, to } => Some((from, to)),
        Leg::Straight { .. } => None,
    });
    let first = parts.next().unwrap_or_default();
    (first.0, parts.next_back().unwrap_or(first).1)
}
