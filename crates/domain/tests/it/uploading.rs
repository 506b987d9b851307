//! Trips from files.

use std::sync::atomic::{AtomicUsize, Ordering};

use btp_domain::{
    Computation, Error, Line, PlannedRoute, Point, Readiness, Refusal, Settings, SourceKind, UploadTrip,
    route::FetchedRoute,
};

use crate::world::{World, ann, bob, principal, refusal, route};

fn file(name: &str) -> UploadTrip {
    UploadTrip { file: name.to_owned(), title: None, settings: Settings::default(), arguments: String::new() }
}

async fn plan(km: f64) -> Result<PlannedRoute, Error> {
    Ok(PlannedRoute::new(route(km), &Settings::default())?)
}

#[tokio::test]
async fn the_days_are_there_at_once() {
    let world = World::new();
    let created = world.planner.upload_trip(&ann(), file("digest"), plan(100.0)).await.unwrap();
    let trip = world.trip(&created.trip).await;
    assert_eq!((trip.version, trip.readiness, trip.is_partial()), (1, Readiness::Ready, false));
    assert_eq!((trip.computations.route, trip.stages.len()), (Computation::Done, 2));
    assert_eq!(
        (trip.source.kind, trip.source.id.as_str(), trip.source.address()),
        (SourceKind::GpxUpload, "digest", None)
    );
    assert_eq!(trip.title.as_deref(), Some("From the source"));
    let line = world.stores.trips.line(&ann().user, &created.trip).await.unwrap().unwrap();
    assert_eq!(line, route(100.0).line);
    assert_eq!(world.take().await, None, "there is nothing left to do");
}

#[tokio::test]
async fn one_file_makes_one_trip() {
    let world = World::new();
    let planned = AtomicUsize::new(0);
    let upload = async |principal, command: UploadTrip| {
        let counted = async {
            planned.fetch_add(1, Ordering::SeqCst);
            plan(100.0).await
        };
        world.planner.upload_trip(&principal, command, counted).await.unwrap()
    };
    let first = upload(ann(), file("one")).await;
    assert!(!first.replayed && upload(ann(), file("one")).await.replayed);
    assert_eq!(planned.load(Ordering::SeqCst), 1, "a repeated one is not read");
    for (principal, command) in [
        (ann(), file("two")),
        (bob(), file("one")),
        (ann(), UploadTrip { arguments: "title=x".to_owned(), ..file("one") }),
    ] {
        assert!(!upload(principal, command).await.replayed);
    }
    world.pass(601);
    assert!(!upload(ann(), file("one")).await.replayed, "later it is another wish");
}

#[tokio::test]
async fn nothing_is_read_for_who_may_not() {
    let world = World::new();
    let unread = || async { panic!("it was read") };
    let reader = principal("ann", "trips:read");
    let refused = world.planner.upload_trip(&reader, file("one"), unread()).await;
    assert_eq!(refusal(refused), Refusal::Scope("trips:write"));
    let settings = Settings { max_distance_per_day: 10.0, ..Settings::default() };
    let refused = world.planner.upload_trip(&ann(), UploadTrip { settings, ..file("one") }, unread()).await;
    assert!(matches!(refusal(refused), Refusal::Invalid(_)));
    let nameless = UploadTrip { title: Some("\u{1}".to_owned()), ..file("one") };
    assert!(matches!(refusal(world.planner.upload_trip(&ann(), nameless, unread()).await), Refusal::Invalid(_)));
    for number in 0..10 {
        world.planner.upload_trip(&ann(), file(&number.to_string()), plan(20.0)).await.unwrap();
    }
    assert_eq!(refusal(world.planner.upload_trip(&ann(), file("one"), unread()).await), Refusal::RateLimited(60));
    assert!(world.planner.upload_trip(&ann(), file("3"), unread()).await.unwrap().replayed);
}

#[tokio::test]
async fn a_line_that_cannot_be_cut_is_refused_with_a_reason() {
    let of = |points: Vec<Point>| {
        let line = Line { tracks: vec![points] };
        PlannedRoute::new(FetchedRoute { line, ..route(1.0) }, &Settings::default())
    };
    let point = |lat, lon| Point { lat, lon, ele: None };
    for (points, says) in [
        (vec![], "fewer than two different points"),
        (vec![point(0.0, 0.0), point(47.0, 9.0), point(0.0, 0.0)], "fewer than two different points"),
        (vec![point(47.0, 9.0), point(47.0, f64::NAN)], "not on Earth"),
    ] {
        let refused = of(points).unwrap_err().to_string();
        assert!(refused.contains(says) && refused.ends_with("then upload it again."), "{refused}");
    }
    let dropped = of(vec![point(47.0, 9.0), point(0.0, 0.0), point(47.1, 9.0)]).unwrap();
    assert_eq!(dropped.route().warnings[0].code, "points_dropped");
    assert_eq!(dropped.cut().days.len(), 1);
}
