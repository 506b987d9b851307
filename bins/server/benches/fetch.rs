//! From `create_trip` to stored days, for routes of 21,000 points on loopback, each time another one, since what is fetched
//! is kept; and from the write of a job to its start.
//!
//! Bars: 300 ms in the median for the whole; 100 ms at most for the start of a job.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "it measures")]
#![expect(clippy::print_stdout, reason = "it prints figures")]

#[path = "../tests/e2e/server.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod server;
#[path = "../tests/e2e/source.rs"]
mod source;

use std::time::{Duration, Instant};

use serde_json::json;

const ROUNDS: u32 = 20;
const POINTS: u64 = 21_000;

#[tokio::main]
async fn main() {
    let source = source::Source::start().await;
    let mut installation = server::Installation::new(&[("KOMOOT_URL", &source.base), ("LOG", "warn")]);
    installation.raise_limits();
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    let (mut whole, mut starts) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let arguments =
            json!({"sourceUrl": format!("https://www.komoot.com/tour/{}", 2_000_000 + POINTS + u64::from(round))});
        let began = Instant::now();
        let created = session.call("create_trip", arguments).await.unwrap();
        let written = Instant::now();
        loop {
            let trip = session.call("get_trip", json!({"id": created["id"]})).await.unwrap();
            if trip["partial"] == false {
                assert_eq!(trip["status"], "ready", "{trip}");
                break;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        whole.push(began.elapsed());
        // The answer of the call and the start of the job race; a start before the answer counts as at once.
        starts.push(source.asked().last().unwrap().saturating_duration_since(written));
    }
    report("create_trip to stored days", &mut whole, Duration::from_millis(300), 2);
    report("answer of create_trip to the fetch of the job", &mut starts, Duration::from_millis(100), 1);
}

/// Prints the figures; `part` says what the bar holds for: 2 the median, 1 the maximum.
fn report(what: &str, times: &mut [Duration], bar: Duration, part: usize) {
    times.sort();
    let (median, max) = (times[times.len() / 2], times[times.len() - 1]);
    let judged = if part == 2 { median } else { max };
    let verdict = if judged <= bar { "within" } else { "OVER" };
    println!("{what}: median {median:?}, max {max:?} of {}; {verdict} the bar of {bar:?}", times.len());
}
