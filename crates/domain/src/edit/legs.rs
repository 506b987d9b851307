//! What a day's line is made of, and what follows from it.

use super::ground::Ground;
use crate::{GeometryQuality, Leg, Point, Stage, StageId, distance, geo::between, pacing::Day};

/// Places less than so many metres apart are one.
pub(super) const SAME_PLACE: f64 = 1.0;
/// No day and no rest of one is shorter, in metres: kilometres are shown with two decimals.
pub(super) const SHORTEST: f64 = 10.0;

impl Stage {
    /// A day of which nothing follows yet.
    pub(super) fn unmeasured(id: StageId, start: Point, end: Point, legs: Vec<Leg>) -> Self {
        Self {
            id,
            distance: 0.0,
            ascent: None,
            descent: None,
            start,
            end,
            label: None,
            start_label: None,
            end_label: None,
            is_rest_day: legs.is_empty(),
            legs,
            quality: GeometryQuality::Source,
        }
    }

    /// A day as it was cut.
    pub(crate) fn ridden(id: StageId, day: &Day) -> Self {
        let legs = vec![Leg::Source { from: day.from, to: day.to }];
        let (distance, ascent, descent) = (day.distance(), day.ascent, day.descent);
        Self { distance, ascent, descent, ..Self::unmeasured(id, day.start, day.end, legs) }
    }

    /// Sets what follows from the legs: both ends, distance, climbing, quality. Without legs nothing does.
    pub(super) fn measure(&mut self, ground: &Ground<'_>) {
        let (Some(&first), Some(&last)) = (self.legs.first(), self.legs.last()) else { return };
        let (start, end) = (ground.start(first), ground.end(last));
        if !is_same(start, self.start) {
            self.start_label = None;
        }
        if !is_same(end, self.end) {
            self.end_label = None;
        }
        (self.start, self.end) = (start, end);
        self.distance = self.legs.iter().map(Leg::length).sum();
        let straight: f64 = self.legs.iter().filter(|leg| matches!(leg, Leg::Straight { .. })).map(Leg::length).sum();
        self.quality = if straight > 0.0 { GeometryQuality::StraightLine } else { GeometryQuality::Source };
        // Nobody knows what a straight line climbs; a day that is mostly such has no known climbing.
        let sum = self.legs.iter().filter_map(Leg::source).try_fold((0.0, 0.0), |(up, down), (from, to)| {
            ground.climbed(from, to).map(|climbed| (up + climbed.0, down + climbed.1))
        });
        let sum = sum.filter(|_| straight * 2.0 <= self.distance);
        (self.ascent, self.descent) = (sum.map(|it| it.0), sum.map(|it| it.1));
    }
}

impl Leg {
    /// Metres.
    pub fn length(&self) -> f64 {
        match *self {
            Self::Source { from, to } => to - from,
            Self::Straight { from, to } => distance(from, to),
        }
    }

    pub(super) fn source(&self) -> Option<(f64, f64)> {
        match *self {
            Self::Source { from, to } => Some((from, to)),
            Self::Straight { .. } => None,
        }
    }
}

pub(super) fn is_same(a: Point, b: Point) -> bool {
    distance(a, b) < SAME_PLACE
}

pub(super) fn length(legs: &[Leg]) -> f64 {
    legs.iter().map(Leg::length).sum()
}

/// The straight way between two places, if there is any.
pub(super) fn straight(from: Point, to: Point) -> Option<Leg> {
    (!is_same(from, to)).then_some(Leg::Straight { from, to })
}

/// One way of two: ways aside from the line and back to it are left out, what lies apart is joined by a straight line.
pub(super) fn join(first: &[Leg], second: &[Leg], ground: &Ground<'_>) -> Vec<Leg> {
    let (mut legs, mut rest) = (first.to_vec(), second);
    loop {
        match (legs.last().copied(), rest.first().copied()) {
            (Some(Leg::Straight { from, to }), Some(Leg::Straight { from: back, to: again }))
                if is_same(to, back) && is_same(from, again) =>
            {
                legs.pop();
                rest = &rest[1..];
            }
            (Some(Leg::Source { from, to }), Some(Leg::Source { from: on, to: end })) if to == on => {
                legs.pop();
                legs.push(Leg::Source { from, to: end });
                rest = &rest[1..];
                break;
            }
            (Some(last), Some(next)) => {
                legs.extend(straight(ground.end(last), ground.start(next)));
                break;
            }
            _ => break,
        }
    }
    legs.extend(rest);
    legs
}

/// The way up to `metres`, and the rest of it.
pub(super) fn split(legs: &[Leg], metres: f64) -> (Vec<Leg>, Vec<Leg>) {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut left = metres;
    for &leg in legs {
        let length = leg.length();
        if left >= length {
            before.push(leg);
        } else if left <= 0.0 {
            after.push(leg);
        } else {
            let (head, tail) = match leg {
                Leg::Source { from, to } => {
                    (Leg::Source { from, to: from + left }, Leg::Source { from: from + left, to })
                }
                Leg::Straight { from, to } => {
                    let middle = between(from, to, left / length);
                    (Leg::Straight { from, to: middle }, Leg::Straight { from: middle, to })
                }
            };
            before.push(head);
            after.push(tail);
        }
        left -= length;
    }
    (before, after)
}
