//! Days that were read before. An agent reads a trip again and again, and its days change seldom: with them at hand a read
//! is one statement instead of a transaction of two. Whether they are those of now is asked of the database each time.

use std::sync::Arc;

use btp_domain::{Stage, Trip};
use quick_cache::{Weighter, sync::Cache};

/// Days kept of all trips together, some twenty megabytes; the trips not read for longest make room.
const MOST_DAYS: u64 = 50_000;
/// Trips expected to be kept at a time.
const TRIPS: usize = 4_000;

/// Days by trip, with the revision of the trip they were read at.
pub(crate) struct KeptDays(Cache<String, (i64, Arc<[Stage]>), ByDays>);

#[derive(Clone)]
struct ByDays;

impl Weighter<String, (i64, Arc<[Stage]>)> for ByDays {
    fn weight(&self, _: &String, (_, days): &(i64, Arc<[Stage]>)) -> u64 {
        1 + days.len() as u64
    }
}

impl Default for KeptDays {
    fn default() -> Self {
        Self(Cache::with_weighter(TRIPS, MOST_DAYS, ByDays))
    }
}

impl KeptDays {
    /// The days of a trip that has this revision now.
    pub(super) fn get(&self, trip: &str, revision: i64) -> Option<Vec<Stage>> {
        let (read_at, days) = self.0.get(trip)?;
        (read_at == revision).then(|| days.to_vec())
    }

    /// Keeps the days of a trip as they were at this revision.
    pub(super) fn keep(&self, trip: &Trip, revision: i64) {
        self.0.insert(trip.id.0.clone(), (revision, trip.stages.as_slice().into()));
    }
}
