//! How much a line climbs: one continuous profile of the whole line.
//!
//! What is no measurement is left out, short holes are bridged, the rest is resampled by distance and smoothed, and only
//! reversals larger than the noise count. So neither the sampling of a recording nor its noise changes the result much.

mod climb;
mod samples;

use crate::geo::Path;

pub(crate) use samples::cleaned;
pub use samples::known_elevation;

/// Ascent and descent along a line, in metres, from its start to any place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Profile {
    /// In order of `at`; starts with zeros at the start and ends with the totals at the end.
    nodes: Vec<Node>,
    /// Metres from the start between which elevation is known.
    known: Vec<(f64, f64)>,
}

/// What was climbed up to a place; straight in between.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Node {
    at: f64,
    up: f64,
    down: f64,
}

impl Profile {
    /// The profile of the path; `None` when more than half of it has no usable elevation.
    pub(crate) fn of(path: &Path<'_>) -> Option<Self> {
        let length = path.length();
        let mut measured = 0.0;
        let mut runs = Vec::new();
        for (points, along) in path.tracks() {
            let samples = samples::usable(points, along);
            measured += samples.measured;
            runs.extend(samples.runs.into_iter().filter(|run| run[run.len() - 1].at > run[0].at));
        }
        if measured * 2.0 < length || runs.is_empty() {
            return None;
        }
        let mut profile = Self { nodes: vec![Node::default()], known: Vec::with_capacity(runs.len()) };
        let step = climb::step(length);
        for run in &runs {
            profile.known.push((run[0].at, run[run.len() - 1].at));
            profile.add(run, step);
        }
        let last = profile.nodes[profile.nodes.len() - 1];
        profile.nodes.push(Node { at: length, ..last });
        Some(profile)
    }

    fn add(&mut self, run: &[samples::Sample], step: f64) {
        let base = self.nodes[self.nodes.len() - 1];
        self.nodes.push(Node { at: run[0].at, ..base });
        let climbed = climb::climb(run, step);
        self.nodes.extend(climbed.into_iter().map(|node| Node {
            at: node.at,
            up: base.up + node.up,
            down: base.down + node.down,
        }));
    }

    /// Metres climbed and descended between two places; `None` when more than half of the way, and more than a hole that
    /// is bridged, is unknown.
    pub(crate) fn between(&self, from: f64, to: f64) -> Option<(f64, f64)> {
        let known: f64 = self.known.iter().map(|&(start, end)| (end.min(to) - start.max(from)).max(0.0)).sum();
        let (start, end) = (self.at(from), self.at(to));
        let unknown = to - from - known;
        let is_known = unknown <= samples::LONGEST_HOLE || unknown * 2.0 <= to - from;
        is_known.then_some((end.up - start.up, end.down - start.down))
    }

    /// Whether some of the line has no elevation.
    pub(crate) fn has_holes(&self) -> bool {
        let known: f64 = self.known.iter().map(|(start, end)| end - start).sum();
        let length = self.nodes[self.nodes.len() - 1].at;
        length - known > samples::LONGEST_HOLE
    }

    /// Metres climbed in all.
    pub(crate) fn ascent(&self) -> f64 {
        self.nodes[self.nodes.len() - 1].up
    }

    /// The place where `metres + up × weight` reaches `sum`; that expression never falls.
    pub(crate) fn place_of(&self, sum: f64, weight: f64) -> f64 {
        let value = |node: &Node| node.at + node.up * weight;
        let next = self.nodes.partition_point(|node| value(node) < sum);
        let (Some(before), Some(after)) = (next.checked_sub(1).and_then(|i| self.nodes.get(i)), self.nodes.get(next))
        else {
            return if next == 0 { 0.0 } else { self.nodes[self.nodes.len() - 1].at };
        };
        let (low, high) = (value(before), value(after));
        before.at + (after.at - before.at) * (sum - low) / (high - low)
    }

    fn at(&self, metres: f64) -> Node {
        let next = self.nodes.partition_point(|node| node.at < metres);
        let Some(after) = self.nodes.get(next) else { return self.nodes[self.nodes.len() - 1] };
        let Some(before) = next.checked_sub(1).map(|index| self.nodes[index]) else { return *after };
        let part = if after.at > before.at { (metres - before.at) / (after.at - before.at) } else { 1.0 };
        let mix = |a: f64, b: f64| a + (b - a) * part;
        Node { at: metres, up: mix(before.up, after.up), down: mix(before.down, after.down) }
    }
}
