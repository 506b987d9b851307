//! The first cut, and everything that may come between.

use std::sync::atomic::Ordering;

use btp_domain::{
    Computation, CreateTrip, FailureCode, GeometryQuality, Leg, Line, ListStatus, Point, Readiness, Settings, Trip,
    Warning,
    kernel::Clock,
    route::FetchedRoute,
    store::{Change, Job, StoreError},
};
use jiff::civil::date;

use crate::world::{World, ann, failure, ready, route, tour};

#[tokio::test]
async fn a_route_becomes_days() {
    let world = World::new();
    *world.atlas.zone.lock().unwrap() = Some("Africa/Libreville".to_owned());
    let id = world.create(tour(1)).await;
    world.pass(20);
    let note = Warning { code: "note".to_owned(), message: "Of the source.".to_owned() };
    world.will_give(Ok(FetchedRoute { warnings: vec![note.clone()], ..route(100.0) }));
    world.work().await.unwrap();

    let trip = world.trip(&id).await;
    assert_eq!((trip.version, trip.readiness, trip.is_partial()), (1, Readiness::Ready, false));
    assert_eq!((trip.computations.route, trip.list_status()), (Computation::Done, ListStatus::Analyzed));
    assert_eq!(trip.title.as_deref(), Some("From the source"));
    assert_eq!(trip.zone.as_deref(), Some("Africa/Libreville"));
    assert_eq!((&trip.failure, &trip.warnings), (&None, &vec![note]));
    assert_eq!(trip.updated_at, world.clock.now());
    assert!((trip.distance() - 100_000.0).abs() < 0.1);
    let line = world.stores.trips.line(&ann().user, &id).await.unwrap().unwrap();
    assert_eq!(line, route(100.0).line);
    let [first, second] = &trip.stages[..] else { panic!("two days") };
    assert_ne!(first.id, second.id);
    let [Leg::Source { from, to }] = first.legs[..] else { panic!("one leg") };
    assert_eq!((from, &second.legs[..]), (0.0, &[Leg::Source { from: to, to: line.length() }][..]));
    assert_eq!((first.start, first.end, second.end), (line.tracks[0][0], second.start, line.tracks[0][10]));
    assert_eq!((first.quality, first.is_rest_day), (GeometryQuality::Source, false));
    assert_eq!(world.take().await, None, "the job is done by the same write");
    assert_eq!(world.sources.asked.lock().unwrap()[0], trip.source);
}

#[tokio::test]
async fn one_day_is_enough_and_the_callers_title_stays() {
    let world = World::new();
    let id = world.create(CreateTrip { title: Some("Mine".to_owned()), ..tour(1) }).await;
    world.will_give(Ok(route(20.0)));
    world.work().await.unwrap();
    let trip = world.trip(&id).await;
    assert_eq!((trip.title.as_deref(), trip.stages.len(), trip.readiness), (Some("Mine"), 1, Readiness::Ready));

    let id = world.create(tour(2)).await;
    world.will_give(Ok(FetchedRoute { title: Some("\u{202e}\n".to_owned()), ..route(20.0) }));
    world.work().await.unwrap();
    assert_eq!(world.trip(&id).await.title, None, "a title of nothing is none");
}

#[tokio::test]
async fn failures_of_the_source_are_final() {
    for code in [FailureCode::NotFound, FailureCode::PrivateOrLoginRequired, FailureCode::Timeout] {
        let world = World::new();
        let id = world.create(tour(1)).await;
        world.will_give(Err(failure(code)));
        world.work().await.unwrap();
        let trip = world.trip(&id).await;
        assert_eq!(trip.failure, Some(failure(code)));
        assert_eq!(
            (trip.is_partial(), trip.list_status(), trip.readiness),
            (false, ListStatus::Failed, Readiness::Draft)
        );
        assert_eq!((trip.version, trip.stages.len()), (1, 0));
        assert_eq!(world.take().await, None, "nobody tries again");
        assert_eq!(world.sources.calls.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn routes_that_cannot_be_cut_fail_with_a_reason() {
    let point = |lat, lon| Point { lat, lon, ele: None };
    let with = |points: Vec<Point>| FetchedRoute { line: Line { tracks: vec![points] }, ..route(1.0) };
    for (route, code) in [
        (with(Vec::new()), FailureCode::NoTrackPoints),
        (with(vec![point(47.0, 9.0)]), FailureCode::NoTrackPoints),
        (with(vec![point(47.0, 9.0); 2]), FailureCode::NoTrackPoints),
        (with(vec![point(0.0, 0.0), point(47.0, 9.0), point(0.0, 0.0)]), FailureCode::NoTrackPoints),
        (with(vec![point(47.0, 9.0), point(47.0, f64::NAN)]), FailureCode::UpstreamChanged),
        (route(15_000.0), FailureCode::TooManyDays),
    ] {
        let world = World::new();
        let slow = Settings { max_distance_per_day: 30.0, ..Settings::default() };
        let id = world.create(CreateTrip { settings: slow, ..tour(1) }).await;
        world.will_give(Ok(route));
        world.work().await.unwrap();
        let trip = world.trip(&id).await;
        let failure = trip.failure.clone().unwrap();
        assert_eq!(failure.code, code);
        assert!(failure.message.contains("create it again"), "{}", failure.message);
        assert_eq!((trip.list_status(), trip.title), (ListStatus::Failed, None));
        assert_eq!(world.stores.trips.line(&ann().user, &id).await.unwrap(), None);
    }
}

#[tokio::test]
async fn points_in_the_gulf_of_guinea_are_left_out() {
    let world = World::new();
    let id = world.create(tour(1)).await;
    let mut fetched = route(100.0);
    fetched.line.tracks[0].insert(5, Point { lat: 0.0, lon: 0.0, ele: None });
    world.will_give(Ok(fetched));
    world.work().await.unwrap();
    let trip = world.trip(&id).await;
    assert!((trip.distance() - 100_000.0).abs() < 0.1);
    assert_eq!(trip.warnings[0].code, "points_dropped");
}

#[tokio::test]
async fn a_collection_has_a_day_a_tour() {
    let world = World::new();
    let settings =
        Settings { start_date: Some(date(2026, 7, 1)), end_date: Some(date(2026, 7, 9)), ..Settings::default() };
    let source_url = "https://www.komoot.com/collection/1".to_owned();
    let id = world.create(CreateTrip { source_url, settings, ..tour(1) }).await;
    let tracks = [150.0, 20.0].map(|km| route(km).line.tracks.remove(0)).to_vec();
    world.will_give(Ok(FetchedRoute { line: Line { tracks }, ..route(1.0) }));
    world.work().await.unwrap();
    let trip = world.trip(&id).await;
    assert_eq!(trip.stages.iter().map(|day| (day.distance / 1000.0).round()).collect::<Vec<_>>(), [150.0, 20.0]);
    assert_eq!((trip.end_date(), trip.warnings[0].code.as_str()), (Some(date(2026, 7, 2)), "collection_days"));
    assert_eq!(trip.stages[1].start, route(1.0).line.tracks[0][0]);
}

/// Another change of the trip, as an edit makes it.
fn edit(trip: &Trip, title: &str) -> Change {
    let changed = Trip { title: Some(title.to_owned()), version: trip.version + 1, ..trip.clone() };
    Change { read: trip.version, trip: changed, line: None, former: None, jobs: Vec::new(), finishes: None }
}

#[tokio::test]
async fn a_trip_that_moves_is_read_again_but_not_fetched_again() {
    let world = World::new();
    let id = world.create(tour(1)).await;
    for number in 0..3 {
        let (trips, id) = (world.stores.trips.clone(), id.clone());
        let meanwhile = move || {
            let trip = ready(trips.find(&ann().user, &id)).unwrap().unwrap();
            ready(trips.commit(edit(&trip, &format!("title {number}")))).unwrap();
        };
        world.atlas.meanwhile.lock().unwrap().push_back(Box::new(meanwhile));
    }
    world.will_give(Ok(route(100.0)));
    world.work().await.unwrap();
    let trip = world.trip(&id).await;
    assert_eq!((trip.title.as_deref(), trip.version, trip.stages.len()), (Some("title 2"), 4, 2));
    assert_eq!(world.sources.calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_trip_that_never_rests_is_left_to_another_attempt() {
    let world = World::new();
    let id = world.create(tour(1)).await;
    for _ in 0..50 {
        let (trips, id) = (world.stores.trips.clone(), id.clone());
        let meanwhile = move || {
            let trip = ready(trips.find(&ann().user, &id)).unwrap().unwrap();
            ready(trips.commit(edit(&trip, "again"))).unwrap();
        };
        world.atlas.meanwhile.lock().unwrap().push_back(Box::new(meanwhile));
    }
    world.will_give(Ok(route(100.0)));
    assert!(matches!(world.work().await, Err(StoreError::Moved(_))));
    assert!(world.trip(&id).await.is_partial());
}

#[tokio::test]
async fn a_deleted_trip_and_a_lost_lease_write_nothing() {
    let world = World::new();
    let id = world.create(tour(1)).await;
    let (first, Job::FetchRoute { owner, trip }) = world.take().await.unwrap();
    world.pass(61);
    let (second, _) = world.take().await.unwrap();
    let background = world.planner.background();
    world.will_give(Ok(route(100.0)));
    world.will_give(Ok(route(50.0)));
    assert!(matches!(background.fetch_route(&owner, &trip, &first).await, Err(StoreError::LeaseLost)));
    assert!(world.trip(&id).await.is_partial());
    background.fetch_route(&owner, &trip, &second).await.unwrap();
    assert!((world.trip(&id).await.distance() - 50_000.0).abs() < 0.1);

    let gone = world.create(tour(2)).await;
    let (lease, _) = world.take().await.unwrap();
    let (trips, deleted) = (world.stores.trips.clone(), gone.clone());
    let meanwhile = move || assert!(ready(trips.delete(&ann().user, &deleted)).unwrap());
    world.atlas.meanwhile.lock().unwrap().push_back(Box::new(meanwhile));
    world.will_give(Ok(route(100.0)));
    assert!(matches!(background.fetch_route(&owner, &gone, &lease).await, Err(StoreError::Gone)));
    assert!(matches!(background.fetch_route(&owner, &gone, &lease).await, Err(StoreError::Gone)));
}

#[tokio::test]
async fn used_up_attempts_settle_the_trip() {
    let world = World::new();
    let id = world.create(tour(1)).await;
    let (lease, Job::FetchRoute { owner, trip }) = world.take().await.unwrap();
    world.planner.background().give_up_route(&owner, &trip, &lease).await.unwrap();
    let trip = world.trip(&id).await;
    assert_eq!(trip.failure.as_ref().map(|failure| failure.code), Some(FailureCode::Internal));
    assert_eq!((trip.is_partial(), trip.list_status()), (false, ListStatus::Failed));
    assert_eq!(world.take().await, None);
}
