//! A line with the distance of each of its points from the start.

mod near;

pub(crate) use near::Near;

use super::{Line, Point, between, distance};

/// All tracks one after the other; a gap between two of them has no length.
pub(crate) struct Path<'a> {
    tracks: Vec<&'a [Point]>,
    points: Vec<Point>,
    /// Metres from the start, one for each point.
    along: Vec<f64>,
}

impl<'a> Path<'a> {
    pub(crate) fn new(line: &'a Line) -> Self {
        let count = line.tracks.iter().map(Vec::len).sum();
        let mut path = Self {
            tracks: line.tracks.iter().map(Vec::as_slice).filter(|track| !track.is_empty()).collect(),
            points: Vec::with_capacity(count),
            along: Vec::with_capacity(count),
        };
        let mut metres = 0.0;
        for track in &path.tracks {
            for (index, point) in track.iter().enumerate() {
                if index > 0 {
                    metres += distance(track[index - 1], *point);
                }
                path.points.push(*point);
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
        if next == 0 {
            return self.points.first().copied();
        }
        self.points.get(next).map(|&to| self.part(next - 1, to, metres)).or_else(|| self.points.last().copied())
    }

    /// Where one goes on after so many metres: behind the gap when there is one. `None` on an empty line.
    pub(crate) fn go_at(&self, metres: f64) -> Option<Point> {
        let next = self.along.partition_point(|&along| along <= metres);
        if next == 0 {
            return self.points.first().copied();
        }
        self.points.get(next).map(|&to| self.part(next - 1, to, metres)).or_else(|| self.points.last().copied())
    }

    fn part(&self, index: usize, to: Point, metres: f64) -> Point {
        let (from, end) = (self.along[index], self.along[index + 1]);
        if end > from { between(self.points[index], to, (metres - from) / (end - from)) } else { to }
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
