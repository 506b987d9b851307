//! Edits of days, one by one: what each does, refuses, and leaves alone.

mod guards;
mod order;

use btp_domain::{
    AddWaypoint, ChooseAccommodation, EditStages, FailureCode, GeometryQuality, Leg, Point, Refusal, Settings, Stage,
    StageEdit, StageId, Trip, TripId, distance,
};
use jiff::civil::date;

use crate::world::{World, ann, bob, failure, principal, refusal, route, tour};

const DEGREE: f64 = 111_319.490_793;

/// A place so many km along the route of these tests, and so many metres north of it.
fn place(km: f64, north: f64) -> Point {
    Point { lat: north / 110_574.0, lon: 1.0 + km * 1000.0 / DEGREE, ele: None }
}

/// A flat trip of 300 km on days of 80, 80, 73.68 and 66.32 km from 1 July 2026 on.
async fn four_days(world: &World) -> TripId {
    let settings = Settings { start_date: Some(date(2026, 7, 1)), ..Settings::default() };
    world.planned_on(btp_domain::CreateTrip { settings, ..tour(1) }, route(300.0)).await
}

fn km(trip: &Trip) -> Vec<f64> {
    trip.stages.iter().map(|day| (day.distance / 10.0).round() / 100.0).collect()
}

async fn kms(world: &World, id: &TripId) -> Vec<f64> {
    km(&world.trip(id).await)
}

fn update(day: &Stage) -> StageEdit {
    StageEdit::Update { stage: day.id.clone(), start: None, end: None, label: None, distance: None }
}

fn to_end(day: &Stage, point: Point) -> StageEdit {
    StageEdit::Update { stage: day.id.clone(), start: None, end: Some(point), label: None, distance: None }
}

fn to_start(day: &Stage, point: Point) -> StageEdit {
    StageEdit::Update { stage: day.id.clone(), start: Some(point), end: None, label: None, distance: None }
}

fn to_km(day: &Stage, distance: f64) -> StageEdit {
    StageEdit::Update { stage: day.id.clone(), start: None, end: None, label: None, distance: Some(distance) }
}

fn rest_after(day: &Stage) -> StageEdit {
    StageEdit::RestDay { after: day.id.clone() }
}

fn delete(day: &Stage) -> StageEdit {
    StageEdit::Delete { stage: day.id.clone() }
}

fn sentence(refusal: Refusal) -> String {
    match refusal {
        Refusal::Invalid(sentence) => sentence,
        other => panic!("{other:?}"),
    }
}

fn is_near(a: Point, b: Point, metres: f64) -> bool {
    distance(a, b) < metres
}

#[tokio::test]
async fn a_day_of_another_distance_takes_from_the_next_ridden_one_or_gives_to_it() {
    let world = World::new();
    let id = four_days(&world).await;
    let days = world.trip(&id).await.stages;
    let edited = world.edit(&id, to_km(&days[1], 55.0)).await.unwrap();
    assert_eq!((edited.version, edited.next), (2, None));
    assert!(edited.result.contains("55.00 km") && edited.result.contains("98.68 km"), "{}", edited.result);
    assert_eq!(kms(&world, &id).await, [80.0, 55.0, 98.68, 66.32]);
    world.edit(&id, rest_after(&days[1])).await.unwrap();
    world.edit(&id, to_km(&days[1], 100.0)).await.unwrap();
    let trip = world.trip(&id).await;
    assert_eq!(km(&trip), [80.0, 100.0, 0.0, 53.68, 66.32], "through the rest day");
    assert_eq!((trip.stages[2].start, trip.stages[2].end), (trip.stages[1].end, trip.stages[3].start));
    assert_eq!(trip.stages[1].legs.len(), 1, "along the line");
    for wrong in [0.0, -5.0, 0.001, 153.68, 154.0, 1e300, f64::NAN, f64::INFINITY] {
        let refused = sentence(refusal(world.edit(&id, to_km(&days[1], wrong)).await));
        assert!(refused.contains("less than 153.68 km"), "{wrong}: {refused}");
    }
    assert_eq!(world.trip(&id).await, trip);
}

#[tokio::test]
async fn the_last_day_can_only_be_shortened_and_the_rest_becomes_a_day() {
    let world = World::new();
    let id = four_days(&world).await;
    let days = world.trip(&id).await.stages;
    let refused = sentence(refusal(world.edit(&id, to_km(&days[3], 70.0)).await));
    assert!(refused.contains("less than 66.32 km"), "{refused}");
    world.edit(&id, to_km(&days[3], 40.0)).await.unwrap();
    let trip = world.trip(&id).await;
    assert_eq!(km(&trip), [80.0, 80.0, 73.68, 40.0, 26.32]);
    assert_eq!(trip.end_date(), Some(date(2026, 7, 5)));
    let shown = world.edit(&id, to_km(&days[3], 40.001)).await.unwrap();
    assert_eq!((shown.version, world.trip(&id).await), (2, trip), "shown as the same it is the same");
}

#[tokio::test]
async fn an_end_on_the_line_cuts_it_there_and_the_next_day_starts_there() {
    let world = World::new();
    let id = four_days(&world).await;
    let days = world.trip(&id).await.stages;
    world.edit(&id, to_end(&days[0], place(70.0, 150.0))).await.unwrap();
    let trip = world.trip(&id).await;
    assert_eq!(km(&trip), [70.0, 90.0, 73.68, 66.32], "150 m aside is on the line");
    assert!(is_near(trip.stages[0].end, place(70.0, 0.0), 1.0));
    assert_eq!(trip.stages[0].end, trip.stages[1].start);
    assert_eq!(trip.stages[0].quality, GeometryQuality::Source);
    world.edit(&id, to_start(&trip.stages[1], place(100.0, 0.0))).await.unwrap();
    assert_eq!(kms(&world, &id).await, [100.0, 60.0, 73.68, 66.32], "a start takes the end before along");
    world.edit(&id, to_end(&days[3], place(290.0, 0.0))).await.unwrap();
    assert_eq!(kms(&world, &id).await, [100.0, 60.0, 73.68, 56.32], "the last day ends earlier");
    world.edit(&id, to_end(&days[3], place(300.0, 0.0))).await.unwrap();
    world.edit(&id, to_start(&days[0], place(20.0, 0.0))).await.unwrap();
    assert_eq!(kms(&world, &id).await, [80.0, 60.0, 73.68, 66.32], "and later again; the first starts later");
    for (edit, name) in [
        (to_end(&days[0], place(165.0, 0.0)), "endPoint"),
        (to_end(&days[1], place(90.0, 10.0)), "endPoint"),
        (to_start(&days[2], place(240.0, 0.0)), "startPoint"),
        (to_start(&days[0], place(105.0, 0.0)), "startPoint"),
    ] {
        let refused = sentence(refusal(world.edit(&id, edit).await));
        assert!(refused.starts_with(&format!("\"{name}\" is on the route")), "{refused}");
    }
}

#[tokio::test]
async fn an_end_aside_is_joined_by_a_straight_line_that_counts() {
    let world = World::new();
    let id = four_days(&world).await;
    let days = world.trip(&id).await.stages;
    let village = Point { ele: Some(412.0), ..place(70.0, 3000.0) };
    let edited = world.edit(&id, to_end(&days[0], village)).await.unwrap();
    assert!(edited.result.contains("straight"), "{}", edited.result);
    let trip = world.trip(&id).await;
    assert_eq!(km(&trip), [73.0, 93.0, 73.68, 66.32], "there and back again");
    assert_eq!((trip.stages[0].end, trip.stages[1].start), (village, village));
    assert_eq!(trip.stages[0].quality, GeometryQuality::StraightLine);
    assert_eq!(trip.stages[0].legs.len(), 2);
    assert!(trip.stages[0].ascent.is_some(), "most of the day is known");
    world.edit(&id, to_km(&days[0], 60.0)).await.unwrap();
    let trip = world.trip(&id).await;
    assert_eq!(km(&trip), [60.0, 100.0, 73.68, 66.32], "another end, and the way aside is gone");
    assert!(trip.stages[..2].iter().all(|day| day.quality == GeometryQuality::Source));
    for nowhere in [Point { lat: 91.0, lon: 0.0, ele: None }, Point { lat: f64::NAN, lon: 0.0, ele: None }] {
        assert!(sentence(refusal(world.edit(&id, to_end(&days[0], nowhere)).await)).contains("-90 and 90"));
        assert!(sentence(refusal(world.edit(&id, to_start(&days[0], nowhere)).await)).contains("startPoint"));
    }
}

#[tokio::test]
async fn a_distance_decides_over_an_end_and_says_so() {
    let world = World::new();
    let id = four_days(&world).await;
    let day = world.trip(&id).await.stages[0].clone();
    let both = |km: f64, distance| StageEdit::Update {
        stage: day.id.clone(),
        start: None,
        end: Some(place(km, 0.0)),
        label: None,
        distance: Some(distance),
    };
    let agreed = world.edit(&id, both(60.0, 60.0)).await.unwrap().result;
    assert!(!agreed.contains("endPoint"), "{agreed}");
    let decided = world.edit(&id, both(60.0, 50.0)).await.unwrap().result;
    assert!(decided.contains("50.00 km") && decided.contains("and not \"endPoint\""), "{decided}");
    assert_eq!(kms(&world, &id).await, [50.0, 110.0, 73.68, 66.32]);
}

#[tokio::test]
async fn a_loop_is_cut_where_the_day_passes_not_where_it_is_nearest_to_the_start() {
    let world = World::new();
    let out: Vec<_> = (0..=60).map(|km| place(f64::from(km), 0.0)).collect();
    let back = (0..=60).rev().map(|km| place(f64::from(km), 4.0));
    let line = btp_domain::Line { tracks: vec![out.into_iter().chain(back).collect()] };
    let id = world.planned_on(tour(1), btp_domain::route::FetchedRoute { line, ..route(1.0) }).await;
    let days = world.trip(&id).await.stages;
    assert_eq!(kms(&world, &id).await, [63.16, 56.84]);
    world.edit(&id, to_end(&days[0], place(50.0, 2.0))).await.unwrap();
    assert_eq!(kms(&world, &id).await, [70.0, 50.0], "on the way back, which is nearer to where it ended");
    world.edit(&id, to_end(&days[0], place(20.0, 0.0))).await.unwrap();
    assert_eq!(kms(&world, &id).await, [100.0, 20.0]);
    world.edit(&id, to_km(&days[0], 30.0)).await.unwrap();
    world.edit(&id, to_end(&days[0], place(20.0, 4.0))).await.unwrap();
    assert_eq!(kms(&world, &id).await, [20.0, 100.0]);
}

#[tokio::test]
async fn a_deleted_day_goes_to_the_next_one_and_the_last_to_the_one_before() {
    let world = World::new();
    let id = four_days(&world).await;
    let days = world.trip(&id).await.stages;
    world.edit(&id, delete(&days[1])).await.unwrap();
    let trip = world.trip(&id).await;
    assert_eq!(km(&trip), [80.0, 153.68, 66.32]);
    assert_eq!(trip.stages[1].id, days[2].id);
    assert_eq!((trip.stages[1].start, trip.stages[1].ascent), (days[1].start, Some(0.0)));
    assert_eq!(trip.end_date(), Some(date(2026, 7, 3)));
    world.edit(&id, delete(&days[3])).await.unwrap();
    assert_eq!(kms(&world, &id).await, [80.0, 220.0]);
    world.edit(&id, rest_after(&days[2])).await.unwrap();
    world.edit(&id, delete(&days[0])).await.unwrap();
    assert_eq!(kms(&world, &id).await, [300.0, 0.0]);
    assert!(sentence(refusal(world.edit(&id, delete(&days[2])).await)).contains("only ridden day"));
    let rest = world.trip(&id).await.stages[1].clone();
    world.edit(&id, delete(&rest)).await.unwrap();
    assert_eq!(kms(&world, &id).await, [300.0]);
}

#[tokio::test]
async fn climbing_is_kept_when_days_are_merged_and_split() {
    let world = World::new();
    let points = (0..=3000).map(|part| {
        let km = f64::from(part) / 10.0;
        Point { ele: Some(1000.0 - ((km % 100.0) - 50.0).abs() * 20.0), ..place(km, 0.0) }
    });
    let line = btp_domain::Line { tracks: vec![points.collect()] };
    let id = world.planned_on(tour(1), btp_domain::route::FetchedRoute { line, ..route(1.0) }).await;
    let climbed = |trip: &Trip| {
        let sum = |of: fn(&Stage) -> Option<f64>| trip.ridden().map(|day| of(day).unwrap()).sum::<f64>();
        (sum(|day| day.ascent), sum(|day| day.descent))
    };
    let before = world.trip(&id).await;
    let (up, down) = climbed(&before);
    assert!((up - 3000.0).abs() < 60.0, "{up}");
    world.edit(&id, to_km(&before.stages[0], 20.0)).await.unwrap();
    world.edit(&id, delete(&before.stages[2])).await.unwrap();
    world.edit(&id, rest_after(&before.stages[1])).await.unwrap();
    let after = climbed(&world.trip(&id).await);
    assert!((after.0 - up).abs() < 1e-6 && (after.1 - down).abs() < 1e-6, "{after:?}");
}
