//! Days against the published examples, and what holds for every line and all settings.

use btp_domain::{
    Line, Point, Settings, distance,
    pacing::{self, Cut, CutError, Day, LEAST_EFFORT, MOST_DAYS},
};
use jiff::civil::{Date, date};
use proptest::prelude::*;

const DEGREE: f64 = 111_319.490_793;

/// A line along the equator with a point each `spacing` km.
fn straight(km: f64, spacing: f64, elevation: impl Fn(f64) -> Option<f64>) -> Line {
    let count = (km / spacing).ceil() as usize;
    let point = |index: usize| {
        let at = (index as f64 * spacing).min(km);
        Point { lat: 0.0, lon: at * 1000.0 / DEGREE, ele: elevation(at) }
    };
    Line { tracks: vec![(0..=count).map(point).collect()] }
}

fn flat(km: f64) -> Line {
    straight(km, 7.3, |_| Some(100.0))
}

fn settings(fatigue: f64, days: Option<i32>) -> Settings {
    let start: Date = date(2026, 7, 1);
    let end = days.map(|days| start.checked_add(jiff::Span::new().days(days - 1)).unwrap());
    Settings { fatigue_factor: fatigue, start_date: Some(start), end_date: end, ..Settings::default() }
}

fn km(cut: &Cut) -> Vec<f64> {
    cut.days.iter().map(|day| (day.distance() / 10.0).round() / 100.0).collect()
}

fn codes(cut: &Cut) -> Vec<&str> {
    cut.warnings.iter().map(|warning| warning.code.as_str()).collect()
}

fn cut(line: &Line, settings: &Settings) -> Cut {
    pacing::cut(line, settings).unwrap()
}

#[test]
fn the_published_examples() {
    let days = cut(&flat(300.0), &settings(0.9, None));
    assert_eq!((km(&days), codes(&days)), (vec![80.0, 80.0, 73.68, 66.32], vec![]));
    assert_eq!(km(&cut(&flat(321.0), &settings(0.5, None))), [80.0, 80.0, 80.0, 51.0, 30.0]);
    let easy = cut(&flat(100.0), &settings(0.9, Some(10)));
    assert_eq!((km(&easy), codes(&easy)), (vec![10.0; 10], vec![]));
    let rushed = cut(&flat(1000.0), &settings(0.9, Some(5)));
    assert_eq!((km(&rushed), codes(&rushed)), (vec![200.0; 5], vec!["dates_too_short"]));
    assert!(rushed.days.iter().all(|day| pacing::is_over_cap(day.distance(), day.ascent, &settings(0.9, None))));
    assert_eq!(km(&cut(&flat(400.0), &settings(1.0, None))), [80.0; 5], "an exact multiple needs no day more");
    assert_eq!(km(&cut(&flat(10.0), &settings(0.9, None))), [10.0]);
    assert_eq!(km(&cut(&flat(60.0), &settings(0.9, Some(1)))), [60.0], "one day by its dates");
}

#[test]
fn climbing_counts_as_distance_where_it_is() {
    // 60 km flat, 20 km up by 1,000 m, 60 km flat: 140 km that count for 160.
    let line = straight(140.0, 0.5, |at| Some(100.0 + 1000.0 * ((at - 60.0) / 20.0).clamp(0.0, 1.0)));
    let days = cut(&line, &settings(1.0, None));
    assert_eq!(km(&days), [70.0, 70.0]);
    let ascents: Vec<_> = days.days.iter().map(|day| day.ascent.unwrap().round()).collect();
    assert_eq!(ascents, [500.0, 500.0]);
    let tired = cut(&line, &Settings { elevation_penalty: 25.0, ..settings(1.0, None) });
    assert_eq!(km(&tired).len(), 3, "180 km of effort");
    let assisted = cut(&line, &Settings { ebike_mode: true, elevation_penalty: 25.0, ..settings(1.0, None) });
    assert_eq!(km(&assisted), [70.0, 70.0], "half of it on an e-bike");

    let down = straight(140.0, 0.5, |at| Some(1100.0 - 1000.0 * ((at - 60.0) / 20.0).clamp(0.0, 1.0)));
    let days = cut(&down, &settings(1.0, None));
    assert_eq!(km(&days), [70.0, 70.0], "descending is free");
    assert!(days.days.iter().all(|day| day.ascent.unwrap() < 1e-6 && (day.descent.unwrap() - 500.0).abs() < 1.0));
}

#[test]
fn dates_decide_only_when_both_are_there() {
    let both = settings(0.9, Some(6));
    assert_eq!(cut(&flat(300.0), &both).days.len(), 6);
    assert_eq!(cut(&flat(300.0), &Settings { start_date: None, ..both.clone() }).days.len(), 4);
    assert_eq!(cut(&flat(300.0), &Settings { end_date: None, ..both }).days.len(), 4);
    assert_eq!(cut(&flat(300.0), &settings(0.9, Some(366))).days.len(), MOST_DAYS);
    assert!(matches!(pacing::cut(&flat(300.0), &settings(0.9, Some(367))), Err(CutError::Settings(_))));
    let slow = Settings { max_distance_per_day: 30.0, ..Settings::default() };
    assert_eq!(cut(&flat(30.0 * 366.0), &slow).days.len(), 366);
    assert_eq!(pacing::cut(&flat(30.0 * 366.0 + 1.0), &slow), Err(CutError::TooManyDays(367)));
}

#[test]
fn what_is_no_line_is_not_cut() {
    let point = |lat, lon| Point { lat, lon, ele: None };
    let one = |points: &[Point]| Line { tracks: vec![points.to_vec()] };
    for line in [
        Line::default(),
        one(&[]),
        one(&[point(47.0, 9.0)]),
        one(&[point(47.0, 9.0); 50]),
        Line { tracks: vec![vec![point(47.0, 9.0)], vec![point(48.0, 9.0)]] },
    ] {
        assert_eq!(pacing::cut(&line, &Settings::default()), Err(CutError::NoLength), "{line:?}");
        assert_eq!(pacing::cut_by_track(&line), Err(CutError::NoLength), "{line:?}");
    }
    for bad in [point(f64::NAN, 9.0), point(91.0, 9.0), point(47.0, f64::NEG_INFINITY), point(47.0, 180.5)] {
        let line = one(&[point(47.0, 9.0), bad, point(48.0, 9.0)]);
        assert_eq!(pacing::cut(&line, &Settings::default()), Err(CutError::NotOnEarth));
    }
    for wrong in [
        Settings { max_distance_per_day: f64::NAN, ..Settings::default() },
        Settings { max_distance_per_day: 0.0, ..Settings::default() },
        Settings { elevation_penalty: 0.0, ..Settings::default() },
        Settings { fatigue_factor: f64::INFINITY, ..Settings::default() },
    ] {
        assert!(matches!(pacing::cut(&flat(300.0), &wrong), Err(CutError::Settings(_))));
    }
}

#[test]
fn missing_elevation_is_unknown_or_bridged() {
    let holed = |missing: fn(usize) -> bool| {
        let mut line = straight(100.0, 0.1, |at| Some(10.0 * at));
        line.tracks[0].iter_mut().enumerate().filter(|(i, _)| missing(*i)).for_each(|(_, point)| point.ele = None);
        cut(&line, &settings(1.0, None))
    };
    let ascent = |cut: &Cut| cut.days.iter().map(|day| day.ascent).sum::<Option<f64>>().map(f64::round);
    let bridged = holed(|index| index % 3 == 2 || (300..316).contains(&index));
    assert_eq!((ascent(&bridged), codes(&bridged)), (Some(1000.0), vec![]), "short holes are bridged");
    let partly = holed(|index| (400..500).contains(&index));
    assert_eq!((ascent(&partly), codes(&partly)), (Some(899.0), vec!["elevation_incomplete"]));
    let mostly = holed(|index| index % 5 < 3);
    assert_eq!((ascent(&mostly), codes(&mostly)), (None, vec!["elevation_unknown"]));
    assert_eq!(km(&mostly), [50.0, 50.0], "by distance alone");
    let half_blind = holed(|index| index < 480);
    assert_eq!(half_blind.days[0].ascent, None, "a day of which too little is known");
    assert!(half_blind.days[1].ascent.is_some());
    assert_eq!(half_blind.days[0].start.ele, None);
    let sentinel =
        straight(100.0, 0.1, |at| Some(if ((at * 10.0) as usize).is_multiple_of(4) { 9999.0 } else { 10.0 * at }));
    let sentinel = cut(&sentinel, &settings(1.0, None));
    assert_eq!(
        (sentinel.days[0].start.ele, sentinel.days[0].ascent.map(f64::round)),
        (None, Some(499.0)),
        "the first 100 m are unknown"
    );
}

#[test]
fn a_collection_keeps_its_tours() {
    let mut line = flat(20.0);
    line.tracks.push(Vec::new());
    line.tracks.extend(flat(150.0).tracks);
    let alone = vec![Point { lat: 1.0, lon: 1.0, ele: None }; 3];
    line.tracks.push(alone);
    line.tracks.extend(straight(40.0, 1.0, |at| Some(at * 10.0)).tracks);
    let days = pacing::cut_by_track(&line).unwrap();
    assert_eq!((km(&days), codes(&days)), (vec![20.0, 150.0, 40.0], vec!["collection_days", "gaps"]));
    assert_eq!(days.days[2].ascent.map(f64::round), Some(400.0));
    assert_eq!(days.days[1].start.lon, 0.0, "a tour starts where its track does, not where the one before ended");
    assert_eq!(km(&pacing::cut_by_track(&flat(20.0)).unwrap()), [20.0], "a collection of one tour");
    let long = Line { tracks: vec![flat(2.0).tracks.remove(0); 367] };
    assert_eq!(pacing::cut_by_track(&long), Err(CutError::TooManyDays(367)));
}

#[test]
fn loops_and_the_way_back_are_walked_in_order() {
    let out = flat(100.0).tracks.remove(0);
    let back: Vec<_> = out.iter().rev().copied().collect();
    let line = Line { tracks: vec![[out.clone(), back, out].concat()] };
    let days = cut(&line, &settings(1.0, None)).days;
    assert_eq!(days.iter().map(|day| (day.distance() / 1000.0).round()).collect::<Vec<_>>(), [75.0; 4]);
    let ends: Vec<_> = days.iter().map(|day| (day.end.lon * DEGREE / 1000.0).round()).collect();
    assert_eq!(ends, [75.0, 50.0, 25.0, 100.0]);
}

#[test]
fn a_figure_of_eight_passes_its_middle_twice() {
    // Two rings of 100 km that touch at 10° E: it is ridden through at its start, half-way and end.
    let ring = |east: f64| {
        (0..=360).map(move |degree| {
            let turn = f64::from(degree).to_radians();
            let radius = 100_000.0 / std::f64::consts::TAU / DEGREE;
            let lon = 10.0 + east * radius * (1.0 - turn.cos());
            Point { lat: radius * turn.sin(), lon, ele: Some(100.0) }
        })
    };
    let line = Line { tracks: vec![ring(1.0).chain(ring(-1.0)).collect()] };
    let days = cut(&line, &settings(1.0, Some(4))).days;
    let ends: Vec<_> = days.iter().map(|day| ((day.end.lon - 10.0) * DEGREE / 1000.0).round() + 0.0).collect();
    assert_eq!(ends, [32.0, 0.0, -32.0, 0.0]);
}

#[test]
fn gaps_are_told_and_not_ridden() {
    let mut line = flat(100.0);
    line.tracks.push(Vec::new());
    let apart = |km: f64| Line {
        tracks: flat(50.0)
            .tracks
            .into_iter()
            .map(|track| track.into_iter().map(|point| Point { lat: km * 1000.0 / DEGREE, ..point }).rev().collect())
            .collect(),
    };
    let end = line.tracks[0].last().copied().unwrap();
    line.tracks.push(vec![Point { lat: 0.0005, ..end }, Point { lat: 0.0006, ..end }]);
    line.tracks.extend(apart(1.2).tracks);
    let days = cut(&line, &settings(1.0, None));
    assert_eq!(codes(&days), ["gaps"]);
    let message = &days.warnings[0].message;
    assert!(message.contains("gaps 1, 50.") && message.contains("not counted"), "{message}");
    assert!((days.days.iter().map(Day::distance).sum::<f64>() - line.length()).abs() < 1e-6);
}

#[test]
fn the_date_line_and_the_pole_are_places_like_others() {
    let point = |lat: f64, lon: f64| Point { lat, lon, ele: Some(0.0) };
    let date_line = Line { tracks: vec![vec![point(-17.0, 179.0), point(-17.0, -179.0)]] };
    let days = cut(&date_line, &settings(1.0, None)).days;
    assert_eq!(days.iter().map(|day| (day.distance() / 1000.0).round()).collect::<Vec<_>>(), [71.0; 3]);
    assert!(days.iter().all(|day| day.end.lon.abs() > 178.9 && day.end.is_on_earth()));
    let pole = Line { tracks: vec![vec![point(89.5, 0.0), point(90.0, 45.0), point(89.5, 180.0)]] };
    let days = cut(&pole, &settings(1.0, None)).days;
    assert!((days.iter().map(Day::distance).sum::<f64>() - 111_694.0).abs() < 10.0);
    assert!(days.iter().all(|day| day.end.is_on_earth()));
}

/// Lines of one to three tracks, short and long, some points twice, some elevations missing, absurd or noisy.
fn lines() -> impl Strategy<Value = Line> {
    let elevation = prop_oneof![
        6 => (0.0..2500.0_f64).prop_map(Some),
        1 => Just(None),
        1 => prop_oneof![Just(Some(9999.0)), Just(Some(-32768.0)), Just(Some(f64::NAN))],
    ];
    let step = (-1.0..1.0_f64, -1.0..1.0_f64, elevation, any::<bool>());
    let track = (-89.0..89.0_f64, -180.0..180.0_f64, proptest::collection::vec(step, 1..12));
    let degrees = prop_oneof![14 => Just(0.01), 4 => Just(0.1), 1 => Just(0.4)];
    (proptest::collection::vec(track, 1..=3), degrees).prop_map(|(tracks, degrees)| {
        let tracks = tracks.into_iter().map(|(mut lat, mut lon, steps)| {
            let mut points = vec![Point { lat, lon, ele: None }];
            for (north, east, ele, twice) in steps {
                lat = (lat + north * degrees).clamp(-90.0, 90.0);
                lon = (lon + east * degrees + 540.0).rem_euclid(360.0) - 180.0;
                points.extend(std::iter::repeat_n(Point { lat, lon, ele }, 1 + usize::from(twice)));
            }
            points
        });
        Line { tracks: tracks.collect() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_holds_for_every_line_and_all_settings(
        line in lines(), fatigue in 0.5..=1.0_f64, penalty in 5.0..=1000.0_f64, cap in 30.0..=300.0_f64,
        ebike in any::<bool>(), dates in proptest::option::of(1..=366_i32),
    ) {
        let settings = Settings {
            elevation_penalty: penalty, max_distance_per_day: cap, ebike_mode: ebike, ..settings(fatigue, dates)
        };
        let length = line.length();
        let Cut { days, warnings } = match pacing::cut(&line, &settings) {
            Ok(cut) => cut,
            Err(CutError::NoLength) if length < 1.0 => return Ok(()),
            Err(CutError::TooManyDays(days)) if days > MOST_DAYS => return Ok(()),
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        };
        // Distances add up, days join.
        prop_assert!((days.iter().map(Day::distance).sum::<f64>() - length).abs() < 1.0);
        prop_assert_eq!((days[0].from, days[days.len() - 1].to), (0.0, length));
        prop_assert!(days.windows(2).all(|pair| pair[0].to == pair[1].from));
        prop_assert!(days.iter().all(|day| day.distance() >= 0.0 && day.start.is_on_earth() && day.end.is_on_earth()));

        // As many days as asked for, none over the cap unless the dates leave no choice.
        let unknown = warnings.iter().any(|warning| warning.code.starts_with("elevation_"));
        let efforts: Vec<_> = days.iter().map(|day| pacing::effort(day.distance(), day.ascent, &settings)).collect();
        let total: f64 = efforts.iter().sum();
        let short = warnings.iter().any(|warning| warning.code == "dates_too_short");
        match dates {
            Some(count) => prop_assert_eq!(days.len(), count as usize),
            None if !unknown => prop_assert_eq!(days.len(), (total / cap - 1e-6).ceil().max(1.0) as usize),
            None => {}
        }
        prop_assert!(short || days.iter().all(|day| day.distance() <= cap * 1000.0 * 1.000_002));
        if !unknown {
            prop_assert!(short || efforts.iter().all(|&effort| effort <= cap * 1.000_002), "{:?}", efforts);
            prop_assert!(efforts.windows(2).all(|pair| pair[1] <= pair[0] + 1e-3), "{:?}", efforts);
            let long = total > LEAST_EFFORT * days.len() as f64;
            prop_assert!(!long || efforts.iter().all(|&effort| effort >= LEAST_EFFORT - 1e-3), "{:?}", efforts);
            let climbed = |day: &Day| (day.ascent.unwrap(), day.descent.unwrap());
            prop_assert!(days.iter().map(climbed).all(|(up, down)| up >= -1e-6 && down >= -1e-6));
        }
        // Ends lie on the line: no straight way to an end is longer than the ride.
        for day in days.iter().filter(|_| line.tracks.len() == 1) {
            prop_assert!(distance(day.start, day.end) <= day.distance() + 1.0);
        }
    }
}
