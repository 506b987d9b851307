//! Points and lines on the WGS 84 ellipsoid.

mod path;

use geographiclib_rs::{DirectGeodesic, Geodesic, InverseGeodesic};

pub(crate) use path::{Near, Path};

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
    /// The tracks; what lies between two of them is not ridden. A Komoot collection has one a tour.
    pub tracks: Vec<Vec<Point>>,
}

impl Point {
    /// Whether the coordinates are numbers within their ranges.
    pub fn is_on_earth(&self) -> bool {
        (-90.0..=90.0).contains(&self.lat) && (-180.0..=180.0).contains(&self.lon)
    }
}

impl Line {
    /// Metres along all tracks, without the gaps between them.
    pub fn length(&self) -> f64 {
        self.tracks.iter().flat_map(|track| track.windows(2)).map(|pair| distance(pair[0], pair[1])).sum()
    }

    /// Points of all tracks.
    pub fn points(&self) -> usize {
        self.tracks.iter().map(Vec::len).sum()
    }

    /// Metres between the end of each track and the start of the next.
    pub(crate) fn gaps(&self) -> impl Iterator<Item = f64> {
        let ends = self.tracks.iter().filter_map(|track| Some((*track.first()?, *track.last()?)));
        ends.clone().skip(1).zip(ends).map(|((next, _), (_, last))| distance(last, next))
    }

    /// The line without the points at exactly 0° N 0° E, and how many those were: no road is near, but devices without
    /// a fix write them.
    pub(crate) fn without_null_island(mut self) -> (Self, usize) {
        let before = self.points();
        self.tracks.iter_mut().for_each(|track| track.retain(|point| (point.lat, point.lon) != (0.0, 0.0)));
        let dropped = before - self.points();
        (self, dropped)
    }
}

/// Semi-major axis of the ellipsoid in metres, and the square of its eccentricity.
const SEMI_MAJOR: f64 = 6_378_137.0;
const ECCENTRICITY_2: f64 = 0.006_694_379_990_141_316;

/// Metres between two places along the geodesic, the shorter way around the globe.
///
/// Below about half a kilometre the ellipsoid is taken as flat around the middle of the two: off by less than
/// 5 parts in 10⁸ there, and ten times as fast.
pub fn distance(from: Point, to: Point) -> f64 {
    if is_short(from, to) {
        let (sin, cos) = f64::midpoint(from.lat, to.lat).to_radians().sin_cos();
        let squash = 1.0 - ECCENTRICITY_2 * sin * sin;
        let east_radius = SEMI_MAJOR / squash.sqrt();
        let north_radius = east_radius * (1.0 - ECCENTRICITY_2) / squash;
        let north = north_radius * (to.lat - from.lat).to_radians();
        let east = east_radius * cos * (to.lon - from.lon).to_radians();
        north.hypot(east)
    } else {
        Geodesic::wgs84().inverse(from.lat, from.lon, to.lat, to.lon)
    }
}

/// The place at `fraction` (0 to 1) of the geodesic; its elevation is known when both ends' are.
pub(crate) fn between(from: Point, to: Point, fraction: f64) -> Point {
    let mix = |a: f64, b: f64| a + (b - a) * fraction;
    let ele = from.ele.zip(to.ele).map(|(a, b)| mix(a, b));
    if fraction <= 0.0 {
        from
    } else if fraction >= 1.0 {
        to
    } else if is_short(from, to) {
        Point { lat: mix(from.lat, to.lat), lon: mix(from.lon, to.lon), ele }
    } else {
        let earth = Geodesic::wgs84();
        let (length, azimuth, _, _): (f64, f64, f64, f64) = earth.inverse(from.lat, from.lon, to.lat, to.lon);
        let (lat, lon): (f64, f64) = earth.direct(from.lat, from.lon, azimuth, length * fraction);
        Point { lat, lon, ele }
    }
}

/// Whether the ellipsoid may be taken as flat between the two: close together, off the poles, on one side of ±180°.
fn is_short(from: Point, to: Point) -> bool {
    (to.lat - from.lat).abs() < 0.005 && (to.lon - from.lon).abs() < 0.005 && from.lat.abs() < 80.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lat: f64, lon: f64) -> Point {
        Point { lat, lon, ele: None }
    }

    #[test]
    fn lengths_are_those_of_the_ellipsoid() {
        let quarter: f64 = 10_001_965.729;
        for (from, to, metres) in [
            (at(0.0, 0.0), at(0.0, 1.0), 111_319.490_793),
            (at(0.0, 0.0), at(90.0, 0.0), quarter),
            (at(0.0, 0.0), at(0.5, 179.5), 19_936_288.579),
            (at(0.0, 179.999), at(0.0, -179.999), 222.638_982),
            (at(90.0, 0.0), at(90.0, 123.0), 0.0),
            (at(90.0, 10.0), at(-90.0, -170.0), 2.0 * quarter),
            (at(47.0, 9.0), at(47.0, 9.0), 0.0),
        ] {
            let found = distance(from, to);
            assert!((found - metres).abs() < 0.001, "{from:?} to {to:?}: {found}");
            assert!((distance(to, from) - found).abs() < 1e-6);
        }
    }

    #[test]
    fn short_ways_are_as_good_as_geodesics() {
        let earth = Geodesic::wgs84();
        for lat in [-79.99, -45.0, 0.0, 30.0, 60.0, 79.99] {
            for (north, east) in [(0.0049, 0.0), (0.0, 0.0049), (0.0049, -0.0049), (1e-6, 2e-6), (0.0, 1e-7)] {
                let (from, to) = (at(lat, 9.0), at(lat + north, 9.0 + east));
                let exact: f64 = earth.inverse(from.lat, from.lon, to.lat, to.lon);
                let error = (distance(from, to) / exact - 1.0).abs();
                assert!(error < 5e-8 || (distance(from, to) - exact).abs() < 1e-8, "at {lat}: {error}");
            }
        }
    }

    #[test]
    fn the_middle_is_on_the_geodesic() {
        for (from, to) in [
            (at(60.0, 10.0), at(60.0, 30.0)),
            (at(10.0, 179.0), at(11.0, -179.0)),
            (at(89.0, 0.0), at(89.0, 180.0)),
            (at(47.0, 9.0), at(47.001, 9.001)),
            (at(47.0, 179.9999), at(47.0, -179.9999)),
        ] {
            let (middle, whole) = (between(from, to, 0.5), distance(from, to));
            assert!(middle.is_on_earth());
            for half in [distance(from, middle), distance(middle, to)] {
                assert!((half - whole / 2.0).abs() < 1e-3, "{from:?} to {to:?} by {middle:?}");
            }
        }
        let (low, high) = (Point { ele: Some(1.0), ..at(0.0, 0.0) }, Point { ele: Some(5.0), ..at(0.0, 0.001) });
        assert_eq!(between(low, high, 0.25).ele, Some(2.0));
        assert_eq!(between(low, at(0.0, 0.001), 0.25).ele, None);
        assert_eq!((between(low, high, 0.0), between(low, high, 1.0)), (low, high));
    }

    #[test]
    fn coordinates_out_of_range_are_seen() {
        for bad in [at(90.1, 0.0), at(0.0, -180.1), at(f64::NAN, 0.0), at(0.0, f64::INFINITY)] {
            assert!(!bad.is_on_earth());
        }
        assert!(at(-90.0, 180.0).is_on_earth());
    }
}
