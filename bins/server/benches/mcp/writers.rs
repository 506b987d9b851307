//! Many who edit at once, each a trip of their own.

use std::{
    fmt,
    time::{Duration, Instant},
};

use btp_server::agent::Session;
use futures_util::future::join_all;
use serde_json::json;

use crate::trips::ten_days;

/// What the writers saw.
pub(crate) struct Done {
    /// Edits a second.
    rate: f64,
    p50: Duration,
    p99: Duration,
    most: Duration,
}

impl fmt::Display for Done {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rate, p50, p99, most } = self;
        write!(formatter, "{rate:.0} edits/s (p50 {p50:.1?}, p99 {p99:.1?}, max {most:.1?}), none lost, none refused")
    }
}

/// Edits until the time is over. Each edit must succeed and show in the trip's version.
pub(crate) async fn run(session: &Session, writers: usize, span: Duration) -> Done {
    let trips = join_all((0..writers).map(|_| ten_days(session))).await;
    let began = Instant::now();
    let edited = join_all(trips.iter().map(|trip| write(session, trip, began + span))).await;
    let elapsed = began.elapsed().as_secs_f64();
    let mut times = edited.concat();
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 100];
    Done { rate: times.len() as f64 / elapsed, p50: at(50), p99: at(99), most: at(100) }
}

async fn write(session: &Session, id: &str, end: Instant) -> Vec<Duration> {
    let trip = session.call("get_trip", json!({"id": id})).await.unwrap();
    let first = trip["version"].as_u64().unwrap();
    let stages: Vec<_> = trip["stages"].as_array().unwrap().iter().map(|stage| stage["stageId"].clone()).collect();
    let mut times = Vec::new();
    while Instant::now() < end {
        let version = first + times.len() as u64;
        let stage = &stages[times.len() % stages.len()];
        let edit = json!({"tripId": id, "version": version, "action": "update", "stageId": stage, "label": format!("Edit {version}")});
        let began = Instant::now();
        let edited = session.call("edit_stages", edit).await.unwrap();
        times.push(began.elapsed());
        assert_eq!(edited["version"], version + 1);
    }
    let trip = session.call("get_trip", json!({"id": id})).await.unwrap();
    assert_eq!(trip["version"], first + times.len() as u64, "an update was lost");
    times
}
