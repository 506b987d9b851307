//! What holds for every tool.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use btp_mcp_kit::Tool;
use serde_json::{Value, json};

use crate::world::World;

const NAMES: [&str; 13] = [
    "list_trips",
    "get_trip",
    "get_stage",
    "search_places",
    "create_trip",
    "update_trip_settings",
    "edit_stages",
    "add_waypoint",
    "choose_accommodation",
    "analyze_trip",
    "share_trip",
    "unshare_trip",
    "delete_trip",
];

fn published(tool: &Tool) -> Value {
    let (spec, hints) = (tool.spec(), tool.spec().hints);
    json!({
        "name": spec.name,
        "title": spec.title,
        "description": spec.description,
        "scope": spec.scope,
        "hints": {"readOnly": hints.read_only, "destructive": hints.destructive, "openWorld": hints.open_world},
        "limits": spec.limits.iter().map(|limit| limit.name).collect::<Vec<_>>(),
        "closed": spec.closed,
        "inputSchema": **tool.input(),
        "outputSchema": **tool.output(),
    })
}

#[test]
fn each_tool_is_published_as_reviewed() {
    for tool in World::new().catalogue.tools() {
        insta::assert_json_snapshot!(tool.spec().name, published(tool));
    }
}

#[test]
fn the_tools_are_those_of_the_reference_in_its_order() {
    let world = World::new();
    let names: Vec<_> = world.catalogue.tools().iter().map(|tool| tool.spec().name).collect();
    assert_eq!(names, NAMES);
}

#[test]
fn hints_limits_and_scopes_fit_each_other() {
    for tool in World::new().catalogue.tools() {
        let spec = tool.spec();
        let limits: Vec<_> = spec.limits.iter().map(|limit| limit.name).collect();
        if spec.scope == "trips:read" {
            assert!(spec.hints.read_only && !spec.hints.destructive, "{}", spec.name);
            assert_eq!(limits, ["mcp_tool_call"], "{}", spec.name);
        } else {
            assert_eq!((spec.scope, spec.hints.read_only), ("trips:write", false), "{}", spec.name);
            assert_eq!(limits, ["mcp_tool_call", "mcp_mutation"], "{}", spec.name);
        }
        let asks = tool.input()["properties"].get("confirmationToken").is_some();
        assert!(!asks || spec.hints.destructive, "{}: what asks first can destroy", spec.name);
    }
}

#[test]
fn schemas_are_plain_and_say_what_everything_is() {
    for tool in World::new().catalogue.tools() {
        for (side, schema) in [("input", tool.input()), ("output", tool.output())] {
            let place = format!("{} {side}", tool.spec().name);
            assert_eq!(schema["type"], "object", "{place}");
            for absent in ["oneOf", "anyOf", "allOf", "$schema", "$defs", "title"] {
                assert!(!schema.contains_key(absent), "{place} has {absent}");
            }
            described(&Value::Object((**schema).clone()), &place);
        }
        let text = Value::Object((**tool.input()).clone()).to_string();
        assert!(!text.contains("null"), "{} mentions null: {text}", tool.spec().name);
        assert_eq!(tool.spec().closed, tool.input().contains_key("additionalProperties"));
    }
}

/// Every property has a description, nothing has several types, and no integer a format that JSON Schema does not know.
fn described(schema: &Value, place: &str) {
    let Some(members) = schema.as_object() else { return };
    assert!(!members.contains_key("format"), "{place} has a format");
    assert!(!schema["type"].is_array(), "{place} has several types");
    for alternative in members.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
        described(alternative, place);
    }
    for (name, property) in members.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let place = format!("{place}.{name}");
        let description = property["description"].as_str().unwrap_or_default();
        assert!(!description.is_empty() && !description.ends_with('.'), "{place}: {description:?}");
        described(property, &place);
    }
    if let Some(items) = members.get("items") {
        described(items, &format!("{place}[]"));
    }
}

#[test]
fn texts_are_short_and_name_tools_that_exist() {
    let world = World::new();
    // rest_day is an action of edit_stages.
    let names: BTreeSet<_> = NAMES.into_iter().chain(["rest_day"]).collect();
    let texts = world.catalogue.tools().iter().map(|tool| (tool.spec().name, tool.spec().description));
    for (name, text) in texts.chain([("instructions", btp_mcp_tools::INSTRUCTIONS)]) {
        assert!(text.len() < if name == "instructions" { 2000 } else { 600 }, "{name} is long: {}", text.len());
        let words = text.split(|c: char| !(c.is_ascii_lowercase() || c == '_')).filter(|word| word.contains('_'));
        for word in words {
            assert!(names.contains(word), "{name} names {word}");
        }
    }
}

#[test]
fn the_list_is_the_same_each_time() {
    let texts: BTreeMap<_, _> = (0..2)
        .map(|run| {
            (run, World::new().catalogue.tools().iter().map(|tool| published(tool).to_string()).collect::<Vec<_>>())
        })
        .collect();
    assert_eq!(texts[&0], texts[&1]);
}

#[tokio::test]
async fn scopes_do_not_include_each_other() {
    use btp_kernel::{Principal, Scopes};
    let world = World::new();
    for tool in world.catalogue.tools() {
        let other = if tool.spec().scope == "trips:read" { "trips:write" } else { "trips:read" };
        let principal = Principal { user: "ann".into(), client: "agent".into(), scopes: Scopes::parse(other) };
        let refusal = world.catalogue.call(&Arc::new(principal), tool.spec().name, json!({})).await.unwrap_err();
        let data = json!({"error": "insufficient_scope", "scope": tool.spec().scope});
        assert_eq!((refusal.code(), refusal.data()), (-32000, Some(data)));
        assert!(refusal.message().starts_with("insufficient_scope: "));
    }
    let refusal = world.call("no_such_tool", json!({})).await.unwrap_err();
    assert_eq!(refusal.data(), Some(json!({"error": "insufficient_scope", "scope": null})));
}
