//! What a rider should know about a day. What follows from the trip alone is derived when it is read, never stored.

use crate::{Stage, Trip, distance, pacing, trip::names};

names! {
    /// How much an alert matters.
    Severity {
        /// The day cannot be ridden as it is.
        Critical = "critical",
        /// Think about it.
        Warning = "warning",
        /// Good to know.
        Nudge = "nudge",
    }
}

/// Something a rider should know about a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alert {
    /// Stable name of the rule.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// The producer's group.
    pub group: &'static str,
    /// A sentence in English.
    pub message: String,
}

/// A gap of so many metres between two days is worth a look…
const SMALL_GAP: f64 = 100.0;
/// …and one of so many breaks the way.
const GAP: f64 = 500.0;

impl Trip {
    /// The alerts of one of its days, most severe first.
    pub fn alerts(&self, stage: &Stage) -> Vec<Alert> {
        let mut alerts: Vec<_> = self.gap_after(stage).into_iter().chain(self.over_cap(stage)).collect();
        alerts.sort_by_key(|alert| alert.severity);
        alerts
    }

    /// Whether the next day starts elsewhere than where this one ends.
    fn gap_after(&self, stage: &Stage) -> Option<Alert> {
        let index = self.stages.iter().position(|day| day.id == stage.id)?;
        let gap = distance(stage.end, self.stages.get(index + 1)?.start);
        let (code, severity) = match gap {
            GAP.. => ("continuity_gap_critical", Severity::Critical),
            SMALL_GAP.. => ("continuity_gap_warning", Severity::Warning),
            _ => return None,
        };
        let message = format!("The way is broken after this day: the next one starts {gap:.0} m from where it ends.");
        Some(Alert { code, severity, group: "continuity", message })
    }

    /// Whether the dates ask for too much on this day.
    fn over_cap(&self, stage: &Stage) -> Option<Alert> {
        // An author's own cut is not measured by the cap: only dates that are too short are.
        let squeezed = self.warnings.iter().any(|warning| warning.code == pacing::DATES_TOO_SHORT);
        if !squeezed || stage.is_rest_day || !pacing::is_over_cap(stage.distance, stage.ascent, &self.settings) {
            return None;
        }
        let (cap, effort) =
            (self.settings.max_distance_per_day, pacing::effort(stage.distance, stage.ascent, &self.settings));
        let message = format!(
            "With its climbing this day counts for {effort:.0} km, over the cap of {cap} km: the dates leave too few days."
        );
        Some(Alert { code: "pacing_over_cap", severity: Severity::Warning, group: "pacing", message })
    }
}
