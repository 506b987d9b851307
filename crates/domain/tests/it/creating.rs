//! Creation: what is refused, and that one wish makes one trip.

use std::sync::atomic::Ordering;

use btp_domain::{
    Computation, CreateTrip, ListStatus, Readiness, Refusal, Settings,
    store::{Job, TripQuery},
};
use jiff::civil::date;

use crate::world::{World, ann, bob, principal, refusal, route, tour};

const KEY: &str = "a-key_of-16-char";

fn keyed(number: u32, key: &str) -> CreateTrip {
    CreateTrip { key: Some(key.to_owned()), ..tour(number) }
}

async fn total(world: &World) -> u64 {
    let all = TripQuery { page: 1, per_page: 30, title: None, start: None, end: None };
    world.planner.list_trips(&ann(), &all).await.unwrap().total
}

#[tokio::test]
async fn a_trip_starts_as_a_draft_that_is_being_computed() {
    let world = World::new();
    let titled = CreateTrip { title: Some(" Tour\u{202e} de\n\tFrance\0 ".to_owned()), ..tour(1) };
    let secret = "https://www.komoot.com/tour/1/zoom?share_token=s3cret".to_owned();
    let id = world.create(CreateTrip { source_url: secret, ..titled }).await;
    let trip = world.trip(&id).await;
    assert_eq!(trip.title.as_deref(), Some("Tour de France"));
    assert_eq!((trip.version, trip.readiness, trip.is_partial()), (1, Readiness::Draft, true));
    assert_eq!((trip.computations.route, trip.list_status()), (Computation::Running, ListStatus::Analyzing));
    assert_eq!(trip.source.address().as_deref(), Some("https://www.komoot.com/tour/1"));
    assert_eq!(trip.source.token.as_deref(), Some("s3cret"));
    let (_, job) = world.take().await.unwrap();
    assert_eq!(job, Job::FetchRoute { owner: "ann".into(), trip: id });
    assert_eq!(world.sources.calls.load(Ordering::SeqCst), 0, "nothing is fetched in the call");
}

#[tokio::test]
async fn impossible_wishes_are_refused_in_the_call() {
    let world = World::new();
    let dates = |start, end| Settings { start_date: Some(start), end_date: Some(end), ..Settings::default() };
    let with = |settings| CreateTrip { settings, ..tour(1) };
    for (command, word) in [
        (CreateTrip { source_url: "https://example.org/route".to_owned(), ..tour(1) }, "RideWithGPS"),
        (CreateTrip { title: Some(" \u{202e}\t ".to_owned()), ..tour(1) }, "\"title\" must not be empty."),
        (with(Settings { start_date: Some(date(9999, 1, 1)), ..Settings::default() }), "must not be after 9998-12-31"),
        (with(dates(date(2026, 7, 2), date(2026, 7, 1))), "endDate"),
        (with(dates(date(2026, 1, 1), date(2027, 1, 2))), "367 days"),
        (with(Settings { elevation_penalty: 4.9, ..Settings::default() }), "elevationPenalty"),
        (with(Settings { accommodation_types: Vec::new(), ..Settings::default() }), "enabledAccommodationTypes"),
        (keyed(1, "too short"), "idempotencyKey"),
        (keyed(1, &"x".repeat(256)), "idempotencyKey"),
        (keyed(1, "sixteen characte"), "idempotencyKey"),
    ] {
        match refusal(world.planner.create_trip(&ann(), command).await) {
            Refusal::Invalid(sentence) => assert!(sentence.contains(word), "{sentence}"),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(total(&world).await, 0);
    world.create(with(dates(date(2026, 1, 1), date(2027, 1, 1)))).await;
    world
        .create(CreateTrip { arguments: "one day".to_owned(), ..with(dates(date(2026, 7, 1), date(2026, 7, 1))) })
        .await;
}

#[tokio::test]
async fn identical_wishes_within_two_windows_are_one() {
    let world = World::new();
    world.pass(299); // the clock starts at the edge of a window
    let first = world.create(tour(1)).await;
    world.pass(2);
    let again = world.planner.create_trip(&ann(), tour(1)).await.unwrap();
    assert_eq!((again.trip, again.replayed), (first.clone(), true), "across the edge");
    world.pass(298);
    assert_eq!(world.create(tour(1)).await, first, "at the end of the next window");
    world.pass(1);
    assert_ne!(world.create(tour(1)).await, first, "not in the one after");
    assert_eq!(total(&world).await, 2);

    let other_agent = btp_domain::kernel::Principal { client: "other".into(), ..ann() };
    assert!(world.planner.create_trip(&other_agent, tour(1)).await.unwrap().replayed, "by whichever agent of hers");
    assert!(!world.planner.create_trip(&bob(), tour(1)).await.unwrap().replayed, "another person's wish is another");
    assert!(!world.planner.create_trip(&ann(), tour(2)).await.unwrap().replayed);
}

#[tokio::test]
async fn a_key_stands_for_its_trip_for_a_day() {
    let world = World::new();
    let first = world.create(keyed(1, KEY)).await;
    assert_ne!(world.create(tour(1)).await, first, "with and without a key are two wishes");
    assert_ne!(world.create(keyed(1, "another-key-of-16")).await, first);
    world.pass(24 * 3600 - 1);
    assert_eq!(world.create(keyed(1, KEY)).await, first);
    assert_eq!(refusal(world.planner.create_trip(&ann(), keyed(2, KEY)).await), Refusal::KeyReused);
    world.planner.create_trip(&bob(), keyed(2, KEY)).await.unwrap();
    world.pass(2);
    let later = world.create(keyed(2, KEY)).await;
    assert_ne!(later, first, "a day later the key is free");
    assert_eq!(world.create(keyed(2, KEY)).await, later);
}

#[tokio::test]
async fn a_deleted_trip_is_not_replayed() {
    let world = World::new();
    for command in [tour(1), keyed(1, KEY)] {
        let first = world.create(command.clone()).await;
        world.stores.trips.delete(&ann().user, &first).await.unwrap();
        assert_ne!(world.create(command).await, first);
    }
}

#[tokio::test]
async fn a_restart_and_another_node_know_what_was_created() {
    let world = World::new();
    let (plain, keyed) = (world.create(tour(1)).await, world.create(keyed(1, KEY)).await);
    let node = world.another_node();
    assert_eq!(node.create_trip(&ann(), tour(1)).await.unwrap().trip, plain);
    let again = CreateTrip { key: Some(KEY.to_owned()), ..tour(1) };
    assert_eq!(node.create_trip(&ann(), again.clone()).await.unwrap().trip, keyed);
    let other = CreateTrip { arguments: "other".to_owned(), ..again };
    assert_eq!(refusal(node.create_trip(&ann(), other).await), Refusal::KeyReused);
}

#[tokio::test]
async fn a_replay_spends_no_creation() {
    let world = World::new();
    for number in 1..=10 {
        world.create(tour(number)).await;
        assert!(world.planner.create_trip(&ann(), tour(number)).await.unwrap().replayed);
    }
    assert_eq!(refusal(world.planner.create_trip(&ann(), tour(11)).await), Refusal::RateLimited(60));
    assert!(world.planner.create_trip(&ann(), tour(10)).await.unwrap().replayed, "also when all are spent");
    world.planner.create_trip(&bob(), tour(11)).await.unwrap();
    assert!(matches!(
        refusal(world.planner.create_trip(&principal("ann", "trips:write"), tour(12)).await),
        Refusal::RateLimited(_)
    ));
    world.pass(60);
    world.create(tour(11)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_at_once_make_one_trip_and_one_fetch() {
    let world = World::new();
    let racers: Vec<_> = (0..10)
        .map(|_| {
            let planner = world.planner.clone();
            tokio::spawn(async move { planner.create_trip(&ann(), tour(1)).await.unwrap() })
        })
        .collect();
    let mut made = Vec::new();
    for racer in racers {
        made.push(racer.await.unwrap());
    }
    assert_eq!(made.iter().filter(|created| !created.replayed).count(), 1);
    assert!(made.iter().all(|created| created.trip == made[0].trip));
    world.will_give(Ok(route(100.0)));
    world.work().await.unwrap();
    assert_eq!((total(&world).await, world.take().await), (1, None));
}
