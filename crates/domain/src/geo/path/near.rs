//! Where a line comes near a place. Nearness is to its segments, never to its points alone.

use super::{Path, Point, between, distance};

/// A place of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Near {
    /// Metres from the start of the line.
    pub(crate) at: f64,
    /// Metres from the place that was asked for.
    pub(crate) off: f64,
}

/// Metres of a degree of latitude, as far as that matters for leaving out what is far away.
const DEGREE: f64 = 111_000.0;

impl Path<'_> {
    /// The nearest place of each pass of the line by `point` within `radius` metres, in order.
    pub(crate) fn passes(&self, point: Point, radius: f64) -> Vec<Near> {
        let (from, to) = (0.0, self.length());
        let mut passes: Vec<Near> = Vec::new();
        let mut before = None;
        for index in self.segments(from, to) {
            let Some(near) = self.near(index, point, radius, from, to).filter(|near| near.off <= radius) else {
                continue;
            };
            match passes.last_mut() {
                // What follows a near segment without a gap is the same pass.
                Some(pass) if before.is_some_and(|before| self.is_one_way(before, index)) => {
                    if near.off < pass.off {
                        *pass = near;
                    }
                }
                _ => passes.push(near),
            }
            before = Some(index);
        }
        passes
    }

    /// The nearest place of the line between two distances from its start; `None` when there is nothing between them.
    pub(crate) fn nearest(&self, point: Point, from: f64, to: f64) -> Option<Near> {
        self.segments(from, to).fold(None, |best: Option<Near>, index| {
            let radius = best.map_or(f64::INFINITY, |best| best.off);
            match self.near(index, point, radius, from, to) {
                Some(near) if near.off < radius => Some(near),
                _ => best,
            }
        })
    }

    /// Indexes of the points that begin a segment with some length between `from` and `to`.
    fn segments(&self, from: f64, to: f64) -> impl Iterator<Item = usize> {
        let first = self.along.partition_point(|&at| at <= from).saturating_sub(1);
        let last = if from < to { self.along.partition_point(|&at| at < to) } else { first };
        (first..last.min(self.along.len().saturating_sub(1))).filter(|&index| self.along[index + 1] > self.along[index])
    }

    /// Whether nothing but points of one place lie between two segments.
    fn is_one_way(&self, before: usize, index: usize) -> bool {
        let apart = self.point(before + 1).zip(self.point(index)).map(|(end, start)| distance(end, start));
        self.along[index] <= self.along[before + 1] && apart.is_some_and(|apart| apart < 1.0)
    }

    /// The nearest place of one segment; `None` when it is surely not within `radius`.
    fn near(&self, index: usize, point: Point, radius: f64, from: f64, to: f64) -> Option<Near> {
        let (start, end) = (self.point(index)?, self.point(index + 1)?);
        let (begin, length) = (self.along[index], self.along[index + 1] - self.along[index]);
        let [east, north] = flat(point, start);
        // Twice as far on a flat map of the surroundings is farther on the globe.
        if east.hypot(north) * DEGREE > 2.0 * (radius + length) {
            return None;
        }
        let fraction = |metres: f64| ((metres - begin) / length).clamp(0.0, 1.0);
        let (mut low, mut high) = (fraction(from), fraction(to));
        let mut best = low;
        // Flat is exact for the short segments of roads; for a long one, look closer at the part around the best guess.
        for _ in 0..if length < 1000.0 { 1 } else { 12 } {
            best = low + (high - low) * foot(point, between(start, end, low), between(start, end, high));
            let part = (high - low) / 4.0;
            (low, high) = ((best - part).max(low), (best + part).min(high));
        }
        Some(Near { at: begin + length * best, off: distance(point, between(start, end, best)) })
    }
}

/// `other` as seen from `origin`, in degrees of latitude east and north.
fn flat(origin: Point, other: Point) -> [f64; 2] {
    let east = (other.lon - origin.lon + 540.0).rem_euclid(360.0) - 180.0;
    [east * origin.lat.to_radians().cos(), other.lat - origin.lat]
}

/// Where between `start` (0) and `end` (1) the nearest place is, on a flat map around `point`.
fn foot(point: Point, start: Point, end: Point) -> f64 {
    let ([ax, ay], [bx, by]) = (flat(point, start), flat(point, end));
    let (dx, dy) = (bx - ax, by - ay);
    let square = dx * dx + dy * dy;
    if square > 0.0 { (-(ax * dx + ay * dy) / square).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use crate::Line;

    use super::*;

    fn at(lat: f64, lon: f64) -> Point {
        Point { lat, lon, ele: None }
    }

    fn line(places: &[(f64, f64)]) -> Line {
        Line { tracks: vec![places.iter().map(|&(lat, lon)| at(lat, lon)).collect()] }
    }

    #[test]
    fn nearness_is_to_segments() {
        let line = line(&[(47.0, 9.0), (47.0, 9.01), (47.01, 9.01)]);
        let path = Path::new(&line);
        let near = path.nearest(at(47.001, 9.005), 0.0, path.length()).unwrap();
        assert!((near.at - 380.0).abs() < 1.0, "the middle of a segment: {near:?}");
        assert!((near.off - 111.2).abs() < 0.2, "{near:?}");
        let far = path.nearest(at(-33.0, 151.0), 0.0, path.length()).unwrap();
        assert!(far.off > 1e7 && path.passes(at(-33.0, 151.0), 200.0).is_empty());
        let bounded = path.nearest(at(47.001, 9.005), 500.0, 600.0).unwrap();
        assert!((bounded.at - 500.0).abs() < 0.01, "not before the bound: {bounded:?}");
        assert_eq!(path.nearest(at(47.0, 9.0), 5e6, 6e6), None);
    }

    #[test]
    fn long_segments_and_the_date_line_are_no_trap() {
        for (start, end) in [(at(60.0, 179.0), at(61.0, -178.0)), (at(10.0, 0.0), at(60.0, 40.0))] {
            let line = Line { tracks: vec![vec![start, end]] };
            let path = Path::new(&line);
            for part in [0.1, 0.5, 0.77] {
                let place = between(start, end, part);
                let near = path.nearest(place, 0.0, path.length()).unwrap();
                assert!(near.off < 50.0, "{part} of {start:?} to {end:?}: {near:?}");
                assert!((near.at - part * path.length()).abs() < 500.0, "{near:?}");
            }
        }
    }

    #[test]
    fn each_pass_counts_once() {
        // Out along the equator and back 100 m north of it, then far away and across.
        let line = line(&[
            (0.0, 0.0),
            (0.0, 0.01),
            (0.0, 0.02),
            (0.0, 0.1),
            (0.0009, 0.1),
            (0.0009, 0.0),
            (0.1, 0.0),
            (0.1, 0.01),
            (-0.1, 0.01),
        ]);
        let path = Path::new(&line);
        let passes = path.passes(at(0.0, 0.01), 200.0);
        assert_eq!(passes.len(), 3, "{passes:?}");
        assert!(passes[0].off < 0.01 && (passes[1].off - 99.5).abs() < 1.0 && passes[2].off < 0.01);
        assert!(passes.windows(2).all(|pair| pair[0].at < pair[1].at));
    }
}
