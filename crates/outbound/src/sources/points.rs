//! Points as JSON documents have them.

use btp_domain::{Point, Warning, known_elevation};
use serde::{Deserialize, Deserializer, de::IgnoredAny};

use super::Miss;

/// A number, or anything else in its place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Number(pub(super) Option<f64>);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Any {
            Number(f64),
            Other(IgnoredAny),
        }
        Any::deserialize(deserializer).map(|any| match any {
            Any::Number(number) => Self(Some(number)),
            Any::Other(_) => Self(None),
        })
    }
}

impl Number {
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0.or(other.0))
    }
}

/// The point, when both degrees are there and on Earth; elevation in metres.
pub(super) fn point(lat: Number, lon: Number, ele: Number) -> Option<Point> {
    Some(Point { lat: lat.0?, lon: lon.0?, ele: ele.0.and_then(known_elevation) }).filter(Point::is_on_earth)
}

/// A line of the usable points, with a warning about the others.
///
/// Points of which none is usable mean that their keys were renamed.
pub(super) fn line(points: impl ExactSizeIterator<Item = Option<Point>>) -> Result<(Vec<Point>, Vec<Warning>), Miss> {
    let all = points.len();
    let line: Vec<Point> = points.flatten().collect();
    if line.is_empty() && all > 0 {
        return Err(Miss::Changed("points without coordinates"));
    }
    let dropped = Warning::points_dropped(all - line.len(), "they have no usable coordinates");
    Ok((followable(line)?, dropped.into_iter().collect()))
}

/// The line, when it leads from somewhere to somewhere else.
pub(super) fn followable(line: Vec<Point>) -> Result<Vec<Point>, Miss> {
    let moves = line.windows(2).any(|pair| (pair[0].lat, pair[0].lon) != (pair[1].lat, pair[1].lon));
    if moves { Ok(line) } else { Err(Miss::Empty) }
}

/// The title, unless it is blank.
pub(super) fn title(title: Option<String>) -> Option<String> {
    title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty())
}
