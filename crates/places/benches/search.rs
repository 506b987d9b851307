//! How long a search takes: `cargo bench -p btp-places`.

#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark measures and says so")]

use std::time::{Duration, Instant};

use btp_places::Gazetteer;

/// Names that are there, whole and in part, and some that are not.
const ASKED: [&str; 12] = [
    "besancon",
    "saint brevin",
    "geneve",
    "Bâle",
    "nantes",
    "Saint-Jean-de-Luz",
    "chur",
    "villeneuve",
    "Montjean-sur-Loire",
    "les ponts de ce",
    "Springfield, Illinois",
    "nowhere to be found",
];

fn main() {
    let index = Gazetteer::default();
    let begun = Instant::now();
    index.find("a", 1);
    println!("unpacking           {:>9.1} ms", millis(begun.elapsed()));
    let mut times: Vec<_> = (0..50)
        .flat_map(|_| ASKED)
        .map(|text| {
            let begun = Instant::now();
            index.find(text, 5);
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    for part in [50, 90, 99] {
        println!("p{part} of a search     {:>9.3} ms", millis(times[times.len() * part / 100]));
    }
    let p50 = times[times.len() / 2];
    assert!(p50 <= Duration::from_millis(2), "p50 is {p50:?}");
}

fn millis(span: Duration) -> f64 {
    span.as_secs_f64() * 1000.0
}
