//! Places by name: who is asked, and what is said when nobody answers.

use btp_domain::{
    Refusal,
    places::{FoundPlaces, Place, PlaceQuery, PlacesBusy},
};

use crate::world::{World, ann, principal, refusal};

fn query(text: &str) -> PlaceQuery {
    PlaceQuery { text: text.to_owned(), limit: 5 }
}

fn found(names: &[&str]) -> Result<FoundPlaces, PlacesBusy> {
    let place = |name: &&str| Place {
        name: (*name).to_owned(),
        lat: 47.0,
        lon: 9.0,
        display_name: format!("{name},\n Land"),
        kind: "town".to_owned(),
    };
    Ok(FoundPlaces { places: names.iter().map(place).collect(), attribution: "Somebody" })
}

fn will_answer(world: &World, answers: [Result<FoundPlaces, PlacesBusy>; 2]) {
    for (guide, answer) in world.guides.iter().zip(answers) {
        *guide.answer.lock().unwrap() = Some(answer);
    }
}

#[tokio::test]
async fn the_next_is_asked_only_when_one_does_not_answer() {
    let busy = Err(PlacesBusy { retry_after: 9 });
    for (answers, names, asked) in [
        ([found(&["A"]), found(&["B"])], &["A"][..], 0),
        ([found(&[]), found(&["B"])], &[], 0),
        ([busy.clone(), found(&["B"])], &["B"], 1),
    ] {
        let world = World::new();
        will_answer(&world, answers);
        let answer = world.planner.search_places(&ann(), &query("  Somewhere\u{202e}\n else ")).await.unwrap();
        assert_eq!(answer.places.iter().map(|place| place.name.as_str()).collect::<Vec<_>>(), names);
        assert_eq!(world.guides[1].asked.lock().unwrap().len(), asked);
        assert_eq!(world.guides[0].asked.lock().unwrap()[0], query("Somewhere else"));
    }
    for answers in [[busy.clone(), found(&[])], [found(&[]), busy.clone()].map(|_| busy.clone())] {
        let world = World::new();
        will_answer(&world, answers);
        let refused = world.planner.search_places(&ann(), &query("Somewhere")).await;
        assert_eq!(refusal(refused), Refusal::PlacesBusy(9), "nothing was found, by one who knows less");
    }
}

#[tokio::test]
async fn what_strangers_say_is_cleaned_and_bounded() {
    let world = World::new();
    let long = "x".repeat(300);
    will_answer(&world, [found(&["A\u{202e}", " ", &long]), found(&[])]);
    let answer = world.planner.search_places(&ann(), &query("a")).await.unwrap();
    let names: Vec<_> = answer.places.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(names, ["A", &format!("{}…", "x".repeat(200))]);
    assert_eq!(answer.places[0].display_name, "A, Land");
}

#[tokio::test]
async fn what_cannot_be_looked_for() {
    let world = World::new();
    for text in ["", " \n", "\u{202e}", &"é".repeat(201)] {
        let refused = world.planner.search_places(&ann(), &query(text)).await;
        assert!(matches!(refusal(refused), Refusal::Invalid(_)), "{text:?}");
    }
    let writer = principal("ann", "trips:write");
    assert_eq!(refusal(world.planner.search_places(&writer, &query("a")).await), Refusal::Scope("trips:read"));
    will_answer(&world, [found(&["A"]), found(&[])]);
    for _ in 0..30 {
        world.planner.search_places(&ann(), &query("a")).await.unwrap();
    }
    let used_up = world.planner.search_places(&ann(), &query("a")).await;
    assert_eq!(refusal(used_up), Refusal::RateLimited(60), "what was refused before has spent nothing");
}
