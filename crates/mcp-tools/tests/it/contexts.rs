//! The JSON-LD contexts.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::world::{BASE, World};

/// What nothing answers before there is map data.
const NOT_YET: [&str; 2] = ["TripAnalysis", "WaypointRequest"];

#[tokio::test]
async fn every_answer_has_a_context_that_names_its_type() {
    let world = World::new();
    let contexts = btp_mcp_tools::contexts(BASE);
    let id = world.trip(100).await;
    let trip = world.call("get_trip", json!({"id": id})).await.unwrap();
    let day = &trip["stages"][0]["stageId"];
    let label = json!({"tripId": id, "version": 1, "action": "update", "stageId": day, "label": "Hills"});
    let mut seen: BTreeSet<String> = NOT_YET.map(str::to_owned).into();
    for (tool, arguments) in [
        ("list_trips", json!({})),
        ("get_trip", json!({"id": id})),
        ("get_stage", json!({"tripId": id, "stageId": day})),
        ("search_places", json!({"q": "Buchs"})),
        ("create_trip", json!({"sourceUrl": "https://www.komoot.com/tour/90"})),
        ("choose_accommodation", json!({"tripId": id, "version": 1, "stageId": day})),
        ("edit_stages", label),
        ("update_trip_settings", json!({"id": id, "version": 2, "title": "Hills"})),
        ("share_trip", json!({"tripId": id})),
        ("unshare_trip", json!({"tripId": id})),
        ("delete_trip", json!({"id": id})),
    ] {
        let answer = world.call(tool, arguments).await.unwrap();
        let kind = answer["@type"].as_str().unwrap().to_owned();
        assert_eq!(answer["@context"], format!("{BASE}/contexts/{kind}"));
        let list = if tool == "search_places" { "places" } else { "trips" };
        assert!(answer["@id"].as_str().unwrap().starts_with(&format!("{BASE}/{list}")), "{tool}");
        assert!(contexts[kind.as_str()]["@context"].get(&kind).is_some(), "{kind}");
        assert!(seen.insert(kind), "{tool}");
    }
    assert_eq!(seen, contexts.keys().map(|&name| name.to_owned()).collect());
}

/// JSON-LD 1.1 §9.15: what a context definition and an expanded term definition may hold.
#[test]
fn contexts_are_legal() {
    for (name, document) in btp_mcp_tools::contexts(BASE) {
        let context = document["@context"].as_object().unwrap();
        assert_eq!((&context["@version"], &context["schema"]), (&json!(1.1), &json!("https://schema.org/")), "{name}");
        for (term, definition) in context {
            let legal = match definition {
                Value::String(_) => true,
                Value::Number(_) => term == "@version",
                Value::Object(members) => members.iter().all(|(key, value)| match (key.as_str(), value.as_str()) {
                    ("@id", Some(iri)) => iri.starts_with("schema:"),
                    ("@type", Some(kind)) => ["@id", "@json", "schema:DateTime"].contains(&kind),
                    ("@container", Some(kind)) => kind == "@list",
                    _ => false,
                }),
                _ => false,
            };
            assert!(legal, "{name}: {term}: {definition}");
        }
    }
}
