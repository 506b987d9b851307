//! What each tool answers.

use std::time::Duration;

use serde_json::{Value, json};

use crate::world::{BASE, World};

/// Ids and tokens are random: their places are kept, not their values.
fn masked(mut answer: Value, secrets: &[&str]) -> Value {
    let mut text = answer.to_string();
    for (index, secret) in secrets.iter().enumerate() {
        text = text.replace(secret, &format!("<{index}>"));
    }
    answer = serde_json::from_str(&text).unwrap();
    answer
}

#[tokio::test]
async fn a_trip_from_creation_to_deletion() {
    let world = World::new();
    let arguments = json!({"sourceUrl": "https://www.komoot.com/de-de/tour/300?ref=x", "startDate": "2026-07-01"});
    let created = world.call("create_trip", arguments.clone()).await.unwrap();
    let id = created["id"].as_str().unwrap().to_owned();
    insta::assert_json_snapshot!("created", masked(created, &[&id]));

    let waiting = world.call("get_trip", json!({"id": id})).await.unwrap();
    assert_eq!(
        (&waiting["partial"], &waiting["status"], &waiting["stages"]),
        (&json!(true), &json!("draft"), &json!([]))
    );
    assert_eq!(waiting["categoryStatus"], json!([{"category": "route", "status": "running"}]));

    world.work().await;
    let trip = world.call("get_trip", json!({"id": id, "unknown": 1})).await.unwrap();
    let stages: Vec<_> = trip["stages"].as_array().unwrap().iter().map(|s| s["stageId"].as_str().unwrap()).collect();
    let secrets: Vec<_> = std::iter::once(id.as_str()).chain(stages.iter().copied()).collect();
    insta::assert_json_snapshot!("trip", masked(trip.clone(), &secrets));
    let lengths: Vec<_> = trip["stages"].as_array().unwrap().iter().map(|s| s["distance"].as_f64().unwrap()).collect();
    assert_eq!(lengths, [80.0, 80.0, 73.68, 66.32]);

    let stage = world.call("get_stage", json!({"tripId": id, "stageId": stages[1]})).await.unwrap();
    insta::assert_json_snapshot!("stage", masked(stage, &secrets));

    let list = world.call("list_trips", json!({})).await.unwrap();
    insta::assert_json_snapshot!("list", masked(list, &secrets));

    let asked = world.call("delete_trip", json!({"id": id})).await.unwrap();
    let token = asked["confirmationToken"].as_str().unwrap().to_owned();
    insta::assert_json_snapshot!("asked", masked(asked, &[&id, &token]));
    let deleted = world.call("delete_trip", json!({"id": id, "confirmationToken": token})).await.unwrap();
    insta::assert_json_snapshot!("deleted", masked(deleted, &[&id]));
    assert!(world.call("get_trip", json!({"id": id})).await.is_err());
}

#[tokio::test]
async fn places_are_found_with_their_credit() {
    let world = World::new();
    let found = world.call("search_places", json!({"q": " Buchs ", "limit": 1})).await.unwrap();
    insta::assert_json_snapshot!("places", found);
    for (limit, count) in [
        (json!(null), 5),
        (json!(0), 1),
        (json!(-3), 1),
        (json!(-1e300), 1),
        (json!(7.0), 7),
        (json!(11), 10),
        (json!(i64::MAX), 10),
        (json!(u64::MAX), 10),
        (json!(1e300), 10),
    ] {
        let found = world.call("search_places", json!({"q": "Buchs", "limit": limit})).await.unwrap();
        assert_eq!(
            (&found["totalItems"], found["member"].as_array().unwrap().len()),
            (&json!(count), count),
            "{limit}"
        );
    }
    for limit in [json!(2.5), json!("7"), json!([7])] {
        let misfit = world.call("search_places", json!({"q": "Buchs", "limit": limit})).await.unwrap_err();
        assert_eq!(misfit.code(), -32602, "{limit}");
    }
    let nothing = world.call("search_places", json!({"q": "nowhere"})).await.unwrap();
    assert_eq!((&nothing["totalItems"], &nothing["member"]), (&json!(0), &json!([])));
    let busy = world.call("search_places", json!({"q": "hurry"})).await.unwrap_err();
    assert_eq!((busy.code(), busy.message().as_str()), (-32603, "The place search is busy. Retry in 7 seconds."));
}

#[tokio::test]
async fn searching_places_has_its_own_limit_behind_the_check_of_the_arguments() {
    let world = World::new();
    for _ in 0..20 {
        let misfit = world.call("search_places", json!({"q": "x".repeat(201)})).await.unwrap_err();
        assert_eq!(misfit.code(), -32602, "spends a call, and no search");
        assert_eq!(world.call("search_places", json!({"q": " \u{202e} "})).await.unwrap_err().code(), -32603);
    }
    for _ in 0..20 {
        world.call("search_places", json!({"q": "Buchs"})).await.unwrap();
    }
    world.clock.advance(Duration::from_secs(30));
    for _ in 0..10 {
        assert_eq!(world.call("search_places", json!({"q": "Buchs"})).await.unwrap_err().code(), -32000);
    }
    world.clock.advance(Duration::from_secs(30));
    for _ in 0..30 {
        world.call("search_places", json!({"q": "Buchs"})).await.unwrap();
    }
    let used_up = world.call("search_places", json!({"q": "Buchs"})).await.unwrap_err();
    assert_eq!(used_up.data(), Some(json!({"error": "rate_limited", "retryAfter": 60})));
    assert!(world.call_as("bob", "search_places", json!({"q": "Buchs"})).await.is_ok());
}

#[tokio::test]
async fn a_failed_fetch_says_why() {
    let world = World::new();
    let id = world.trip(404).await;
    let trip = world.call("get_trip", json!({"id": id})).await.unwrap();
    assert_eq!(trip["failure"], json!({"code": "not_found", "message": "This route does not exist."}));
    assert_eq!((&trip["partial"], &trip["status"]), (&json!(false), &json!("draft")));
    assert_eq!(trip["categoryStatus"], json!([{"category": "route", "status": "failed"}]));
    assert_eq!(world.call("list_trips", json!({})).await.unwrap()["member"][0]["status"], "failed");
}

#[tokio::test]
async fn identical_creations_are_one() {
    let world = World::new();
    let first = json!({"sourceUrl": "https://www.komoot.com/tour/100", "maxDistancePerDay": 80, "title": null});
    let again = json!({"maxDistancePerDay": 80.0, "sourceUrl": "https://www.komoot.com/tour/100"});
    let one = world.call("create_trip", first).await.unwrap();
    let two = world.call("create_trip", again.clone()).await.unwrap();
    assert_eq!(one["id"], two["id"]);
    assert_ne!(one["result"], two["result"]);
    let key = "0123456789abcdef";
    let mut keyed = again;
    keyed["idempotencyKey"] = key.into();
    let three = world.call("create_trip", keyed.clone()).await.unwrap();
    assert_ne!(three["id"], one["id"]);
    keyed["maxDistancePerDay"] = 90.into();
    let refusal = world.call("create_trip", keyed).await.unwrap_err();
    assert_eq!(refusal.message(), "This \"idempotencyKey\" was already used for a different request body.");
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    let world = World::new();
    let source = "https://www.komoot.com/tour/100";
    for (tool, arguments, code, message) in [
        ("list_trips", json!({"page": 0}), -32602, "\"page\" must be at least 1."),
        ("list_trips", json!({"itemsPerPage": 31}), -32602, "\"itemsPerPage\" must be between 1 and 30."),
        (
            "list_trips",
            json!({"startDate": "soon"}),
            -32602,
            "\"startDate\" is not a date: write YYYY-MM-DD or RFC 3339",
        ),
        ("get_trip", json!({}), -32602, "missing field `id`."),
        ("get_trip", json!({"id": 3}), -32602, "\"id\" must be a text."),
        ("get_trip", json!([]), -32602, "the arguments must be an object."),
        (
            "create_trip",
            json!({"sourceUrl": source, "fatigueFactor": 0.49}),
            -32602,
            "\"fatigueFactor\" must be between 0.5 and 1.",
        ),
        (
            "create_trip",
            json!({"sourceUrl": source, "enabledAccommodationTypes": []}),
            -32602,
            "\"enabledAccommodationTypes\" must have at least 1 ",
        ),
        (
            "create_trip",
            json!({"sourceUrl": source, "enabledAccommodationTypes": ["tent"]}),
            -32602,
            "\"enabledAccommodationTypes[0]\" must be one of camp_site",
        ),
        (
            "create_trip",
            json!({"sourceUrl": source, "idempotencyKey": "short"}),
            -32602,
            "\"idempotencyKey\" must have at least 16 characters.",
        ),
        (
            "create_trip",
            json!({"sourceUrl": source, "stages": []}),
            -32603,
            "Unknown argument(s): \"stages\". This tool accepts: sourceUrl, title",
        ),
        ("create_trip", json!({"sourceUrl": "http://example.org/x"}), -32603, "This \"sourceUrl\" is not supported"),
        ("delete_trip", json!({"id": "x", "confirmationToken": true}), -32602, "\"confirmationToken\" must be a text."),
    ] {
        let refusal = world.call(tool, arguments.clone()).await.unwrap_err();
        let expected = if code == -32602 {
            format!("Invalid parameters for tool '{tool}': {message}")
        } else {
            message.to_owned()
        };
        assert_eq!(refusal.code(), code, "{arguments}");
        assert!(refusal.message().starts_with(&expected), "{} is not {expected}", refusal.message());
        world.clock.advance(Duration::from_secs(10));
    }
}

#[tokio::test]
async fn a_page_behind_the_last_is_empty_however_far() {
    let world = World::new();
    for page in [2, u64::from(u32::MAX) + 1, u64::MAX] {
        let list = world.call("list_trips", json!({"page": page})).await.unwrap();
        assert_eq!((&list["totalItems"], &list["member"]), (&json!(0), &json!([])), "{page}");
    }
}

#[tokio::test]
async fn callers_values_are_quoted_briefly_and_clean() {
    let world = World::new();
    let name = format!("{}\u{202e}\u{1b}", "x".repeat(100));
    let message = world.call("create_trip", json!({name: 1})).await.unwrap_err().message();
    assert!(message.starts_with(&format!("Unknown argument(s): \"{}\".", "x".repeat(40))), "{message}");
    let message = world.call(&"y".repeat(100), json!({})).await.unwrap_err().message();
    assert!(message.contains(&format!("\"{}\"", "y".repeat(40))), "{message}");
}

#[tokio::test]
async fn call_limits_are_spent_both_or_neither() {
    let world = World::new();
    for _ in 0..20 {
        assert_eq!(world.call("delete_trip", json!({"id": "x"})).await.unwrap_err().code(), -32603);
    }
    let refusal = world.call("delete_trip", json!({"id": 3})).await.unwrap_err();
    assert_eq!(refusal.data(), Some(json!({"error": "rate_limited", "retryAfter": 60})));
    assert_eq!(refusal.message(), "rate_limited: too many calls from this agent. Retry in 60 seconds.");
    for _ in 0..40 {
        world.call("list_trips", json!({})).await.unwrap();
    }
    assert_eq!(world.call("list_trips", json!({})).await.unwrap_err().code(), -32000);
    assert!(world.call_as("bob", "list_trips", json!({})).await.is_ok());
    world.clock.advance(Duration::from_secs(60));
    assert!(world.call("list_trips", json!({})).await.is_ok());
}

#[tokio::test]
async fn long_trips_fit_a_readers_window() {
    let world = World::new();
    let arguments = json!({
        "sourceUrl": "https://www.komoot.com/tour/4800",
        "fatigueFactor": 1.0,
        "title": "t".repeat(255),
    });
    let id = world.call("create_trip", arguments).await.unwrap()["id"].clone();
    world.work().await;
    let trip = world.call("get_trip", json!({"id": id})).await.unwrap();
    assert_eq!(trip["stageCount"], 60);
    assert!(trip.to_string().len() <= 48_000, "{} bytes", trip.to_string().len());
    // Days in another order, so that the way is broken after most of them.
    for version in 1..=15 {
        world.clock.advance(Duration::from_secs(4));
        let day = &trip["stages"][58 - 2 * version]["stageId"];
        let edit = json!({"tripId": id, "version": version, "action": "move", "stageId": day, "toIndex": 0});
        world.call("edit_stages", edit).await.unwrap();
    }
    world.clock.advance(Duration::from_secs(60));
    let trip = world.call("get_trip", json!({"id": id})).await.unwrap();
    let broken = trip["stages"].as_array().unwrap().iter().filter(|day| day["criticalAlerts"] != json!([])).count();
    assert!(broken > 25, "{broken}");
    assert!(trip.to_string().len() <= 48_000, "{} bytes", trip.to_string().len());
}

#[tokio::test]
async fn every_address_begins_with_ours() {
    let world = World::new();
    let id = world.trip(100).await;
    for (tool, arguments) in
        [("list_trips", json!({})), ("get_trip", json!({"id": id})), ("delete_trip", json!({"id": id}))]
    {
        let answer = world.call(tool, arguments).await.unwrap();
        for key in ["@context", "@id"] {
            assert!(answer[key].as_str().unwrap().starts_with(BASE), "{tool} {key}");
        }
    }
}

#[tokio::test]
async fn dates_that_are_too_short_are_told_on_the_trip_and_each_day() {
    let world = World::new();
    let arguments = json!({
        "sourceUrl": "https://www.komoot.com/tour/1000",
        "startDate": "2026-07-01",
        "endDate": "2026-07-05T23:59:59+02:00",
    });
    let id = world.call("create_trip", arguments).await.unwrap()["id"].clone();
    world.work().await;
    let trip = world.call("get_trip", json!({"id": id})).await.unwrap();
    assert_eq!(trip["warnings"][0]["code"], "dates_too_short");
    for day in trip["stages"].as_array().unwrap() {
        assert_eq!(
            (&day["distance"], &day["alertCount"], &day["criticalAlerts"]),
            (&json!(200.0), &json!(1), &json!([]))
        );
    }
    let stage = json!({"tripId": id, "stageId": trip["stages"][4]["stageId"]});
    let alerts = world.call("get_stage", stage).await.unwrap()["alerts"].clone();
    let message = "With its climbing this day counts for 200 km, over the cap of 80 km: the dates leave too few days.";
    let expected = json!({"code": "pacing_over_cap", "type": "warning", "group": "pacing", "message": message});
    assert_eq!(alerts, json!([expected]));
}
