//! Edits of days, one by one: what each does, refuses, and leaves alone.

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

#[tokio::test]
async fn rest_days_are_never_first_and_never_two_in_a_row() {
    let world = World::new();
    let id = four_days(&world).await;
    let days = world.trip(&id).await.stages;
    world.edit(&id, rest_after(&days[0])).await.unwrap();
    world.edit(&id, rest_after(&days[1])).await.unwrap();
    let trip = world.trip(&id).await;
    let rests = [trip.stages[1].clone(), trip.stages[3].clone()];
    assert_eq!((trip.end_date(), trip.ridden().count()), (Some(date(2026, 7, 6)), 4));
    assert!(rests.iter().all(|rest| rest.is_rest_day && rest.distance == 0.0 && rest.ascent == Some(0.0)));
    assert_eq!((rests[0].start, rests[0].end), (days[0].end, days[0].end));
    let moved = |day: &Stage, to| StageEdit::Move { stage: day.id.clone(), to };
    for (edit, number, id_of) in [
        (rest_after(&days[0]), 2, None),
        (rest_after(&rests[0]), 2, None),
        (delete(&days[0]), 2, Some(&rests[0])),
        (delete(&days[1]), 4, Some(&rests[1])),
        (moved(&days[0], 5), 2, Some(&rests[0])),
        (moved(&rests[1], 2), 4, Some(&rests[1])),
        (moved(&rests[0], 0), 2, Some(&rests[0])),
    ] {
        let refused = sentence(refusal(world.edit(&id, edit.clone()).await));
        assert!(refused.contains(&format!("ay {number} ")), "{edit:?}: {refused}");
        assert!(id_of.is_none_or(|rest| refused.contains(rest.id.as_str())), "{refused}");
    }
    assert!(sentence(refusal(world.edit(&id, to_km(&rests[0], 5.0)).await)).contains("rest day"));
    assert_eq!(world.trip(&id).await, trip);
    world.edit(&id, moved(&rests[1], 5)).await.unwrap();
    let trip = world.trip(&id).await;
    assert_eq!(trip.stages[5].id, rests[1].id);
    assert_eq!(trip.stages[5].start, trip.stages[4].end, "a rest day is where the day before ends");
}

#[tokio::test]
async fn an_order_that_breaks_the_way_says_so() {
    let world = World::new();
    let id = four_days(&world).await;
    let days = world.trip(&id).await.stages;
    world.edit(&id, StageEdit::Move { stage: days[3].id.clone(), to: 1 }).await.unwrap();
    let trip = world.trip(&id).await;
    assert_eq!(km(&trip), [80.0, 66.32, 80.0, 73.68]);
    let codes = |trip: &Trip| -> Vec<Vec<&str>> {
        trip.stages.iter().map(|day| trip.alerts(day).iter().map(|alert| alert.code).collect()).collect()
    };
    let broken = vec!["continuity_gap_critical"];
    assert_eq!(codes(&trip), [broken.clone(), broken, vec![], vec![]]);
    for to in [1, 0] {
        let same = world.edit(&id, StageEdit::Move { stage: trip.stages[to].id.clone(), to }).await.unwrap();
        assert_eq!(same.version, trip.version, "nothing changed");
    }
    let refused = sentence(refusal(world.edit(&id, StageEdit::Move { stage: days[0].id.clone(), to: 4 }).await));
    assert_eq!(refused, "\"toIndex\" must be between 0 and 3.");
    let gap = world.edit(&id, to_end(&days[0], days[3].start)).await.unwrap();
    assert_eq!(gap.version, 3);
    let closed = world.trip(&id).await;
    assert_eq!(codes(&closed)[0], Vec::<&str>::new(), "a straight line joins what was apart");
    assert_eq!(km(&closed), [233.68, 66.32, 80.0, 73.68]);
    world.edit(&id, StageEdit::Delete { stage: days[3].id.clone() }).await.unwrap();
    assert_eq!(kms(&world, &id).await, [233.68, 366.32, 73.68], "both lines and the way between them");
}

#[tokio::test]
async fn a_day_that_is_added_leaves_its_neighbours_alone() {
    let world = World::new();
    let id = four_days(&world).await;
    let before = world.trip(&id).await;
    let add = |start, end, position| StageEdit::Add { start, end, position, label: Some(" By\ttrain ".to_owned()) };
    world.edit(&id, add(place(80.0, 0.0), place(80.0, 20_000.0), Some(1))).await.unwrap();
    let trip = world.trip(&id).await;
    assert_eq!(km(&trip), [80.0, 20.0, 80.0, 73.68, 66.32]);
    let day = &trip.stages[1];
    assert_eq!(
        (day.label.as_deref(), day.quality, day.ascent),
        (Some("By train"), GeometryQuality::StraightLine, None)
    );
    assert!(trip.stages.iter().filter(|other| other.id != day.id).eq(before.stages.iter()));
    assert_eq!(trip.end_date(), Some(date(2026, 7, 5)));

    world.edit(&id, add(place(100.0, 50.0), place(130.0, -50.0), None)).await.unwrap();
    let trip = world.trip(&id).await;
    assert_eq!(km(&trip)[5], 30.0);
    assert!(matches!(trip.stages[5].legs[..], [Leg::Source { .. }]), "along the line where both ends are on it");
    for (edit, word) in [
        (add(place(0.0, 0.0), place(0.0, 1.0), None), "same place"),
        (add(place(0.0, 900.0), place(0.0, 900.0), None), "same place"),
        (add(place(0.0, 0.0), place(9.0, 0.0), Some(7)), "between 0 and 6"),
        (add(Point { lat: 0.0, lon: 180.1, ele: None }, place(9.0, 0.0), None), "startPoint"),
    ] {
        let refused = sentence(refusal(world.edit(&id, edit).await));
        assert!(refused.contains(word), "{refused}");
    }
    world.edit(&id, add(place(0.0, 0.0), place(9.0, 0.0), Some(0))).await.unwrap();
}

#[tokio::test]
async fn labels_are_names_and_an_update_needs_something() {
    let world = World::new();
    let id = four_days(&world).await;
    let day = world.trip(&id).await.stages[0].clone();
    let label = |text: &str| StageEdit::Update {
        stage: day.id.clone(),
        start: None,
        end: None,
        label: Some(text.to_owned()),
        distance: None,
    };
    world.edit(&id, label(" Up\u{202e}\n the  pass\0")).await.unwrap();
    assert_eq!(world.trip(&id).await.stages[0].label.as_deref(), Some("Up the pass"));
    assert_eq!(world.edit(&id, label("Up the pass")).await.unwrap().version, 2, "the same again is no change");
    assert_eq!(world.edit(&id, label(" ")).await.unwrap().version, 3);
    assert_eq!(world.trip(&id).await.stages[0].label, None);
    let refused = sentence(refusal(world.edit(&id, update(&day)).await));
    assert!(refused.contains("\"startPoint\", \"endPoint\", \"label\" and \"distance\""), "{refused}");
}

#[tokio::test]
async fn a_trip_has_at_most_366_days() {
    let world = World::new();
    let settings =
        Settings { start_date: Some(date(2027, 1, 1)), end_date: Some(date(2028, 1, 1)), ..Settings::default() };
    let id = world.planned_on(btp_domain::CreateTrip { settings, ..tour(1) }, route(4000.0)).await;
    let trip = world.trip(&id).await;
    assert_eq!(trip.stages.len(), 366);
    for edit in [
        rest_after(&trip.stages[10]),
        to_km(&trip.stages[365], 1.0),
        StageEdit::Add { start: place(0.0, 0.0), end: place(1.0, 0.0), position: None, label: None },
    ] {
        assert_eq!(sentence(refusal(world.edit(&id, edit).await)), "A trip has at most 366 days.");
    }
    assert_eq!(world.trip(&id).await, trip);
}

#[tokio::test]
async fn the_middle_of_a_long_trip_can_be_edited_with_chained_versions() {
    let world = World::new();
    let settings = Settings { start_date: Some(date(2026, 12, 28)), fatigue_factor: 1.0, ..Settings::default() };
    let id = world.planned_on(btp_domain::CreateTrip { settings, ..tour(1) }, route(800.0)).await;
    let days = world.trip(&id).await.stages;
    assert_eq!(days.len(), 10);
    let mut version = 1;
    for edit in [
        delete(&days[4]),
        StageEdit::Move { stage: days[8].id.clone(), to: 1 },
        rest_after(&days[1]),
        to_km(&days[2], 55.0),
    ] {
        let command = |version| EditStages { trip: id.clone(), version: Some(version), edit: edit.clone() };
        let edited = world.planner.edit_stages(&ann(), command(version)).await.unwrap();
        assert_eq!(edited.version, version + 1);
        let stale = Refusal::Moved { trip: id.clone(), edited: version, current: version + 1 };
        assert_eq!(refusal(world.planner.edit_stages(&ann(), command(version)).await), stale);
        version = edited.version;
    }
    let trip = world.trip(&id).await;
    assert_eq!(km(&trip), [80.0, 80.0, 80.0, 0.0, 55.0, 105.0, 160.0, 80.0, 80.0, 80.0]);
    assert_eq!((trip.end_date(), trip.ridden().count()), (Some(date(2027, 1, 6)), 9));
    assert!((trip.distance() - 800_000.0).abs() < 1.0);
    let torn: Vec<_> = trip.stages.iter().filter(|day| !trip.alerts(day).is_empty()).map(|day| &day.id).collect();
    assert_eq!(torn, [&days[0].id, &days[8].id, &days[7].id], "around the day that was moved, and where it was");
}

/// Ownership, lock, first cut, version, day, rule.
#[tokio::test]
async fn guards_come_in_their_order() {
    let world = World::new();
    let nowhere = || StageEdit::Move { stage: StageId::from("nowhere"), to: 999 };
    let call = |trip: &TripId, version| EditStages { trip: trip.clone(), version, edit: nowhere() };
    let past = Settings { start_date: Some(date(2026, 6, 1)), ..Settings::default() };
    let locked = world.create(btp_domain::CreateTrip { settings: past, ..tour(1) }).await;
    let planner = &world.planner;
    let reader = principal("ann", "trips:read");
    assert_eq!(refusal(planner.edit_stages(&reader, call(&locked, None)).await), Refusal::Scope("trips:write"));
    assert_eq!(refusal(planner.edit_stages(&bob(), call(&locked, None)).await), Refusal::NoTrip);
    assert_eq!(refusal(planner.edit_stages(&ann(), call(&locked, None)).await), Refusal::Locked, "before its days");
    world.take().await.unwrap();

    let id = world.create(tour(2)).await;
    assert_eq!(refusal(planner.edit_stages(&ann(), call(&id, None)).await), Refusal::Computing, "before the version");
    world.will_give(Ok(route(100.0)));
    world.work().await.unwrap();
    assert_eq!(refusal(planner.edit_stages(&ann(), call(&id, None)).await), Refusal::NoVersion);
    let stale = Refusal::Moved { trip: id.clone(), edited: 7, current: 1 };
    assert_eq!(refusal(planner.edit_stages(&ann(), call(&id, Some(7))).await), stale, "before the day");
    assert_eq!(refusal(planner.edit_stages(&ann(), call(&id, Some(1))).await), Refusal::NoStage, "before the rule");

    let failed = world.create(tour(3)).await;
    world.will_give(Err(failure(FailureCode::Gone)));
    world.work().await.unwrap();
    let no_days = Refusal::NoDays("It is gone.".to_owned());
    assert_eq!(refusal(planner.edit_stages(&ann(), call(&failed, None)).await), no_days);
    assert_eq!(refusal(planner.analyze_trip(&ann(), &failed).await), no_days);
    assert_eq!(refusal(planner.analyze_trip(&ann(), &locked).await), Refusal::Locked);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_twenty_writers_one_wins_and_the_others_learn_the_version() {
    let world = World::new();
    let id = four_days(&world).await;
    let days = world.trip(&id).await.stages;
    let writers = (0..20).map(|number| {
        let (planner, trip) = (world.planner.clone(), id.clone());
        let edit = to_km(&days[0], 40.0 + f64::from(number));
        tokio::spawn(async move { planner.edit_stages(&ann(), EditStages { trip, version: Some(1), edit }).await })
    });
    let mut won = 0;
    for writer in writers.collect::<Vec<_>>() {
        match writer.await.unwrap() {
            Ok(edited) => {
                assert_eq!(edited.version, 2);
                won += 1;
            }
            lost => assert_eq!(refusal(lost), Refusal::Moved { trip: id.clone(), edited: 1, current: 2 }),
        }
    }
    assert_eq!((won, world.trip(&id).await.version), (1, 2));
}

#[tokio::test]
async fn what_needs_map_data_says_so_after_its_other_refusals() {
    let world = World::new();
    let id = four_days(&world).await;
    let days = world.trip(&id).await.stages;
    world.edit(&id, rest_after(&days[0])).await.unwrap();
    let rest = world.trip(&id).await.stages[1].clone();
    let planner = &world.planner;
    let waypoint = |day: &Stage, place| AddWaypoint { trip: id.clone(), stage: day.id.clone(), place };
    let through =
        async |day: &Stage, place| sentence(refusal(planner.add_waypoint(&ann(), waypoint(day, place)).await));
    assert!(through(&days[0], Point { lat: 100.0, ..place(0.0, 0.0) }).await.contains("waypointLat"));
    assert!(through(&rest, place(0.0, 0.0)).await.contains("rest day"));
    assert!(through(&days[0], place(0.0, 0.0)).await.contains("no router"));
    let unknown = AddWaypoint { stage: "nowhere".into(), ..waypoint(&rest, place(0.0, 0.0)) };
    assert_eq!(refusal(planner.add_waypoint(&ann(), unknown).await), Refusal::NoStage);
    assert!(sentence(refusal(planner.analyze_trip(&ann(), &id).await)).contains("no map data"));

    let choice =
        |lat, lon| ChooseAccommodation { trip: id.clone(), stage: days[0].id.clone(), version: Some(2), lat, lon };
    for (lat, lon, word) in
        [(Some(1.0), None, "or neither"), (None, Some(1.0), "or neither"), (Some(1.0), Some(1.0), "no map data")]
    {
        let refused = sentence(refusal(planner.choose_accommodation(&ann(), choice(lat, lon)).await));
        assert!(refused.contains(word), "{refused}");
    }
    let cleared = planner.choose_accommodation(&ann(), choice(None, None)).await.unwrap();
    assert_eq!((cleared.version, world.trip(&id).await.version), (2, 2), "nothing was chosen, nothing changes");
    let stale = ChooseAccommodation { version: Some(1), ..choice(None, None) };
    let moved = Refusal::Moved { trip: id.clone(), edited: 1, current: 2 };
    assert_eq!(refusal(planner.choose_accommodation(&ann(), stale).await), moved);
}

#[tokio::test]
async fn the_former_days_are_kept() {
    let world = World::new();
    let id = four_days(&world).await;
    let first = world.trip(&id).await;
    world.edit(&id, to_km(&first.stages[0], 30.0)).await.unwrap();
    let second = world.trip(&id).await;
    world.edit(&id, delete(&first.stages[1])).await.unwrap();
    let kept = async |version| world.stores.trips.former_days(&ann().user, &id, version).await.unwrap();
    assert_eq!(kept(1).await, Some(first.stages));
    assert_eq!(kept(2).await, Some(second.stages));
    assert_eq!(kept(3).await, None);
}
