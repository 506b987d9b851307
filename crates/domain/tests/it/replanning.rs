//! Changed settings: what is cut again, what is moved, what is left alone, and that it asks first.

use btp_domain::{
    AccommodationType, Confirmable, CreateTrip, Edited, Error, Impact, Refusal, Settings, SettingsChanges, StageEdit,
    Trip, TripId, UpdateSettings,
    kernel::{Clock, Principal, today},
    store::Change,
};
use jiff::civil::{Date, date};

use crate::world::{World, ann, refusal, route, tour};

fn july(day: i8) -> Date {
    date(2026, 7, day)
}

fn settings(start: Option<Date>, end: Option<Date>) -> Settings {
    Settings { start_date: start, end_date: end, ..Settings::default() }
}

fn dates(start: Option<Date>, end: Option<Date>) -> SettingsChanges {
    SettingsChanges { start_date: start, end_date: end, ..SettingsChanges::default() }
}

fn cap(km: f64) -> SettingsChanges {
    SettingsChanges { max_distance_per_day: Some(km), ..SettingsChanges::default() }
}

async fn planned(world: &World, settings: Settings) -> TripId {
    world.planned_on(CreateTrip { settings, ..tour(1) }, route(300.0)).await
}

async fn call(
    world: &World,
    principal: &Principal,
    id: &TripId,
    changes: &SettingsChanges,
    token: Option<&str>,
) -> Result<Confirmable<Edited>, Error> {
    let version = Some(world.trip(id).await.version);
    let token = token.map(str::to_owned);
    world
        .planner
        .update_settings(principal, UpdateSettings { trip: id.clone(), version, changes: changes.clone(), token })
        .await
}

async fn ask(world: &World, id: &TripId, changes: &SettingsChanges) -> (String, Impact) {
    match call(world, &ann(), id, changes, None).await.unwrap() {
        Confirmable::Ask { token, impact } => (token, impact),
        Confirmable::Done(edited) => panic!("not asked: {edited:?}"),
    }
}

async fn apply(world: &World, id: &TripId, changes: &SettingsChanges) -> Edited {
    let before = world.trip(id).await;
    let (token, _) = ask(world, id, changes).await;
    assert_eq!(world.trip(id).await, before, "nothing happens before it is confirmed");
    match call(world, &ann(), id, changes, Some(&token)).await.unwrap() {
        Confirmable::Done(edited) => edited,
        Confirmable::Ask { .. } => panic!("asked again"),
    }
}

fn km(trip: &Trip) -> Vec<f64> {
    trip.stages.iter().map(|day| (day.distance / 10.0).round() / 100.0).collect()
}

#[tokio::test]
async fn pacing_cuts_again_in_the_call() {
    let world = World::new();
    let id = planned(&world, settings(Some(july(1)), None)).await;
    let before = world.trip(&id).await;
    for (number, (changes, days)) in [
        (cap(150.0), vec![150.0, 150.0]),
        (SettingsChanges { fatigue_factor: Some(0.5), ..cap(250.0) }, vec![200.0, 100.0]),
        (SettingsChanges { fatigue_factor: Some(1.0), ..cap(100.0) }, vec![100.0; 3]),
    ]
    .into_iter()
    .enumerate()
    {
        let edited = apply(&world, &id, &changes).await;
        assert_eq!(edited.version, number as u64 + 2);
        assert!(edited.result.contains(&format!("{} days", days.len())), "{}", edited.result);
        assert!(edited.next.unwrap().contains("get_trip"));
        let trip = world.trip(&id).await;
        assert_eq!((km(&trip), trip.version), (days, edited.version));
        assert!(trip.stages.iter().all(|day| before.stages.iter().all(|old| old.id != day.id)), "new ids");
    }
    for changes in [
        SettingsChanges { ebike_mode: Some(true), ..SettingsChanges::default() },
        SettingsChanges { elevation_penalty: Some(100.0), ..SettingsChanges::default() },
    ] {
        assert!(apply(&world, &id, &changes).await.result.contains("cut into days again"));
    }
    let kept = world.stores.trips.former_days(&ann().user, &id, 1).await.unwrap();
    assert_eq!(kept, Some(before.stages), "what was cut again can be had again");
}

#[tokio::test]
async fn everything_else_leaves_the_days_alone() {
    let world = World::new();
    let id = planned(&world, settings(None, None)).await;
    let days = world.trip(&id).await.stages;
    let none = SettingsChanges::default;
    for changes in [
        SettingsChanges { title: Some(" The\tloop ".to_owned()), ..none() },
        SettingsChanges { average_speed: Some(20.0), ..none() },
        SettingsChanges { departure_hour: Some(6), ..none() },
        SettingsChanges {
            accommodation_types: Some(vec![
                AccommodationType::Hotel,
                AccommodationType::Hostel,
                AccommodationType::Hotel,
            ]),
            ..none()
        },
        dates(None, Some(july(20))),
    ] {
        let version = world.trip(&id).await.version;
        let edited = apply(&world, &id, &changes).await;
        assert_eq!((edited.version, edited.next.as_ref()), (version + 1, None), "{changes:?}");
        assert!(edited.result.contains("days stayed"), "{}", edited.result);
        let again = apply(&world, &id, &changes).await;
        assert_eq!(again.version, version + 1, "the same again changes nothing, though it asks");
        assert!(again.result.starts_with("Nothing changed"), "{}", again.result);
    }
    let trip = world.trip(&id).await;
    assert_eq!((trip.title.as_deref(), &trip.stages), (Some("The loop"), &days));
    assert_eq!(trip.settings.accommodation_types, [AccommodationType::Hostel, AccommodationType::Hotel]);
    assert_eq!((trip.version, trip.end_date()), (6, Some(july(20))), "an end without a start is kept");
    assert_eq!(world.stores.trips.former_days(&ann().user, &id, 1).await.unwrap(), None, "the days did not change");
    assert!(apply(&world, &id, &dates(Some(july(19)), None)).await.result.contains("2 days"), "until there is one");
}

#[tokio::test]
async fn dates_move_the_trip_or_cut_it() {
    let world = World::new();
    for (first, sent, expected, days, is_cut) in [
        // a derived end follows the start
        ((Some(july(1)), None), (Some(july(8)), None), (july(8), july(11)), 4, false),
        ((None, None), (Some(july(8)), None), (july(8), july(11)), 4, false),
        // the same span moves
        ((Some(july(1)), Some(july(4))), (Some(july(8)), Some(july(11))), (july(8), july(11)), 4, false),
        ((Some(july(1)), None), (Some(july(8)), Some(july(11))), (july(8), july(11)), 4, false),
        // another one cuts
        ((Some(july(1)), None), (None, Some(july(6))), (july(1), july(6)), 6, true),
        ((Some(july(1)), Some(july(4))), (Some(july(3)), None), (july(3), july(4)), 2, true),
        ((Some(july(1)), Some(july(4))), (Some(july(9)), Some(july(9))), (july(9), july(9)), 1, true),
        ((None, Some(july(5))), (Some(july(3)), None), (july(3), july(5)), 3, true),
    ] {
        let id = world
            .planned_on(
                CreateTrip {
                    settings: settings(first.0, first.1),
                    arguments: format!("{first:?} {sent:?}"),
                    ..tour(1)
                },
                route(300.0),
            )
            .await;
        let before = world.trip(&id).await;
        let edited = apply(&world, &id, &dates(sent.0, sent.1)).await;
        let trip = world.trip(&id).await;
        assert_eq!(
            (trip.settings.start_date, trip.end_date()),
            (Some(expected.0), Some(expected.1)),
            "{first:?} {sent:?}"
        );
        assert_eq!((trip.stages.len(), trip.version), (days, 2));
        assert_eq!(trip.stages != before.stages, is_cut, "{first:?} {sent:?}");
        assert_eq!(edited.result.contains("cut into days again"), is_cut, "{}", edited.result);
        world.pass(60);
    }
}

#[tokio::test]
async fn a_cut_uses_the_end_that_was_sent_and_edits_move_the_shown_one_only() {
    let world = World::new();
    let id = planned(&world, settings(Some(july(1)), Some(july(4)))).await;
    let first = world.trip(&id).await.stages[0].id.clone();
    world.edit(&id, StageEdit::RestDay { after: first }).await.unwrap();
    let trip = world.trip(&id).await;
    assert_eq!((trip.settings.end_date, trip.end_date()), (Some(july(4)), Some(july(5))));
    let shifted = apply(&world, &id, &dates(Some(july(8)), Some(july(12)))).await;
    assert!(shifted.result.contains("2026-07-08 to 2026-07-12"), "the shown span moves: {}", shifted.result);
    assert_eq!(world.trip(&id).await.stages, trip.stages);
    apply(&world, &id, &dates(Some(july(1)), Some(july(4)))).await;
    let first = world.trip(&id).await.stages[0].id.clone();
    world.edit(&id, StageEdit::RestDay { after: first }).await.unwrap();
    apply(&world, &id, &SettingsChanges { fatigue_factor: Some(1.0), ..SettingsChanges::default() }).await;
    let trip = world.trip(&id).await;
    assert_eq!((km(&trip), trip.end_date()), (vec![75.0; 4], Some(july(4))));
}

#[tokio::test]
async fn the_question_names_what_is_lost() {
    let world = World::new();
    let id = planned(&world, settings(Some(july(1)), None)).await;
    world.planner.share_trip(&ann(), &id).await.unwrap();
    let (_, impact) = ask(&world, &id, &cap(150.0)).await;
    assert_eq!(
        impact.action,
        "Cuts the trip into days again: 2 days, with new identifiers. Nothing made by hand is lost."
    );
    assert_eq!((impact.stage_count, impact.start_date, impact.end_date), (4, Some(july(1)), Some(july(4))));
    assert!(impact.has_active_link);

    let first = world.trip(&id).await.stages[0].id.clone();
    world.edit(&id, StageEdit::RestDay { after: first.clone() }).await.unwrap();
    let update = |label, distance| StageEdit::Update { stage: first.clone(), start: None, end: None, label, distance };
    world.edit(&id, update(Some("Hello".to_owned()), None)).await.unwrap();
    let (_, impact) = ask(&world, &id, &cap(150.0)).await;
    assert!(impact.action.ends_with("Lost: 1 rest day, 1 day label."), "{}", impact.action);
    world.edit(&id, update(None, Some(70.0))).await.unwrap();
    let (_, impact) = ask(&world, &id, &cap(150.0)).await;
    assert!(impact.action.ends_with("Lost: the day split made by hand, 1 rest day, 1 day label."), "{}", impact.action);
    let (_, impact) = ask(&world, &id, &dates(Some(july(2)), None)).await;
    assert_eq!(impact.action, "Moves the trip to 2026-07-02 to 2026-07-06; the days stay as they are.");
    let title = SettingsChanges { title: Some("Other".to_owned()), ..SettingsChanges::default() };
    assert_eq!(ask(&world, &id, &title).await.1.action, "Changes the settings; the days stay as they are.");
    assert!(ask(&world, &id, &cap(80.0)).await.1.action.starts_with("Changes nothing"));
}

#[tokio::test]
async fn impossible_settings_are_refused_before_asking() {
    let world = World::new();
    let id = planned(&world, settings(Some(july(1)), Some(july(4)))).await;
    let none = SettingsChanges::default;
    for (changes, word) in [
        (dates(Some(july(5)), None), "Send both \"startDate\" and \"endDate\""),
        (dates(Some(july(5)), Some(july(4))), "\"endDate\" must not be before"),
        (dates(None, Some(date(2026, 6, 30))), "\"endDate\" must not be before"),
        (dates(None, Some(date(2027, 7, 2))), "367 days"),
        (dates(Some(date(9998, 12, 31)), Some(date(9999, 1, 2))), ""), // the last of 366 days would be the last date
        (dates(Some(date(9999, 1, 1)), Some(date(9999, 1, 2))), "\"startDate\" must not be after 9998-12-31."),
        (cap(29.9), "maxDistancePerDay"),
        (cap(f64::NAN), "maxDistancePerDay"),
        (SettingsChanges { departure_hour: Some(24), ..none() }, "departureHour"),
        (SettingsChanges { accommodation_types: Some(Vec::new()), ..none() }, "enabledAccommodationTypes"),
        (SettingsChanges { title: Some(" \n".to_owned()), ..none() }, "title"),
    ] {
        match call(&world, &ann(), &id, &changes, None).await {
            Ok(_) => assert_eq!(word, "", "{changes:?}"),
            refused => {
                let sentence = refusal(refused).to_string();
                assert!(!word.is_empty() && sentence.contains(word), "{changes:?}: {sentence}");
            }
        }
    }
    let long = world.planned_on(tour(2), route(15_000.0)).await;
    let sentence = refusal(call(&world, &ann(), &long, &cap(30.0), None).await).to_string();
    assert!(sentence.contains("need 500 days"), "{sentence}");
}

#[tokio::test]
async fn a_collection_keeps_its_authors_days() {
    let world = World::new();
    let mut collection = route(100.0);
    let track = collection.line.tracks[0].clone();
    collection.line.tracks = vec![track[..3].to_vec(), track[5..].to_vec()];
    let command = CreateTrip { source_url: "https://www.komoot.com/collection/9".to_owned(), ..tour(9) };
    let id = world.planned_on(command, collection).await;
    let before = world.trip(&id).await;
    assert_eq!(km(&before), [20.0, 50.0]);
    assert_eq!(before.alerts(&before.stages[0])[0].code, "continuity_gap_critical", "its tours do not meet");
    for changes in [cap(30.0), dates(Some(july(1)), Some(july(9)))] {
        assert!(apply(&world, &id, &changes).await.result.contains("days stayed"));
    }
    let trip = world.trip(&id).await;
    assert_eq!((trip.version, &trip.stages, &trip.warnings), (3, &before.stages, &before.warnings));
    assert_eq!((trip.settings.max_distance_per_day, trip.end_date()), (30.0, Some(july(2))));
}

#[tokio::test]
async fn warnings_of_the_route_outlive_a_cut_and_those_of_the_cut_do_not() {
    let world = World::new();
    let mut noted = route(300.0);
    noted.warnings = vec![btp_domain::Warning::new("points_dropped", "Three points.")];
    let command = CreateTrip { settings: settings(Some(july(1)), Some(july(2))), ..tour(1) };
    let id = world.planned_on(command, noted).await;
    let codes = async || {
        let trip = world.trip(&id).await;
        trip.warnings.iter().map(|warning| warning.code.clone()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(codes().await, "points_dropped dates_too_short");
    apply(&world, &id, &cap(150.0)).await;
    assert_eq!(codes().await, "points_dropped");
}

#[tokio::test]
async fn a_token_is_for_these_changes_of_this_version_by_this_caller() {
    let world = World::new();
    let id = planned(&world, settings(Some(july(1)), None)).await;
    let other = world.planned_on(tour(2), route(300.0)).await;
    let other_agent = Principal { client: "other".into(), ..ann() };
    for (caller, trip, changes) in [
        (ann(), &id, cap(90.0)),
        (ann(), &other, cap(100.0)),
        (other_agent, &id, cap(100.0)),
        (ann(), &id, dates(None, Some(july(9)))),
    ] {
        let (token, _) = ask(&world, &id, &cap(100.0)).await;
        assert_eq!(refusal(call(&world, &caller, trip, &changes, Some(&token)).await), Refusal::Confirmation);
        let spent = call(&world, &ann(), &id, &cap(100.0), Some(&token)).await;
        assert_eq!(refusal(spent), Refusal::Confirmation, "shown once, it is spent");
    }
    assert_eq!(
        refusal(world.planner.delete_trip(&ann(), &id, Some(&ask(&world, &id, &cap(100.0)).await.0)).await),
        Refusal::Confirmation
    );
    let (token, _) = ask(&world, &id, &cap(100.0)).await;
    let (delete, _) = match world.planner.delete_trip(&ann(), &id, None).await.unwrap() {
        Confirmable::Ask { token, impact } => (token, impact),
        Confirmable::Done(()) => panic!("deleted"),
    };
    apply(&world, &id, &cap(90.0)).await;
    assert_eq!(
        refusal(call(&world, &ann(), &id, &cap(100.0), Some(&token)).await),
        Refusal::Confirmation,
        "it moved on"
    );
    assert_eq!(refusal(world.planner.delete_trip(&ann(), &id, Some(&delete)).await), Refusal::Confirmation);
    let (token, _) = ask(&world, &id, &cap(100.0)).await;
    world.pass(300);
    assert_eq!(refusal(call(&world, &ann(), &id, &cap(100.0), Some(&token)).await), Refusal::Confirmation, "too late");
}

/// A change that comes between the reading of a trip and its writing is not lost.
#[tokio::test]
async fn a_lost_race_names_the_version() {
    let world = World::new();
    let id = planned(&world, settings(None, None)).await;
    let mine = world.trip(&id).await;
    let theirs = Trip { version: 2, title: Some("Theirs".to_owned()), ..mine.clone() };
    let change = Change { trip: theirs, read: 1, line: None, former: None, jobs: Vec::new(), finishes: None };
    world.stores.trips.commit(change).await.unwrap();
    let command = UpdateSettings { trip: id.clone(), version: Some(1), changes: cap(100.0), token: None };
    let moved = Refusal::Moved { trip: id, edited: 1, current: 2 };
    assert_eq!(refusal(world.planner.update_settings(&ann(), command).await), moved);
}

#[tokio::test]
async fn a_first_day_that_locks_the_trip_is_told_before() {
    let world = World::new();
    let id = planned(&world, settings(Some(july(1)), None)).await;
    let today = today(world.clock.now(), None);
    let (_, later) = ask(&world, &id, &dates(Some(today.tomorrow().unwrap()), None)).await;
    assert!(later.action.starts_with("Moves the trip") && !later.action.contains("locked"), "{}", later.action);
    let (_, now) = ask(&world, &id, &dates(Some(today), None)).await;
    assert!(now.action.contains("it is locked, and nothing of it can be changed any more"), "{}", now.action);
    apply(&world, &id, &dates(Some(today), None)).await;
    assert_eq!(refusal(call(&world, &ann(), &id, &cap(100.0), None).await), Refusal::Locked);
}
