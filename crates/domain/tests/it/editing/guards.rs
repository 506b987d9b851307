//! Versions, the order of the guards, writers at once, and what is kept.

use super::*;

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
