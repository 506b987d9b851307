//! Mixed calls for minutes, while the server's memory and descriptors are watched.

use std::{
    fs,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
    server::pause,
    source,
    trips::{installation, ten_days},
    writers,
};

/// Samples of the server, one each so often; those of the first fifth are the warm-up.
const EVERY: Duration = Duration::from_secs(5);

struct Sample {
    kilobytes: f64,
    descriptors: usize,
}

/// Runs for so many minutes.
pub(crate) async fn run(minutes: u64) {
    let source = source::Source::start().await;
    let installation = installation(&source, &[]);
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    let id = ten_days(&session).await;
    let end = Instant::now() + Duration::from_secs(60 * minutes);
    let reading = async {
        let mut calls = 0_u64;
        while Instant::now() < end {
            session.call("get_trip", json!({"id": id})).await.unwrap();
            session.call("list_trips", json!({})).await.unwrap();
            calls += 2;
        }
        calls
    };
    let coming_and_going = async {
        let mut trips = 0_u64;
        while Instant::now() < end {
            let id = ten_days(&session).await;
            let asked = session.call("delete_trip", json!({"id": id})).await.unwrap();
            let token = &asked["confirmationToken"];
            session.call("delete_trip", json!({"id": id, "confirmationToken": token})).await.unwrap();
            trips += 1;
        }
        trips
    };
    let watching = async {
        let mut samples = Vec::new();
        while Instant::now() < end {
            pause(EVERY).await;
            samples.push(sample(server.child.id()));
        }
        samples
    };
    let span = end - Instant::now();
    let (reads, trips, edits, samples) =
        tokio::join!(reading, coming_and_going, writers::run(&session, 8, span), watching);
    let steady = &samples[samples.len() / 5..];
    let memory: Vec<_> = steady.iter().map(|sample| sample.kilobytes).collect();
    let (least, most) = (memory.iter().copied().fold(f64::MAX, f64::min), memory.iter().copied().fold(0.0, f64::max));
    let descriptors = steady.iter().map(|sample| sample.descriptors);
    let (fewest, highest) = (descriptors.clone().min().unwrap(), descriptors.max().unwrap());
    println!("{minutes} minutes: {reads} reads, {trips} trips made and deleted, {edits}");
    println!("memory {:.0} to {:.0} MB, descriptors {fewest} to {highest}", least / 1024.0, most / 1024.0);
    let middle = f64::midpoint(least, most);
    assert!(most <= middle * 1.1, "memory is not flat within 10 %");
    assert!(highest - fewest <= 16, "descriptors are not flat");
}

fn sample(process: u32) -> Sample {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let kilobytes = resident.trim().trim_end_matches(" kB").parse().unwrap();
    let descriptors = fs::read_dir(format!("/proc/{process}/fd")).unwrap().count();
    Sample { kilobytes, descriptors }
}
