//! Parts of a line.

use super::{Path, Point, between};

impl Path<'_> {
    /// The line between two distances from its start: one track for each stretch without a gap.
    pub(crate) fn slice(&self, from: f64, to: f64) -> Vec<Vec<Point>> {
        self.tracks().filter_map(|(points, along)| part(points, along, from, to)).collect()
    }
}

fn part(points: &[Point], along: &[f64], from: f64, to: f64) -> Option<Vec<Point>> {
    let (first, last) = (along.first()?.max(from), along.last()?.min(to));
    if last <= first {
        return None;
    }
    let (after, before) = (along.partition_point(|&at| at <= first), along.partition_point(|&at| at < last));
    let at = |next: usize, metres: f64| {
        let (start, end) = (along[next - 1], along[next]);
        between(points[next - 1], points[next], (metres - start) / (end - start))
    };
    let inner = points[after..before].iter().copied();
    Some(std::iter::once(at(after, first)).chain(inner).chain([at(before, last)]).collect())
}

#[cfg(test)]
mod tests {
    use crate::{Line, distance};

    use super::*;

    fn track(lons: &[f64]) -> Vec<Point> {
        lons.iter().map(|&lon| Point { lat: 0.0, lon, ele: None }).collect()
    }

    #[test]
    fn a_slice_has_the_length_asked_for_and_the_points_between() {
        let line = Line { tracks: vec![track(&[0.0, 1.0, 1.0, 2.0]), track(&[5.0]), track(&[7.0, 8.0])] };
        let path = Path::new(&line);
        let degree = path.length() / 3.0;
        let lons = |from: f64, to: f64| {
            let rounded = |point: &Point| (point.lon * 1e6).round() / 1e6;
            let slice = path.slice(from * degree, to * degree);
            slice.iter().map(|track| track.iter().map(rounded).collect()).collect::<Vec<Vec<_>>>()
        };
        assert_eq!(lons(0.0, 3.0), [vec![0.0, 1.0, 1.0, 2.0], vec![7.0, 8.0]]);
        assert_eq!(lons(0.25, 0.75), [[0.25, 0.75]]);
        assert_eq!(lons(0.5, 2.5), [vec![0.5, 1.0, 1.0, 2.0], vec![7.0, 7.5]]);
        assert_eq!(lons(1.0, 1.5)[0], [1.0, 1.5], "from a point on");
        assert_eq!(lons(2.0, 3.0), [[7.0, 8.0]], "behind the gap");
        assert_eq!(lons(1.5, 2.0), [[1.5, 2.0]], "before the gap");
        assert_eq!(lons(1.0, 1.0).len() + lons(3.0, 4.0).len() + lons(2.0, 1.0).len(), 0);
        let part = &path.slice(0.3 * degree, 1.7 * degree)[0];
        let length: f64 = part.windows(2).map(|pair| distance(pair[0], pair[1])).sum();
        assert!((length - 1.4 * degree).abs() < 1e-3, "{length}");
    }
}
