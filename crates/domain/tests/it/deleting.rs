//! Deletion asks first.

use btp_domain::{Confirmable, Impact, Refusal, Settings, TripId, kernel::Principal};
use jiff::civil::date;

use crate::world::{World, ann, bob, refusal, tour};

async fn ask(world: &World, principal: &Principal, id: &TripId) -> (String, Impact) {
    match world.planner.delete_trip(principal, id, None).await.unwrap() {
        Confirmable::Ask { token, impact } => (token, impact),
        Confirmable::Done(()) => panic!("deleted without being asked"),
    }
}

#[tokio::test]
async fn the_second_call_deletes() {
    let world = World::new();
    let settings = Settings { start_date: Some(date(2026, 5, 31)), ..Settings::default() };
    let id = world.planned(btp_domain::CreateTrip { settings, ..tour(1) }).await;
    assert!(world.planner.is_locked(&world.trip(&id).await), "works on a locked trip");
    let (token, impact) = ask(&world, &ann(), &id).await;
    assert_eq!(
        impact,
        Impact {
            trip: id.clone(),
            title: Some("From the source".to_owned()),
            stage_count: 2,
            start_date: Some(date(2026, 5, 31)),
            end_date: Some(date(2026, 6, 1)),
            has_active_link: false,
            action: "Deletes the trip permanently, with its days and any public link.".to_owned(),
        }
    );
    assert!(token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()));
    assert_eq!(world.trip(&id).await.id, id, "nothing happened yet");
    world.pass(299);
    assert_eq!(world.planner.delete_trip(&ann(), &id, Some(&token)).await.unwrap(), Confirmable::Done(()));
    assert_eq!(refusal(world.planner.get_trip(&ann(), &id).await), Refusal::NoTrip);
    assert_eq!(refusal(world.planner.delete_trip(&ann(), &id, Some(&token)).await), Refusal::NoTrip);
}

#[tokio::test]
async fn a_token_is_for_one_call_of_one_caller() {
    let world = World::new();
    let (first, second) = (world.planned(tour(1)).await, world.planned(tour(2)).await);
    let his = world.planner.create_trip(&bob(), tour(3)).await.unwrap().trip;
    let other_agent = Principal { client: "other".into(), ..ann() };
    for (caller, id) in [(ann(), &second), (other_agent, &first), (bob(), &his)] {
        let (token, _) = ask(&world, &ann(), &first).await;
        assert_eq!(refusal(world.planner.delete_trip(&caller, id, Some(&token)).await), Refusal::Confirmation);
        let spent = world.planner.delete_trip(&ann(), &first, Some(&token)).await;
        assert_eq!(refusal(spent), Refusal::Confirmation, "shown once, it is spent");
    }
    for token in ["nonsense", " ", "\0", &"a".repeat(100_000)] {
        let refused = world.planner.delete_trip(&ann(), &first, Some(token)).await;
        assert_eq!(refusal(refused), Refusal::Confirmation);
    }
    let empty = world.planner.delete_trip(&ann(), &first, Some("")).await.unwrap();
    assert!(matches!(empty, Confirmable::Ask { .. }), "an empty token is none");
    assert_eq!(world.trip(&first).await.id, first);
}

#[tokio::test]
async fn a_token_runs_out_and_is_not_stored_as_it_is() {
    let world = World::new();
    let id = world.planned(tour(1)).await;
    let (token, _) = ask(&world, &ann(), &id).await;
    let now = btp_domain::kernel::Clock::now(world.clock.as_ref());
    assert_eq!(world.stores.confirmations.take(&token, now).await.unwrap(), None, "only its digest is");
    world.pass(300);
    assert_eq!(refusal(world.planner.delete_trip(&ann(), &id, Some(&token)).await), Refusal::Confirmation);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twenty_confirmations_delete_once() {
    let world = World::new();
    let id = world.planned(tour(1)).await;
    let (token, _) = ask(&world, &ann(), &id).await;
    let racers: Vec<_> = (0..20)
        .map(|_| {
            let (planner, id, token) = (world.planner.clone(), id.clone(), token.clone());
            tokio::spawn(async move { planner.delete_trip(&ann(), &id, Some(&token)).await.is_ok() })
        })
        .collect();
    let mut done = 0;
    for racer in racers {
        done += usize::from(racer.await.unwrap());
    }
    assert_eq!(done, 1);
}
