//! Where long lines are worked on: not where the call is.

use std::sync::atomic::Ordering;

use btp_domain::{Confirmable, Error, SettingsChanges, StageEdit, TripId, UpdateSettings, store::StoreError};

use crate::world::{World, ann, route_of, tour};

/// What was handed over since it was last asked.
fn taken(world: &World) -> usize {
    world.hands.taken.swap(0, Ordering::SeqCst)
}

async fn recut(world: &World, id: &TripId, token: Option<String>) -> Confirmable<btp_domain::Edited> {
    let changes = SettingsChanges { max_distance_per_day: Some(60.0), ..SettingsChanges::default() };
    let version = Some(world.trip(id).await.version);
    let command = UpdateSettings { trip: id.clone(), version, changes, token };
    world.planner.update_settings(&ann(), command).await.unwrap()
}

async fn distance(world: &World, id: &TripId) -> StageEdit {
    let stage = world.trip(id).await.stages[0].id.clone();
    StageEdit::Update { stage, start: None, end: None, label: None, distance: Some(20.0) }
}

#[tokio::test]
async fn long_lines_are_handed_over_and_short_ones_are_not() {
    for (steps, share) in [(5_000, 1), (100, 0)] {
        let world = World::new();
        let id = world.planned_on(tour(1), route_of(300.0, steps)).await;
        assert_eq!(taken(&world), 2 * share, "tidied and cut");
        world.edit(&id, distance(&world, &id).await).await.unwrap();
        assert_eq!(taken(&world), share);
        let stage = world.trip(&id).await.stages[1].id.clone();
        world.edit(&id, StageEdit::Delete { stage: stage.clone() }).await.unwrap();
        assert_eq!(taken(&world), share);
        let Confirmable::Ask { token, .. } = recut(&world, &id, None).await else { panic!("it did not ask") };
        assert_eq!(taken(&world), share);
        recut(&world, &id, Some(token)).await;
        assert_eq!((taken(&world), world.trip(&id).await.stages.len()), (share, 5));
        let after = world.trip(&id).await.stages[0].id.clone();
        world.edit(&id, StageEdit::RestDay { after }).await.unwrap();
        assert_eq!(taken(&world), 0, "no line is needed");
    }
}

#[tokio::test]
async fn what_was_not_done_changes_nothing() {
    let world = World::new();
    let id = world.planned_on(tour(1), route_of(300.0, 5_000)).await;
    let (before, edit) = (world.trip(&id).await, distance(&world, &id).await);
    world.hands.drop.store(true, Ordering::SeqCst);
    assert!(matches!(world.edit(&id, edit).await, Err(Error::Failed(_))));
    assert_eq!(world.trip(&id).await, before);
    let next = world.create(tour(2)).await;
    world.will_give(Ok(route_of(300.0, 5_000)));
    assert!(matches!(world.work().await, Err(StoreError::Failed(_))));
    assert!(world.trip(&next).await.is_partial(), "the job is tried again");
}
