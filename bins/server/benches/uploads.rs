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
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use btp_server::agent::Session;
use sender::{MAX, Sender, gpx, hostile};
use serde_json::json;

const BAR: Duration = Duration::from_millis(100);
const SENDERS: usize = 4;
/// How long each of them goes on sending one file after the other.
const SPAN: Duration = Duration::from_secs(5);

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
    let nobody = thread::spawn(|| {
        thread::sleep(SPAN);
        0
    });
    let (_, quiet) = Times::during(vec![nobody], &session, &trip).await;
    println!("nobody sends: {quiet}");
    let files = std::iter::once(("30 MB", gpx(MAX), 202, "")).chain(hostile());
    for (name, file, status, _) in files {
        let file: Arc<[u8]> = file.into();
        let sending = senders.iter().map(|sender| sending(Arc::clone(sender), Arc::clone(&file), status));
        let (sent, times) = Times::during(sending.collect(), &session, &trip).await;
        let (ratio, verdict) = (times.p99().div_duration_f64(quiet.p99()), times.verdict());
        println!(
            "{SENDERS} people send {sent} times {name}: {times}, {ratio:.1} times as long; {verdict} the bar of {BAR:?}"
        );
    }
}

/// Sends a file again and again, on a thread of its own, and says how often; what makes a trip differs each time, since the
/// same file is read once.
fn sending(sender: Arc<Sender>, file: Arc<[u8]>, status: u16) -> JoinHandle<usize> {
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (began, mut sent) = (Instant::now(), 0);
        while began.elapsed() < SPAN {
            let mut variant = file.to_vec();
            if status == 202 {
                let blank = variant.len() - "</gpx>".len() - 1;
                variant[blank - sent] = b'\n';
            }
            assert_eq!(runtime.block_on(sender.send(&variant)).status().as_u16(), status);
            sent += 1;
        }
        sent
    })
}

/// How long calls took, the shortest first.
struct Times(Vec<Duration>);

impl Times {
    /// Calls one after the other until the `load` is done; also what it amounts to.
    async fn during(load: Vec<JoinHandle<usize>>, session: &Session, trip: &str) -> (usize, Self) {
        let mut times = Vec::new();
        while !load.iter().all(JoinHandle::is_finished) {
            for (tool, arguments) in [("get_trip", json!({"id": trip})), ("search_places", json!({"q": "Besançon"}))] {
                let began = Instant::now();
                session.call(tool, arguments).await.unwrap();
                times.push(began.elapsed());
            }
        }
        times.sort_unstable();
        (load.into_iter().map(|one| one.join().unwrap()).sum(), Self(times))
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
