//! Drawings of a trip, as SVG without script or foreign parts: its line on a map, and its elevation profile.
//!
//! Each is a value that a template of the same name writes out. Coordinates are in user units, [`WIDTH`] of them across;
//! colours and sizes are the stylesheet's.

mod map;
mod profile;

use btp_accounts::Locale;
use btp_domain::Point;

pub(crate) use map::Map;
pub(crate) use profile::Profile;

/// Units across a drawing: about the pixels that a telephone gives it.
pub(crate) const WIDTH: f64 = 360.0;
/// Colours in which days take turns.
const COLOURS: usize = 6;
/// Units around a day's number that no other number comes into.
const ROOM: f64 = 15.0;

/// A day's number and where it is written.
pub(crate) struct Label {
    pub(crate) number: usize,
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Label {
    /// The day's colour.
    pub(crate) const fn colour(&self) -> usize {
        colour(self.number - 1)
    }
}

/// The numbers of days that do not run into each other; the earlier one stays.
fn readable(wanted: impl Iterator<Item = Label>) -> Vec<Label> {
    let mut kept: Vec<Label> = Vec::new();
    for label in wanted {
        if kept.iter().all(|other| (other.x - label.x).abs() > ROOM || (other.y - label.y).abs() > ROOM) {
            kept.push(label);
        }
    }
    kept
}

/// Which colour a day has; `day` counts from 0.
pub(crate) const fn colour(day: usize) -> usize {
    day % COLOURS
}

/// The largest of 1, 2, 5, 10, 20, … (and of their parts) that is not above `most`.
fn round_below(most: f64) -> f64 {
    steps(most).rev().find(|&step| step <= most * (1.0 + 1e-9)).unwrap_or(most)
}

/// The smallest of them that is not below `least`.
fn round_above(least: f64) -> f64 {
    steps(least).find(|&step| step >= least * (1.0 - 1e-9)).unwrap_or(least)
}

/// The steps around a number above 0.
fn steps(number: f64) -> impl DoubleEndedIterator<Item = f64> {
    let decade = 10_f64.powf(number.log10().floor());
    [0.5, 1.0, 2.0, 5.0, 10.0].into_iter().map(move |step| step * decade)
}

/// A number with as few decimals as it needs, as the language writes it.
fn written(number: f64, locale: Locale) -> String {
    let text = format!("{}", (number * 1000.0).round() / 1000.0);
    match locale {
        Locale::En => text,
        Locale::Fr => text.replace('.', ","),
    }
}

/// Puts a point in units into the data of a path.
fn draw(path: &mut String, command: char, (x, y): (f64, f64)) {
    use std::fmt::Write;
    // Writing to a string cannot fail.
    let _ = write!(path, "{command}{} {}", tenth(x), tenth(y));
}

fn tenth(units: f64) -> f64 {
    (units * 10.0).round() / 10.0
}

/// A point's position in the plane of Mercator's projection, whose shapes are true; `near` is the longitude it shall be
/// next to, across ±180° when that is nearer.
fn mercator(point: Point, near: f64) -> (f64, f64) {
    let lon = point.lon + 360.0 * ((near - point.lon) / 360.0).round();
    let lat = point.lat.clamp(-85.0, 85.0).to_radians();
    (lon.to_radians(), -lat.tan().asinh())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers() {
        for (number, below, above) in
            [(1.0, 1.0, 1.0), (1.9, 1.0, 2.0), (4.99, 2.0, 5.0), (0.21, 0.2, 0.5), (66.0, 50.0, 100.0), (1e3, 1e3, 1e3)]
        {
            assert!((round_below(number) - below).abs() < 1e-9, "{number}: {}", round_below(number));
            assert!((round_above(number) - above).abs() < 1e-9, "{number}: {}", round_above(number));
        }
        assert_eq!((written(0.5, Locale::Fr), written(1500.0, Locale::En)), ("0,5".to_owned(), "1500".to_owned()));
    }

    #[test]
    fn across_the_antimeridian_is_near() {
        let point = Point { lat: 0.0, lon: -179.0, ele: None };
        assert!((mercator(point, 179.0).0 - 181_f64.to_radians()).abs() < 1e-12);
        assert!((mercator(point, -179.5).0 + 179_f64.to_radians()).abs() < 1e-12);
    }
}
