//! How long the calls of one person's agent take while four others send files: none, the largest there may be, and hostile
//! ones.
//!
//! Bar: 100 ms at most for each call.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "it measures")]
#![expect(clippy::print_stdout, reason = "it prints figures")]

#[path = "../tests/e2e/sender.rs"]
mod sender;
#[path = "../tests/e2e/server.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod server;
#[path = "../tests/e2e/source.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod source;
#[path = "mcp/trips.rs"]
mod trips;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use btp_server::agent::Session;
use futures_util::future::join_all;
use sender::{MAX, Sender, gpx, hostile};
use serde_json::json;
use tokio::task::JoinHandle;

const BAR: Duration = Duration::from_millis(100);
const SENDERS: usize = 4;
/// Files that each of them sends, one after the other.
const FILES: usize = 4;
/// How long nobody sends any.
const QUIET: Duration = Duration::from_secs(3);

#[tokio::main]
async fn main() {
    let source = source::Source::start().await;
    let more = [("NOMINATIM_URL", "off"), ("LIMIT_GEOCODE", "100000000/60")];
    let installation = trips::installation(&source, &more);
    let server = installation.serve();
    let session = installation.agent(&server, "bob@example.org").await;
    let trip = trips::ten_days(&session).await;
    let mut senders = Vec::new();
    for number in 0..SENDERS {
        let email = format!("sender-{number}@example.org");
        senders.push(Arc::new(Sender::new(&installation, &server, &email).await));
    }

    session.call("search_places", json!({"q": "Chur"})).await.unwrap(); // unpacks the index
    let quiet = Times::during(tokio::spawn(tokio::time::sleep(QUIET)), &session, &trip).await;
    println!("nobody sends: {quiet}");
    let files = std::iter::once(("30 MB", gpx(MAX), 202, "")).chain(hostile());
    for (name, file, status, _) in files {
        let file: Arc<[u8]> = file.into();
        let all = senders.iter().map(|sender| send(Arc::clone(sender), Arc::clone(&file), status));
        let sending = tokio::spawn(join_all(all.collect::<Vec<_>>()));
        let times = Times::during(sending, &session, &trip).await;
        let (ratio, verdict) = (times.p99().div_duration_f64(quiet.p99()), times.verdict());
        println!(
            "{SENDERS} send {FILES} times {name}: {times}, {ratio:.1} times as long; {verdict} the bar of {BAR:?}"
        );
    }
}

/// Sends a file again and again; what makes a trip differs each time, since the same file is read once.
async fn send(sender: Arc<Sender>, file: Arc<[u8]>, status: u16) {
    for number in 0..FILES {
        let mut variant = file.to_vec();
        if status == 202 {
            let blank = variant.len() - "</gpx>".len() - 1;
            variant[blank - number] = b'\n';
        }
        assert_eq!(sender.send(&variant).await.status().as_u16(), status);
    }
}

/// How long calls took, the shortest first.
struct Times(Vec<Duration>);

impl Times {
    /// Calls one after the other until `load` is done.
    async fn during<T>(load: JoinHandle<T>, session: &Session, trip: &str) -> Self {
        let mut times = Vec::new();
        while !load.is_finished() {
            for (tool, arguments) in [("get_trip", json!({"id": trip})), ("search_places", json!({"q": "Besançon"}))] {
                let began = Instant::now();
                session.call(tool, arguments).await.unwrap();
                times.push(began.elapsed());
            }
        }
        load.await.unwrap();
        times.sort_unstable();
        Self(times)
    }

    fn p99(&self) -> Duration {
        self.0[(self.0.len() - 1) * 99 / 100]
    }

    fn verdict(&self) -> &'static str {
        if self.0.last().is_some_and(|&worst| worst <= BAR) { "within" } else { "OVER" }
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (count, worst) = (self.0.len(), self.0[self.0.len() - 1]);
        write!(formatter, "{count} calls of another, p99 {:.1?}, worst {worst:.1?}", self.p99())
    }
}
