//! The lines of the days, put together of the trip's source line and what was added to it.

use crate::{
    Leg, Line, Point, Stage, Trip, distance, elevation,
    geo::{Path, between},
};

/// Metres between two ends that are one place.
const TOUCH: f64 = 1.0;

impl Trip {
    /// The line of each day, in order; a rest day's is empty. Elevations that no road has are left out.
    ///
    /// `source` is the line that the days refer to.
    pub fn day_lines(&self, source: &Line) -> Vec<Line> {
        let path = Path::new(source);
        let tracks: Vec<_> =
            path.tracks().map(|(points, along)| Track { points: elevation::cleaned(points, along), along }).collect();
        self.stages.iter().map(|stage| line(stage, &tracks)).collect()
    }
}

/// A track of the source line, with each point's metres from the start of the whole.
struct Track<'a> {
    points: Vec<Point>,
    along: &'a [f64],
}

impl Track<'_> {
    /// The part between two distances from the start of the whole; empty when there is none.
    fn part(&self, from: f64, to: f64) -> Vec<Point> {
        let (Some(first), Some(last)) = (self.along.first(), self.along.last()) else { return Vec::new() };
        let (from, to) = (from.max(*first), to.min(*last));
        if from >= to {
            return Vec::new();
        }
        let inner = self.along.partition_point(|&along| along <= from)..self.along.partition_point(|&along| along < to);
        let ends = [self.at(from), self.at(to)];
        std::iter::once(ends[0]).chain(self.points[inner].iter().copied()).chain([ends[1]]).collect()
    }

    /// The place at a distance that is within the track.
    fn at(&self, metres: f64) -> Point {
        let next = self.along.partition_point(|&along| along < metres).clamp(1, self.along.len() - 1);
        let (from, to) = (self.along[next - 1], self.along[next]);
        if to > from {
            between(self.points[next - 1], self.points[next], (metres - from) / (to - from))
        } else {
            self.points[next]
        }
    }
}

fn line(stage: &Stage, tracks: &[Track<'_>]) -> Line {
    let mut line = Line::default();
    for leg in &stage.legs {
        match *leg {
            Leg::Source { from, to } => tracks.iter().for_each(|track| append(&mut line, track.part(from, to))),
            Leg::Straight { from, to } => append(&mut line, vec![from, to]),
        }
    }
    line
}

/// Adds a part: to the track before it when that ends where it begins, else beyond a gap.
fn append(line: &mut Line, part: Vec<Point>) {
    let Some(&first) = part.first() else { return };
    match line.tracks.last_mut() {
        Some(track) if track.last().is_some_and(|&last| distance(last, first) < TOUCH) => {
            track.extend(part.into_iter().skip(1));
        }
        _ => line.tracks.push(part),
    }
}
