//! What a rider should know about a day. What follows from the trip alone is derived when it is read, never stored.

use crate::{Stage, Trip, pacing, trip::names};

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

impl Trip {
    /// The alerts of one of its days.
    pub fn alerts(&self, stage: &Stage) -> Vec<Alert> {
        // An author's own cut is not measured by the cap: only dates that are too short are.
        let squeezed = self.warnings.iter().any(|warning| warning.code == pacing::DATES_TOO_SHORT);
        if !squeezed || stage.is_rest_day || !pacing::is_over_cap(stage.distance, stage.ascent, &self.settings) {
            return Vec::new();
        }
        let (cap, effort) =
            (self.settings.max_distance_per_day, pacing::effort(stage.distance, stage.ascent, &self.settings));
        let message = format!(
            "With its climbing this day counts for {effort:.0} km, over the cap of {cap} km: the dates leave too few days."
        );
        vec![Alert { code: "pacing_over_cap", severity: Severity::Warning, group: "pacing", message }]
    }
}
