//! A clock that moves when told.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use btp_kernel::{Clock, Timestamp};

/// A clock for tests; starts at 2026-06-01T08:00:00Z.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl Default for ManualClock {
    fn default() -> Self {
        Self(AtomicI64::new(1_780_300_800_000))
    }
}

impl ManualClock {
    /// Moves it forward.
    pub fn advance(&self, by: Duration) {
        self.0.store(self.now().plus(by).as_millis(), Ordering::SeqCst);
    }

    /// Sets it.
    pub fn set(&self, to: Timestamp) {
        self.0.store(to.as_millis(), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}
