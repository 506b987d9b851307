//! Rest days, the order of days, days that are added, and how many there may be.

use super::*;

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
