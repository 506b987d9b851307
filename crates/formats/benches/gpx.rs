//! The largest file there may be, from its bytes to its days: `cargo bench -p btp-formats`.

#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark measures and says so")]

use std::{fmt::Write, time::Instant};

use btp_domain::{PlannedRoute, Settings, route::FetchedRoute};
use btp_formats::{Gpx, MAX_BYTES, read_gpx};

/// Points of the file, every second one with an elevation: they fill it.
const POINTS: u32 = 600_000;
/// What it may take: seconds, and megabytes beside the file itself.
const MOST_SECONDS: f64 = 1.5;
const MOST_MEGABYTES: u64 = 100;

fn main() {
    let file = file();
    assert!((29_000_000..=MAX_BYTES).contains(&file.len()), "{} bytes", file.len());
    let before = peak();
    let begun = Instant::now();
    let Gpx { title, line, warnings, .. } = read_gpx(file.as_bytes()).expect("it is well-formed");
    let read = begun.elapsed().as_secs_f64();
    let route = FetchedRoute { title, line, warnings };
    let plan = PlannedRoute::new(route, &Settings::default()).expect("it can be cut");
    let planned = begun.elapsed().as_secs_f64();
    let megabytes = peak().saturating_sub(before) / 1_000_000;
    println!("{POINTS} points, {} bytes, {} days", file.len(), plan.cut().days.len());
    println!("read               {read:>7.3} s");
    println!("read and planned   {planned:>7.3} s, at most {MOST_SECONDS}");
    println!("memory beside it   {megabytes:>7} MB, at most {MOST_MEGABYTES}");
    assert!(planned <= MOST_SECONDS && megabytes <= MOST_MEGABYTES);
}

/// A week's recording, a point a second.
fn file() -> String {
    let mut file = String::with_capacity(MAX_BYTES);
    file.push_str("<gpx version=\"1.1\"><trk><name>Week</name><trkseg>\n");
    for second in 0..POINTS {
        let at = f64::from(second);
        let (lat, lon) = (46.0 + (at / 9_000.0).sin() * 0.3, 6.0 + at * 0.000_006);
        let ele = 800.0 + 300.0 * (at / 4_000.0).sin() + (at / 7.0).sin();
        write!(file, "<trkpt lat=\"{lat:.5}\" lon=\"{lon:.5}\"").expect("memory takes text");
        match second % 2 {
            0 => writeln!(file, "><ele>{ele:.0}</ele></trkpt>").expect("memory takes text"),
            _ => file.push_str("/>\n"),
        }
    }
    file.push_str("</trkseg></trk></gpx>\n");
    file
}

/// The most memory this process ever held, in bytes; 0 where the system does not say.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) * 1024
}
