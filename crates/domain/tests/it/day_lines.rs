//! The lines of the days: parts of the source line, straight additions, gaps.

use btp_domain::{Leg, Line, Point, Trip, distance};

use crate::world::{World, route, tour};

fn at(lon: f64) -> Point {
    Point { lat: 0.0, lon, ele: Some(5.0) }
}

fn lons(line: &Line) -> Vec<Vec<f64>> {
    let thousandths = |point: &Point| (point.lon * 1000.0).round() / 1000.0;
    line.tracks.iter().map(|track| track.iter().map(thousandths).collect()).collect()
}

/// A trip whose one day has these legs.
async fn trip(legs: &[Leg]) -> Trip {
    let world = World::new();
    let id = world.planned(tour(1)).await;
    let mut trip = world.trip(&id).await;
    trip.stages.truncate(1);
    trip.stages[0].legs = legs.to_vec();
    trip
}

#[tokio::test]
async fn the_days_of_a_cut_are_the_whole_line() {
    let world = World::new();
    let id = world.planned(tour(1)).await;
    let (trip, source) = (world.trip(&id).await, route(100.0).line);
    let lines = trip.day_lines(&source);
    assert!(lines.len() > 1 && lines.len() == trip.stages.len());
    for (line, stage) in lines.iter().zip(&trip.stages) {
        assert!((line.length() - stage.distance).abs() < 0.01);
        let track = &line.tracks[0];
        assert!(distance(track[0], stage.start) < 0.01 && distance(track[track.len() - 1], stage.end) < 0.01);
    }
    assert!((lines.iter().map(Line::length).sum::<f64>() - source.length()).abs() < 0.01);
}

#[tokio::test]
async fn parts_and_straight_ways_are_joined_and_gaps_stay() {
    let degree = distance(at(0.0), at(1.0));
    let source = Line { tracks: vec![vec![at(0.0), at(1.0), at(1.0)], vec![], vec![at(5.0), at(6.0), at(7.0)]] };
    let part = |from: f64, to: f64| Leg::Source { from: from * degree, to: to * degree };
    for (legs, expected) in [
        (vec![part(0.0, 0.25)], vec![vec![0.0, 0.25]]),
        (vec![part(0.5, 1.5)], vec![vec![0.5, 1.0], vec![5.0, 5.5]]),
        (vec![part(1.0, 3.0)], vec![vec![5.0, 6.0, 7.0]]),
        (vec![part(2.0, 9.0)], vec![vec![6.0, 7.0]]),
        (vec![Leg::Straight { from: at(0.1), to: at(0.5) }, part(0.5, 0.75)], vec![vec![0.1, 0.5, 0.75]]),
        (vec![part(0.5, 0.75), Leg::Straight { from: at(0.8), to: at(0.9) }], vec![vec![0.5, 0.75], vec![0.8, 0.9]]),
        (vec![part(0.5, 0.5)], vec![]),
        (vec![], vec![]),
    ] {
        let lines = trip(&legs).await.day_lines(&source);
        assert_eq!(lons(&lines[0]), expected, "{legs:?}");
    }
    assert!(trip(&[part(0.0, 1.0)]).await.day_lines(&Line::default())[0].tracks.is_empty());
}

#[tokio::test]
async fn elevations_no_road_has_are_unknown() {
    let heights = [5.0, 6.0, 9999.0, 7.0, 900.0, 8.0];
    let track = heights.iter().zip(0..).map(|(&ele, i)| Point { ele: Some(ele), ..at(f64::from(i) * 0.001) }).collect();
    let source = Line { tracks: vec![track] };
    let lines = trip(&[Leg::Source { from: 0.0, to: source.length() }]).await.day_lines(&source);
    let found: Vec<_> = lines[0].tracks[0].iter().map(|point| point.ele).collect();
    assert_eq!(found, [Some(5.0), Some(6.0), None, Some(7.0), None, Some(8.0)]);
}
