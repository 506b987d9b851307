//! How much each limit lets through here.

use std::collections::BTreeMap;

use crate::Limit;

/// The figures of every limit: as published, but for those that an operator changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures(BTreeMap<&'static str, (u32, u32)>);

/// The named limits are `(count, seconds)` instead.
impl From<BTreeMap<&'static str, (u32, u32)>> for Figures {
    fn from(overrides: BTreeMap<&'static str, (u32, u32)>) -> Self {
        Self(overrides)
    }
}

impl Figures {
    /// How many of `limit` are let through…
    pub fn count(&self, limit: &Limit) -> u32 {
        self.of(limit).0
    }

    /// …in any window of this many milliseconds.
    pub fn span(&self, limit: &Limit) -> i64 {
        i64::from(self.of(limit).1) * 1000
    }

    fn of(&self, limit: &Limit) -> (u32, u32) {
        self.0.get(limit.name).copied().unwrap_or((limit.count, limit.seconds))
    }
}
