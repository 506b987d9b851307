//! The trip's source line as edits see it.

use crate::{
    Leg, Line, Point,
    elevation::{Profile, known_elevation},
    geo::{Near, Path},
    pacing::{self, CutError},
};

/// A place within so many metres of the line is on it.
pub(super) const ON_THE_LINE: f64 = 200.0;
/// Passes whose distances differ by less are equally near: the one that changes the day least is meant.
const AS_NEAR: f64 = 25.0;

/// The line with its distances and its climbing.
pub(crate) struct Ground<'a> {
    path: Path<'a>,
    profile: Option<Profile>,
}

impl<'a> Ground<'a> {
    /// Of a line that was cut before.
    ///
    /// # Errors
    /// As [`pacing::cut`], for a line that cannot be cut.
    pub(crate) fn of(line: &'a Line) -> Result<Self, CutError> {
        let (path, profile) = pacing::survey(line)?;
        Ok(Self { path, profile })
    }

    /// Metres from its start to its end.
    pub(super) fn length(&self) -> f64 {
        self.path.length()
    }

    /// Where a leg starts.
    pub(super) fn start(&self, leg: Leg) -> Point {
        match leg {
            Leg::Straight { from, .. } => from,
            Leg::Source { from, .. } => self.go_at(from),
        }
    }

    /// Where a leg ends.
    pub(super) fn end(&self, leg: Leg) -> Point {
        match leg {
            Leg::Straight { to, .. } => to,
            Leg::Source { to, .. } => self.stop_at(to),
        }
    }

    /// Where one stops after so many metres.
    pub(super) fn stop_at(&self, metres: f64) -> Point {
        measured(self.path.stop_at(metres))
    }

    /// Where one goes on after so many metres.
    pub(super) fn go_at(&self, metres: f64) -> Point {
        measured(self.path.go_at(metres))
    }

    /// Metres climbed and descended between two places; `None` when unknown.
    pub(super) fn climbed(&self, from: f64, to: f64) -> Option<(f64, f64)> {
        self.profile.as_ref()?.between(from, to)
    }

    /// Where on the line, between `from` and `to`, `point` is: of several passes the one nearest to `wish`. `None` when it
    /// is not on that part of the line.
    pub(super) fn on_line(&self, point: Point, from: f64, to: f64, wish: f64) -> Option<f64> {
        // Passes of the whole line: the end of a part is not near because the line beyond it is.
        let mut passes = self.path.passes(point, ON_THE_LINE);
        passes.retain(|pass| (from..=to).contains(&pass.at));
        let best = passes.iter().map(|pass| pass.off).fold(f64::INFINITY, f64::min);
        let near = passes.iter().filter(|pass| pass.off <= best + AS_NEAR).map(|pass| pass.at);
        near.min_by(|a, b| (a - wish).abs().total_cmp(&(b - wish).abs()))
    }

    /// Where on the line, between `from` and `to`, one is nearest to `point`.
    pub(super) fn nearest(&self, point: Point, from: f64, to: f64) -> Option<f64> {
        self.path.nearest(point, from, to).map(|Near { at, .. }| at)
    }
}

/// A line that was cut has points; elevation only where it was measured.
fn measured(place: Option<Point>) -> Point {
    let point = place.unwrap_or(Point { lat: 0.0, lon: 0.0, ele: None });
    Point { ele: point.ele.and_then(known_elevation), ..point }
}
