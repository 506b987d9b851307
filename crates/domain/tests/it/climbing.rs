//! Ascent against lines whose true ascent is known, however they were sampled.

use btp_domain::{
    Line, Point, Settings,
    pacing::{self, Cut},
};

/// Metres of a degree of longitude on the equator.
const DEGREE: f64 = 111_319.490_793;
/// Metres between points recorded each second and each five seconds at 15 km/h, and those of a planned route.
const SPACINGS: [f64; 3] = [15_000.0 / 3600.0, 75_000.0 / 3600.0, 50.0];

/// A line along the equator with a point each `spacing` metres.
fn line(length: f64, spacing: f64, mut elevation: impl FnMut(f64) -> Option<f64>) -> Line {
    let count = (length / spacing).round() as usize;
    let point = |index: usize| {
        let at = index as f64 * spacing;
        Point { lat: 0.0, lon: 10.0 + at / DEGREE, ele: elevation(at) }
    };
    Line { tracks: vec![(0..=count).map(point).collect()] }
}

fn cut(line: &Line) -> Cut {
    pacing::cut(line, &Settings { max_distance_per_day: 300.0, ..Settings::default() }).unwrap()
}

/// Up and down of the whole line; checks that they differ by what lies between its ends.
fn climbed(line: &Line) -> (f64, f64) {
    let days = cut(line).days;
    let up: f64 = days.iter().map(|day| day.ascent.unwrap()).sum();
    let down: f64 = days.iter().map(|day| day.descent.unwrap()).sum();
    let track = &line.tracks[0];
    let net = track[track.len() - 1].ele.unwrap() - track[0].ele.unwrap();
    assert!((up - down - net).abs() < 1.0, "{up} up, {down} down, {net} in all");
    (up, down)
}

/// Normally distributed numbers from a seed (SplitMix64, Box–Muller).
fn noise(mut seed: u64) -> impl FnMut() -> f64 {
    let mut uniform = move || {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    };
    move || (-2.0 * (1.0 - uniform()).ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
}

fn spread(values: &[f64]) -> f64 {
    let (least, most) = values.iter().fold((f64::MAX, f64::MIN), |(low, high), &v| (low.min(v), high.max(v)));
    (most - least) / least
}

#[test]
fn noise_on_the_flat_is_no_climb() {
    for spacing in SPACINGS {
        for seed in 1..=20 {
            let mut noise = noise(seed);
            let (up, _) = climbed(&line(60_000.0, spacing, |_| Some(100.0 + 3.0 * noise())));
            assert!(up < 40.0, "{up} m of noise each {spacing} m, seed {seed}");
        }
    }
}

#[test]
fn bumps_are_climbed() {
    let bumps = |at: f64| Some(100.0 + 6.0 * (1.0 - (at / 1000.0 * std::f64::consts::TAU).cos()));
    let found = SPACINGS.map(|spacing| climbed(&line(20_000.0, spacing, bumps)).0);
    assert!(found.iter().all(|up| (190.0..=260.0).contains(up)), "{found:?}");
    assert!(spread(&found) <= 0.06, "{found:?}");
}

#[test]
fn a_pass_is_climbed_once() {
    let shapes: [fn(f64) -> f64; 4] = [
        |at| 500.0 + 1000.0 * (1.0 - (at - 15_000.0).abs() / 15_000.0),
        |at| 500.0 + 1000.0 * (1.0 - (at - 15_000.0).abs() / 10_000.0).max(0.0),
        |at| 500.0 + 500.0 * (1.0 - (at / 30_000.0 * std::f64::consts::TAU).cos()),
        |at| 500.0 + 1000.0 * (at / 12_500.0).min(1.0) - 700.0 * ((at - 20_000.0) / 10_000.0).max(0.0),
    ];
    for shape in shapes {
        let found = SPACINGS.map(|spacing| climbed(&line(30_000.0, spacing, |at| Some(shape(at)))).0);
        assert!(found.iter().all(|up| (980.0..=1030.0).contains(up)), "{found:?}");
        assert!(spread(&found) <= 0.06, "{found:?}");
        for seed in 1..=5 {
            let mut noise = noise(seed);
            let noisy = SPACINGS.map(|s| climbed(&line(30_000.0, s, |at| Some(shape(at) + 3.0 * noise()))).0);
            assert!(noisy.iter().all(|up| (975.0..=1040.0).contains(up)), "{noisy:?}");
        }
    }
}

#[test]
fn jitter_between_whole_metres_is_no_climb() {
    for spacing in SPACINGS {
        let mut random = noise(7);
        let (up, down) = climbed(&line(20_000.0, spacing, |_| Some((484.0 + random()).round().clamp(483.0, 485.0))));
        assert!(up < 5.0 && down < 5.0, "{up} up, {down} down each {spacing} m");
    }
}
