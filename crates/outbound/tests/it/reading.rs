//! What strangers send, read without asking anybody: it ends in a line or in a code, whatever they send.

use std::fs;

use btp_domain::route::FetchedRoute;
use btp_kernel::Entropy;
use btp_outbound::read;
use btp_testkit::SeededEntropy;

type Parser = fn(&[u8]) -> bool;

const PARSERS: [(&str, Parser); 3] = [
    ("komoot_tour_page", |bytes| is_sound(read::komoot_tour_page(bytes))),
    ("komoot_collection_page", |bytes| read::komoot_collection_page(bytes).is_ok()),
    ("ridewithgps_route", |bytes| is_sound(read::ridewithgps_route(bytes))),
];

/// Whether there is a route; it must then be one that can be followed.
fn is_sound(read: Result<FetchedRoute, btp_domain::FailureCode>) -> bool {
    let Ok(route) = read else { return false };
    let points = || route.line.tracks.iter().flatten();
    assert!(points().count() >= 2);
    assert!(points().all(|point| point.lat.abs() <= 90.0 && point.lon.abs() <= 180.0), "{route:?}");
    assert!(points().filter_map(|point| point.ele).all(f64::is_finite), "{route:?}");
    true
}

fn seeds(parser: &str) -> Vec<(String, Vec<u8>)> {
    let folder = format!("{}/tests/seeds/{parser}", env!("CARGO_MANIFEST_DIR"));
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.map(|path| (path.display().to_string(), fs::read(&path).unwrap())).collect()
}

#[test]
fn seeds_that_are_called_good_are_read() {
    for (name, parser) in PARSERS {
        let seeds = seeds(name);
        assert!(seeds.len() >= 4, "{name}");
        for (path, bytes) in seeds {
            assert_eq!(parser(&bytes), path.contains("/good"), "{path}");
        }
    }
}

/// Each seed with bytes changed, doubled and cut off: a fixed walk through what the fuzzer explores freely.
#[test]
fn no_change_of_a_seed_is_too_much() {
    let entropy = SeededEntropy::default();
    let mut random = [0; 4];
    for (name, parser) in PARSERS {
        for (_, seed) in seeds(name) {
            for _ in 0..500 {
                let mut bytes = seed.clone();
                for _ in 0..3 {
                    entropy.fill(&mut random);
                    let [what, byte, high, low] = random;
                    let at = usize::from(u16::from_be_bytes([high, low])) % (bytes.len() + 1);
                    match what % 4 {
                        0 => bytes.truncate(at),
                        1 => bytes.insert(at, byte),
                        2 => bytes.extend_from_within(at..),
                        _ => bytes.get_mut(at).into_iter().for_each(|old| *old = byte),
                    }
                }
                parser(&bytes);
            }
        }
    }
}
