//! The legs of a day as text that comes back bit by bit: separated by `;`, two offsets for a part of the source line, latitude,
//! longitude and elevation (`-` when unknown) of both ends for a straight one.

use btp_domain::{Leg, Point};

use crate::Error;

pub(super) fn encode(legs: &[Leg]) -> String {
    let place = |Point { lat, lon, ele }: Point| {
        let ele = ele.map_or_else(|| "-".to_owned(), |ele| ele.to_string());
        format!("{lat} {lon} {ele}")
    };
    let leg = |leg: &Leg| match *leg {
        Leg::Source { from, to } => format!("{from} {to}"),
        Leg::Straight { from, to } => format!("{} {}", place(from), place(to)),
    };
    legs.iter().map(leg).collect::<Vec<_>>().join(";")
}

/// `None` is a row of before there were legs: a part of the source line, or nothing on a rest day.
pub(super) fn decode(text: Option<&str>, from: f64, to: f64, is_rest_day: bool) -> Result<Vec<Leg>, Error> {
    match text {
        Some(text) => text.split_terminator(';').map(|text| leg(text).ok_or(Error::Row("legs"))).collect(),
        None if is_rest_day => Ok(Vec::new()),
        None => Ok(vec![Leg::Source { from, to }]),
    }
}

fn leg(text: &str) -> Option<Leg> {
    let place = |lat: &str, lon: &str, ele: &str| {
        let ele = if ele == "-" { None } else { Some(ele.parse().ok()?) };
        Some(Point { lat: lat.parse().ok()?, lon: lon.parse().ok()?, ele })
    };
    match text.split(' ').collect::<Vec<_>>()[..] {
        [from, to] => Some(Leg::Source { from: from.parse().ok()?, to: to.parse().ok()? }),
        [a, b, c, d, e, f] => Some(Leg::Straight { from: place(a, b, c)?, to: place(d, e, f)? }),
        _ => None,
    }
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
