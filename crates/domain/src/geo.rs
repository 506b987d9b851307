//! Points and lines on the WGS 84 ellipsoid.

/// A place, in degrees; elevation in metres, `None` when unknown (never 0 for unknown).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Latitude, −90 to 90.
    pub lat: f64,
    /// Longitude, −180 to 180.
    pub lon: f64,
    /// Metres above sea level.
    pub ele: Option<f64>,
}

/// A line as its source has it: one track or several, in order.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Line {
    /// The tracks; a Komoot collection has one a tour, all else one.
    pub tracks: Vec<Vec<Point>>,
}
