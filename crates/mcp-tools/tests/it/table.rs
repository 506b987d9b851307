//! Every tool in every situation. Which situations a tool must have a row for follows from its schema, so a new tool
//! without its rows fails; that every answer fits its published schema is checked at each call (`world`).

mod rows;

use std::collections::{BTreeMap, BTreeSet};

use btp_mcp_kit::{Tool, ToolError};
use serde_json::{Map, Value, json};

use self::rows::{
    BAD_TOKEN, Gives,
    Gives::{Answer, Refusal},
    In,
    In::{Asked, Failed, Locked, NoDay, NoVersion, Partial, RestDay, Rule, Stale, Success},
    rows,
};
use crate::world::World;

/// Tools that have nothing to work with before there is map data: they cannot succeed yet.
const NOT_YET: [&str; 2] = ["add_waypoint", "analyze_trip"];

/// The situations a tool must have rows for.
fn needed(tool: &Tool) -> BTreeSet<In> {
    let (name, properties) = (tool.spec().name, tool.input()["properties"].as_object().unwrap());
    let takes = |argument: &str| properties.contains_key(argument);
    let writes = tool.spec().scope == "trips:write";
    let edits = writes && (takes("version") || takes("stageId") || name == "analyze_trip");
    let all = [
        (if NOT_YET.contains(&name) { Rule } else { Success }, true),
        (Asked, takes("confirmationToken")),
        (NoVersion, takes("version")),
        (Stale, takes("version")),
        (NoDay, takes("stageId")),
        (RestDay, takes("stageId")),
        (Locked, edits),
        (Partial, edits),
        (Failed, edits),
    ];
    all.into_iter().filter(|(_, applies)| *applies).map(|(situation, _)| situation).collect()
}

/// A world with a trip for every name, and what the names stand for. REST has a rest day and a public link.
async fn situations() -> (World, BTreeMap<String, String>) {
    let world = World::new();
    let mut names = BTreeMap::new();
    for (name, km, start) in [
        ("READY", 300, None),
        ("REST", 300, None),
        ("FAILED", 404, None),
        ("LOCKED", 100, Some("2026-06-01")),
        ("BOB", 100, None),
    ] {
        let user = if name == "BOB" { "bob" } else { "ann" };
        let arguments = json!({
            "sourceUrl": format!("https://www.komoot.com/tour/{km}"), "startDate": start, "title": name,
        });
        let id = world.call_as(user, "create_trip", arguments).await.unwrap()["id"].as_str().unwrap().to_owned();
        world.work().await;
        names.insert(name.to_owned(), id);
    }
    let rest = names["REST"].clone();
    let day = world.call("get_trip", json!({"id": rest})).await.unwrap()["stages"][0]["stageId"].clone();
    let edit = json!({"tripId": rest, "version": 1, "action": "rest_day", "stageId": day});
    world.call("edit_stages", edit).await.unwrap();
    world.call("share_trip", json!({"tripId": rest})).await.unwrap();
    for name in ["READY", "REST", "LOCKED"] {
        let trip = world.call("get_trip", json!({"id": names[name]})).await.unwrap();
        for (index, day) in trip["stages"].as_array().unwrap().iter().enumerate() {
            names.insert(format!("{name}/{}", index + 1), day["stageId"].as_str().unwrap().to_owned());
        }
    }
    let arguments = json!({"sourceUrl": "https://www.komoot.com/tour/80", "title": "PARTIAL"});
    let id = world.call("create_trip", arguments).await.unwrap()["id"].as_str().unwrap().to_owned();
    names.insert("PARTIAL".to_owned(), id);
    let another = json!({"sourceUrl": "https://www.komoot.com/tour/81"});
    world.call("create_trip", another).await.unwrap();
    (world, names)
}

/// `arguments` with names replaced by what they stand for.
fn resolved(arguments: &Value, names: &BTreeMap<String, String>) -> Map<String, Value> {
    let resolve = |value: &Value| match value.as_str().and_then(|text| names.get(text)) {
        Some(id) => json!(id),
        None => value.clone(),
    };
    arguments.as_object().unwrap().iter().map(|(name, value)| (name.clone(), resolve(value))).collect()
}

fn judge(place: &str, outcome: Result<Value, ToolError>, gives: &Gives, names: &BTreeMap<String, String>) {
    match (outcome, gives) {
        (Ok(answer), Answer(members)) => {
            for (name, value) in members.as_object().unwrap() {
                assert_eq!(&answer[name], value, "{place}: {name} in {answer}");
            }
        }
        (Err(refusal), Refusal(code, words)) => {
            let mut words = (*words).to_owned();
            for (name, id) in names.iter().filter(|(name, _)| !name.contains('/')) {
                words = words.replace(&format!("Trip {name} "), &format!("Trip {id} "));
            }
            assert_eq!(refusal.code(), *code, "{place}: {}", refusal.message());
            assert!(refusal.message().starts_with(&words), "{place}: {}", refusal.message());
        }
        (Ok(answer), Refusal(..)) => panic!("{place} answered {answer}"),
        (Err(refusal), Answer(_)) => panic!("{place} was refused: {} {refusal:?}", refusal.message()),
    }
}

#[test]
fn every_tool_has_its_rows() {
    let mut rows_of: BTreeMap<&str, BTreeSet<In>> = BTreeMap::new();
    for (tool, situation, ..) in rows() {
        rows_of.entry(tool).or_default().insert(situation);
    }
    for tool in World::new().catalogue.tools() {
        let missing: Vec<_> = needed(tool).difference(&rows_of[tool.spec().name]).copied().collect();
        assert!(missing.is_empty(), "{} has no row for {missing:?}", tool.spec().name);
    }
}

#[tokio::test]
async fn every_tool_in_every_situation() {
    for (tool, situation, arguments, gives) in rows() {
        let (world, names) = situations().await;
        let mut arguments = resolved(&arguments, &names);
        let place = format!("{tool} {situation:?} {arguments:?}");
        if situation == Asked {
            let asked = world.call(tool, Value::Object(arguments.clone())).await.unwrap();
            arguments.insert("confirmationToken".to_owned(), asked["confirmationToken"].clone());
        }
        let outcome = world.call(tool, Value::Object(arguments.clone())).await;
        judge(&place, outcome, &gives, &names);
        if situation == Asked && tool != "delete_trip" {
            let again = world.call(tool, Value::Object(arguments)).await.unwrap_err();
            assert_eq!(again.code(), -32603, "{place}: a token is for one call");
        }
    }
}

/// Where it succeeds or asks: `null` for whatever may be left out changes nothing.
#[tokio::test]
async fn null_is_the_same_as_nothing() {
    for (tool, situation, arguments, gives) in rows() {
        if situation != Success {
            continue;
        }
        let (world, names) = situations().await;
        let published = world.catalogue.find(tool).unwrap().input()["properties"].as_object().unwrap().clone();
        let mut all: Map<String, Value> = published.into_iter().map(|(name, _)| (name, Value::Null)).collect();
        all.extend(resolved(&arguments, &names));
        judge(&format!("{tool} {all:?}"), world.call(tool, Value::Object(all)).await, &gives, &names);
    }
}

/// Somebody else's trip, none, and what is no id at all: the same refusal, byte for byte, whatever else is wrong.
#[tokio::test]
async fn a_trip_that_is_not_the_callers_does_not_exist() {
    let long = "x".repeat(5000);
    for (tool, situation, arguments, _) in rows() {
        if ![Success, Rule, Locked, Stale, NoVersion, NoDay].contains(&situation) {
            continue;
        }
        let (world, names) = situations().await;
        let tool = world.catalogue.find(tool).unwrap();
        let Some(key) = ["id", "tripId"].into_iter().find(|key| arguments.get(key).is_some()) else { continue };
        let mut arguments = resolved(&arguments, &names);
        for id in [&names["BOB"], "0198c0de-0000-7000-8000-000000000000", "", "'; --", "\u{0}", "../x", &long] {
            arguments.insert(key.to_owned(), json!(id));
            let refusal = world.call(tool.spec().name, Value::Object(arguments.clone())).await.unwrap_err();
            // What an action lacks is said before the trip is looked up.
            if refusal.message().contains("\"action\"") || refusal.message().contains(" action needs ") {
                continue;
            }
            let said = (refusal.code(), refusal.message(), refusal.data());
            assert_eq!(said, (-32603, "This trip does not exist.".to_owned(), None), "{} {id:?}", tool.spec().name);
        }
    }
}

/// A token is spent when it is shown, for whatever arguments, and stands for the arguments it was made for.
#[tokio::test]
async fn a_token_is_for_the_arguments_it_was_made_for() {
    for (tool, situation, arguments, _) in rows() {
        if situation != Asked {
            continue;
        }
        let (world, names) = situations().await;
        let mut arguments = resolved(&arguments, &names);
        let asked = world.call(tool, Value::Object(arguments.clone())).await.unwrap();
        for name in ["tripId", "title", "startDate", "endDate", "stageCount", "hasActiveShareLink"] {
            assert!(asked["impact"].get(name).is_some(), "{tool}: the impact has no {name}: {asked}");
        }
        assert!(asked["action"].as_str().is_some_and(|action| action.len() > 20), "{asked}");
        let token = asked["confirmationToken"].clone();
        let other = world.call("delete_trip", json!({"id": names["LOCKED"], "confirmationToken": token})).await;
        assert!(other.unwrap_err().message().starts_with(BAD_TOKEN), "{tool}");
        arguments.insert("confirmationToken".to_owned(), token);
        let spent = world.call(tool, Value::Object(arguments.clone())).await.unwrap_err();
        assert!(spent.message().starts_with(BAD_TOKEN), "{tool}");
        arguments.insert("confirmationToken".to_owned(), json!(""));
        let asked = world.call(tool, Value::Object(arguments.clone())).await.unwrap();
        assert_eq!(asked["confirmationRequired"], true, "{tool}: an empty token is none");
        arguments.insert("confirmationToken".to_owned(), asked["confirmationToken"].clone());
        world.clock.advance(std::time::Duration::from_secs(300));
        let late = world.call(tool, Value::Object(arguments)).await.unwrap_err();
        assert!(late.message().starts_with(BAD_TOKEN), "{tool}: five minutes");
    }
}

/// The type and range of each argument, from what is published.
#[tokio::test]
async fn arguments_that_do_not_fit_what_is_published() {
    let world = World::new();
    for tool in world.catalogue.tools() {
        let (name, closed) = (tool.spec().name, tool.spec().closed);
        for (argument, schema) in tool.input()["properties"].as_object().unwrap() {
            for misfit in misfits(schema) {
                world.clock.advance(std::time::Duration::from_secs(10));
                let refusal = world.call(name, json!({argument: misfit})).await.unwrap_err();
                let words = format!("Invalid parameters for tool '{name}': \"{argument}");
                assert_eq!(refusal.code(), -32602, "{name} {argument}: {misfit}");
                assert!(refusal.message().starts_with(&words), "{name} {argument} {misfit}: {}", refusal.message());
            }
        }
        world.clock.advance(std::time::Duration::from_secs(60));
        let stray = world.call(name, json!({"y".repeat(50): 1})).await;
        let refused = stray.is_err_and(|refusal| {
            refusal.message().starts_with(&format!("Unknown argument(s): \"{}\". This tool accepts: ", "y".repeat(40)))
        });
        assert_eq!(refused, closed, "{name}");
        let refusal = world.call(name, json!([])).await.unwrap_err();
        assert_eq!(refusal.code(), -32602, "{name}");
    }
}

/// Values that a schema rules out.
fn misfits(schema: &Value) -> Vec<Value> {
    let mut misfits = match schema["type"].as_str().unwrap() {
        "string" => vec![json!(1), json!([])],
        "integer" => vec![json!("*"), json!(1.5)],
        "number" => vec![json!("80"), json!(true)],
        "boolean" => vec![json!("true"), json!(0)],
        "array" => vec![json!("hotel"), json!(["tent"]), json!([])],
        "object" => vec![json!("0,10"), json!({"lat": 91, "lon": 0}), json!({"lat": 0, "lon": -180.5})],
        other => panic!("no misfit for {other}"),
    };
    misfits.extend(schema["maximum"].as_f64().map(|most| json!(most + 1.0)));
    misfits.extend(schema["minimum"].as_f64().map(|least| json!(least - 1.0)));
    misfits.extend(schema["maxLength"].as_u64().map(|most| json!("x".repeat(usize::try_from(most).unwrap() + 1))));
    misfits
}
