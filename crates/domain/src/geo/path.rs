//! A line with the distance of each of its points from the start.

mod near;

pub(crate) use near::Near;

use super::{Line, Point, between, distance};

/// All tracks one after the other; a gap between two of them has no length.
pub(crate) struct Path<'a> {
    tracks: Vec<&'a [Point]>,
    /// Metres from the start, one for each point.
    along: Vec<f64>,
}

impl<'a> Path<'a> {
    pub(crate) fn new(line: &'a Line) -> Self {
        let count = line.tracks.iter().map(Vec::len).sum();
        let mut path = Self {
            tracks: line.tracks.iter().map(Vec::as_slice).filter(|track| !track.is_empty()).collect(),
            along: Vec::with_capacity(count),
        };
        let mut metres = 0.0;
        for track in &path.tracks {
            for (index, point) in track.iter().enumerate() {
                if index > 0 {
                    metres += distance(track[index - 1], *point);
                }
                path.along.push(metres);
            }
        }
        path
    }

    /// Metres from the first to the last point.
    pub(crate) fn length(&self) -> f64 {
        self.along.last().copied().unwrap_or(0.0)
    }

    /// Each track's points with their distances from the start of the whole.
    pub(crate) fn tracks(&self) -> impl Iterator<Item = (&'a [Point], &[f64])> {
        let mut from = 0;
        self.tracks.iter().map(move |track| {
            let along = &self.along[from..from + track.len()];
            from += track.len();
            (*track, along)
        })
    }

    /// Where one stops after so many metres: before the gap when there is one. `None` on an empty line.
    pub(crate) fn stop_at(&self, metres: f64) -> Option<Point> {
        let next = self.along.partition_point(|&along| along < metres);
        self.point_before(next, metres)
    }

    /// Where one goes on after so many metres: behind the gap when there is one. `None` on an empty line.
    pub(crate) fn go_at(&self, metres: f64) -> Option<Point> {
        let next = self.along.partition_point(|&along| along <= metres);
        self.point_before(next, metres)
    }

    /// The place after so many metres, on the way to the point with the number `next`.
    fn point_before(&self, next: usize, metres: f64) -> Option<Point> {
        let last = self.along.len().checked_sub(1)?;
        let Some(before) = next.checked_sub(1).filter(|_| next <= last) else { return self.point(next.min(last)) };
        let (from, end) = (self.along[before], self.along[next]);
        let (start, to) = (self.point(before)?, self.point(next)?);
        Some(if end > from { between(start, to, (metres - from) / (end - from)) } else { to })
    }

    /// The point with this number; skips whole tracks, not points.
    fn point(&self, number: usize) -> Option<Point> {
        self.tracks.iter().flat_map(|track| track.iter()).nth(number).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(lons: &[f64]) -> Vec<Point> {
        lons.iter().map(|&lon| Point { lat: 0.0, lon, ele: None }).collect()
    }

    #[test]
    fn gaps_have_no_length_and_two_sides() {
        let line = Line { tracks: vec![track(&[0.0, 1.0]), Vec::new(), track(&[5.0]), track(&[7.0, 7.0, 8.0])] };
        let path = Path::new(&line);
        let degree = path.length() / 2.0;
        assert!((degree - 111_319.490_793).abs() < 1e-3);
        let lon = |point: Option<Point>| (point.unwrap().lon * 1e6).round() / 1e6;
        assert_eq!((lon(path.stop_at(degree)), lon(path.go_at(degree))), (1.0, 7.0));
        assert_eq!((lon(path.stop_at(degree * 1.5)), lon(path.go_at(degree * 1.5))), (7.5, 7.5));
        assert_eq!((lon(path.stop_at(0.0)), lon(path.go_at(0.0))), (0.0, 0.0));
        assert_eq!((lon(path.stop_at(1e9)), lon(path.go_at(1e9))), (8.0, 8.0));
        assert_eq!((lon(path.stop_at(-1.0)), lon(path.go_at(-1.0))), (0.0, 0.0));
        assert_eq!(
            path.tracks().map(|(track, along)| (track.len(), along.len())).collect::<Vec<_>>(),
            [(2, 2), (1, 1), (3, 3)]
        );
    }

    #[test]
    fn an_empty_line_has_no_places() {
        let line = Line::default();
        let path = Path::new(&line);
        assert_eq!((path.length(), path.stop_at(0.0), path.go_at(0.0)), (0.0, None, None));
    }
}
