//! Every tool over the wire.

use serde_json::{Value, json};

use crate::world::{BASE, World, call, modern, request};

/// Tools that cannot answer before there is map data.
const NOT_YET: [&str; 2] = ["add_waypoint", "analyze_trip"];

/// A trip with days, as its id and that of its first day.
async fn planned(world: &World) -> (Value, Value) {
    let source = json!({"sourceUrl": "https://www.komoot.com/tour/2026", "title": "Round the hills"});
    let id = world.call("create_trip", &source).await.json()["result"]["structuredContent"]["id"].clone();
    world.work().await;
    let trip = world.call("get_trip", &json!({"id": id})).await.json()["result"]["structuredContent"].clone();
    (id, trip["stages"][0]["stageId"].clone())
}

/// A call of each tool, in an order in which each can succeed.
fn calls(trip: &Value, day: &Value) -> Vec<(&'static str, Value)> {
    vec![
        ("list_trips", json!({})),
        ("get_trip", json!({"id": trip})),
        ("get_stage", json!({"tripId": trip, "stageId": day})),
        ("search_places", json!({"q": "Buchs"})),
        ("create_trip", json!({"sourceUrl": "https://www.komoot.com/tour/2", "title": "\u{202e}2\n"})),
        ("edit_stages", json!({"tripId": trip, "version": 1, "action": "update", "stageId": day, "label": "a\tb"})),
        ("choose_accommodation", json!({"tripId": trip, "version": 2, "stageId": day})),
        ("update_trip_settings", json!({"id": trip, "version": 2, "maxDistancePerDay": 120})),
        ("share_trip", json!({"tripId": trip})),
        ("unshare_trip", json!({"tripId": trip})),
        ("delete_trip", json!({"id": trip})),
        ("add_waypoint", json!({"tripId": trip, "stageId": day, "waypointLat": 47.1, "waypointLon": 9.5})),
        ("analyze_trip", json!({"id": trip})),
    ]
}

#[tokio::test]
async fn every_tool_answers_in_both_eras_what_its_context_explains() {
    for stateless in [false, true] {
        let world = World::new().await;
        let (trip, day) = planned(&world).await;
        let calls = calls(&trip, &day);
        let list = world.post("rw", &[], &request(1, "tools/list", &json!({})).to_string()).await.json();
        assert_eq!(list["result"]["tools"].as_array().unwrap().len(), calls.len(), "every tool is called");
        for (tool, arguments) in calls {
            let params = json!({"name": tool, "arguments": arguments});
            let reply = match stateless {
                true => world.modern("rw", "tools/call", tool, params).await,
                false => world.call(tool, &arguments).await,
            };
            assert_eq!(reply.status, 200, "{tool}: {}", reply.text);
            if NOT_YET.contains(&tool) {
                assert!(reply.code() == -32603 && reply.text.contains("map data"), "{tool}: {}", reply.text);
                continue;
            }
            let result = reply.json()["result"].clone();
            let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
            assert_eq!(text, result["structuredContent"], "{tool}");
            assert_eq!((result["content"].as_array().unwrap().len(), &result["isError"]), (1, &json!(false)), "{tool}");
            assert_eq!(result.get("resultType").is_some(), stateless, "{tool}");
            assert_eq!(result.get("_meta").is_some(), stateless, "{tool}");
            let context = text["@context"].as_str().unwrap().strip_prefix(BASE).unwrap();
            let served = world.send("GET", context, &[], "").await;
            assert_eq!(served.header("content-type"), "application/ld+json", "{tool}: {context}");
            assert!(served.json()["@context"].get(text["@type"].as_str().unwrap()).is_some(), "{tool}");
        }
    }
}

/// What is sent as a notification is accepted as one, and no tool is called.
#[tokio::test]
async fn a_call_without_an_id_calls_nothing() {
    let world = World::new().await;
    let (trip, day) = planned(&world).await;
    let asked = world.call("delete_trip", &json!({"id": trip})).await.json();
    let token = asked["result"]["structuredContent"]["confirmationToken"].clone();
    let deletes = json!({"name": "delete_trip", "arguments": {"id": trip, "confirmationToken": token}});
    let edit = json!({"tripId": trip, "version": 1, "action": "delete", "stageId": day});
    let edits = json!({"name": "edit_stages", "arguments": edit});
    for params in [deletes, edits] {
        let note = |message: Value| {
            let mut message = message;
            message.as_object_mut().unwrap().remove("id");
            message.to_string()
        };
        let old = note(request(1, "tools/call", &params));
        let new = note(modern(1, "tools/call", params.clone()));
        let headers = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", params["name"].as_str().unwrap()),
        ];
        for (headers, body) in [(&[][..], old.clone()), (&[], format!("[{old}]")), (&headers, new)] {
            let reply = world.post("rw", headers, &body).await;
            assert_eq!((reply.status.as_u16(), reply.text.as_str()), (202, ""), "{body}");
        }
    }
    let trip = world.call("get_trip", &json!({"id": trip})).await.json();
    assert_eq!(trip["result"]["structuredContent"]["version"], 1, "nothing was done");
}

#[tokio::test]
async fn the_list_of_tools_has_one_page() {
    let world = World::new().await;
    for (cursor, is_there) in [("null", true), ("\"\"", true), ("\"2\"", false), ("2", false), ("{}", false)] {
        let list =
            format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {{"cursor": {cursor}}}}}"#);
        let answer = world.post("r", &[], &list).await.json();
        assert_eq!(
            (answer["result"]["tools"].is_array(), answer["error"]["code"] == -32602),
            (is_there, !is_there),
            "{answer}"
        );
        let batch = world.post("r", &[], &format!("[{list}]")).await.json();
        assert_eq!(batch[0], answer, "one of several");
    }
}

#[tokio::test]
async fn what_does_not_fit_is_told_apart_from_the_arguments() {
    let world = World::new().await;
    for (params, says) in [
        (r#""name": "get_trip", "arguments": 5"#, "the arguments must be an object."),
        (r#""name": "get_trip", "name": "get_trip", "arguments": {"id": "x"}"#, "a member beside \"arguments\""),
        (r#""name": "get_trip", "arguments": {"id": "x"}, "requestState": 5"#, "a member beside \"arguments\""),
    ] {
        let body = format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{{params}}}}}"#);
        let error = world.post("r", &[], &body).await.json()["error"].clone();
        let says = format!("Invalid parameters for tool 'get_trip': {says}");
        assert!(error["code"] == -32602 && error["message"].as_str().unwrap().starts_with(&says), "{error}");
        assert_eq!(world.post("w", &[], &body).await.code(), -32000, "scope comes first");
    }
}

/// There is nothing to read, subscribe to or be prompted by, with any scope and in any dress.
#[tokio::test]
async fn other_ways_to_the_data_do_not_exist() {
    let world = World::new().await;
    let (trip, _) = planned(&world).await;
    let uri = format!("{BASE}/trips/{}", trip.as_str().unwrap());
    for (method, params) in [
        ("resources/read", json!({"uri": uri})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/subscribe", json!({"uri": uri})),
        ("prompts/get", json!({"name": "get_trip"})),
        ("prompts/list", json!({})),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": "b"}}),
        ),
        ("logging/setLevel", json!({"level": "debug"})),
        ("tasks/get", json!({"taskId": "x"})),
    ] {
        for token in ["r", "w", "rw"] {
            let reply = world.post(token, &[], &request(1, method, &params).to_string()).await;
            assert_eq!((reply.status.as_u16(), reply.code()), (200, -32601), "{method}: {}", reply.text);
            assert!(!reply.text.contains("Round the hills"), "{method}");
        }
        let batch = format!("[{},{}]", request(1, method, &params), call(2, "get_trip", &json!({"id": trip})));
        let answers = world.post("w", &[], &batch).await.json();
        assert_eq!((&answers[0]["error"]["code"], &answers[1]["error"]["code"]), (&json!(-32601), &json!(-32000)));
        let name = ["uri", "name", "taskId"].into_iter().find_map(|key| params[key].as_str()).unwrap_or_default();
        let reply = world.modern("r", method, name, params.clone()).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (404, -32601), "{method}: {}", reply.text);
    }
}
