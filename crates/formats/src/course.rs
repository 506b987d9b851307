//! What is taken along: a trip or one of its days, ready to be written in any format.

use btp_domain::{AccommodationType, Line, Point};
use btp_kernel::Timestamp;

/// A route to ride, day by day.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Its name.
    pub name: String,
    /// A sentence on where the route comes from.
    pub credit: String,
    /// Page of the route at its source.
    pub link: Option<String>,
    /// Whether it holds data of OpenStreetMap, whose licence wants to be named.
    pub has_osm_data: bool,
    /// When it last changed: the same course is always written as the same file.
    pub changed: Timestamp,
    /// The days that are ridden, in order.
    pub days: Vec<Day>,
}

/// A day's ride.
#[derive(Clone, Debug, PartialEq)]
pub struct Day {
    /// Its name.
    pub name: String,
    /// Its line; what lies between two tracks is not ridden.
    pub line: Line,
    /// Metres climbed, when known.
    pub ascent: Option<f64>,
    /// Metres descended, when known.
    pub descent: Option<f64>,
    /// When it begins.
    pub departs: Timestamp,
    /// km/h.
    pub speed: f64,
    /// Where it ends.
    pub stop: Stop,
}

/// The end of a day.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// Its name.
    pub name: String,
    /// Where.
    pub point: Point,
    /// The kind of bed chosen there; `None` when none was.
    pub bed: Option<AccommodationType>,
}
