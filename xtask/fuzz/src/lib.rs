#![doc = include_str!("../README.md")]

use btp_domain::route::FetchedRoute;

/// A route has at least two points, on Earth, with elevations that are numbers.
pub fn can_be_followed(route: &FetchedRoute) {
    let points = || route.line.tracks.iter().flatten();
    assert!(points().count() >= 2);
    assert!(points().all(|point| point.lat.abs() <= 90.0 && point.lon.abs() <= 180.0));
    assert!(points().filter_map(|point| point.ele).all(f64::is_finite));
}
