//! Who may see and do what, and when a trip is locked.

use btp_domain::{Refusal, Settings, StageId, TripId, kernel::Timestamp, parse_date, store::TripQuery};
use jiff::civil::date;

use crate::world::{World, ann, bob, principal, refusal, tour};

const ALL: TripQuery = TripQuery { page: 1, per_page: 30, title: None, start: None, end: None };

#[tokio::test]
async fn anothers_trip_is_no_trip() {
    let world = World::new();
    let id = world.planned(tour(1)).await;
    let planner = &world.planner;
    let day = world.trip(&id).await.stages[0].id.clone();
    for id in [&id, &TripId::from("nowhere"), &TripId::from("'; drop table trips --")] {
        assert_eq!(refusal(planner.get_trip(&bob(), id).await), Refusal::NoTrip);
        assert_eq!(refusal(planner.get_stage(&bob(), id, &day).await), Refusal::NoTrip);
        assert_eq!(refusal(planner.delete_trip(&bob(), id, None).await), Refusal::NoTrip);
        assert_eq!(refusal(planner.delete_trip(&bob(), id, Some("token")).await), Refusal::NoTrip);
    }
    assert_eq!(planner.list_trips(&bob(), &ALL).await.unwrap().total, 0);
    assert_eq!(planner.list_trips(&ann(), &ALL).await.unwrap().total, 1);
}

#[tokio::test]
async fn a_scope_is_needed_before_anything_else() {
    let world = World::new();
    let id = world.planned(tour(1)).await;
    let day = world.trip(&id).await.stages[0].id.clone();
    let (reader, writer) = (principal("ann", "trips:read"), principal("ann", "trips:write"));
    let planner = &world.planner;
    assert_eq!(refusal(planner.list_trips(&writer, &ALL).await), Refusal::Scope("trips:read"));
    assert_eq!(refusal(planner.get_trip(&writer, &"nowhere".into()).await), Refusal::Scope("trips:read"));
    assert_eq!(refusal(planner.get_stage(&writer, &id, &day).await), Refusal::Scope("trips:read"));
    assert_eq!(refusal(planner.delete_trip(&reader, &"nowhere".into(), None).await), Refusal::Scope("trips:write"));
    let nonsense = btp_domain::CreateTrip { source_url: String::new(), ..tour(1) };
    assert_eq!(refusal(planner.create_trip(&reader, nonsense).await), Refusal::Scope("trips:write"));
}

#[tokio::test]
async fn a_day_is_looked_up_in_its_trip() {
    let world = World::new();
    let (first, second) = (world.planned(tour(1)).await, world.planned(tour(2)).await);
    let days = world.trip(&first).await.stages;
    let day = world.planner.get_stage(&ann(), &first, &days[1].id).await.unwrap();
    assert_eq!((day.number, &day.stage, day.alerts), (2, &days[1], Vec::new()));
    for (trip, day) in [(&second, &days[1].id), (&first, &StageId::from("nowhere"))] {
        assert_eq!(refusal(world.planner.get_stage(&ann(), trip, day).await), Refusal::NoStage);
    }
}

#[tokio::test]
async fn the_lock_falls_at_midnight_where_the_trip_starts() {
    let world = World::new();
    let at = |text: &str| Timestamp::from_millis(text.parse::<jiff::Timestamp>().unwrap().as_millisecond());
    let dated = Settings { start_date: Some(date(2026, 7, 1)), ..Settings::default() };
    for (zone, locked_from) in [
        (Some("Pacific/Auckland"), "2026-06-30T12:00:00Z"),
        (Some("Europe/Paris"), "2026-06-30T22:00:00Z"),
        (None, "2026-07-01T00:00:00Z"),
        (Some("America/Los_Angeles"), "2026-07-01T07:00:00Z"),
    ] {
        world.clock.set(at("2026-06-01T00:00:00Z"));
        *world.atlas.zone.lock().unwrap() = zone.map(str::to_owned);
        let command = btp_domain::CreateTrip { settings: dated.clone(), arguments: format!("{zone:?}"), ..tour(1) };
        let id = world.planned(command).await;
        let trip = world.trip(&id).await;
        assert_eq!(trip.zone.as_deref(), zone);
        let midnight = at(locked_from);
        world.clock.set(midnight.minus(std::time::Duration::from_millis(1)));
        assert!(!world.planner.is_locked(&trip), "{zone:?}");
        world.clock.set(midnight);
        assert!(world.planner.is_locked(&trip), "{zone:?}");
    }
    let undated = world.planned(tour(2)).await;
    assert!(!world.planner.is_locked(&world.trip(&undated).await));
}

#[tokio::test]
async fn civil_dates_stay_as_they_were_written() {
    let world = World::new();
    for (number, text, civil) in [
        (1, "2027-03-27T00:00:00+01:00", date(2027, 3, 27)),
        (2, "2026-08-31T23:30:00-10:00", date(2026, 8, 31)),
        (3, "2026-12-31", date(2026, 12, 31)),
    ] {
        let settings = Settings { start_date: Some(parse_date(text).unwrap()), ..Settings::default() };
        let id = world.planned(btp_domain::CreateTrip { settings, ..tour(number) }).await;
        let trip = world.trip(&id).await;
        assert_eq!(trip.settings.start_date, Some(civil));
        assert_eq!(
            trip.end_date(),
            Some(civil.tomorrow().unwrap()),
            "two days, across months, years and clock changes"
        );
    }
}
