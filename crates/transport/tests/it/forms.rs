//! Forms of requests and answers.

use serde_json::{Value, json};

use crate::world::{World, call, request};

#[tokio::test]
async fn json_for_all_but_those_who_only_read_events() {
    let world = World::new().await;
    let list = request(1, "tools/list", &json!({})).to_string();
    let plain = world.post("r", &[], &list).await;
    for accept in
        ["application/json, text/event-stream", "text/event-stream, application/json", "application/json", "*/*"]
    {
        let reply = world.post("r", &[("accept", accept)], &list).await;
        assert_eq!((reply.header("content-type"), &reply.text), ("application/json", &plain.text), "{accept}");
    }
    let reply = world.post("r", &[("accept", "text/event-stream")], &list).await;
    assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "text/event-stream"));
    assert_eq!(reply.text, format!("event: message\ndata: {}\n\n", plain.text));
    let batch = world.post("r", &[("accept", "text/event-stream")], &format!("[{list}]")).await;
    assert_eq!(batch.text, format!("event: message\ndata: [{}]\n\n", plain.text));
}

#[tokio::test]
async fn what_is_no_message_gets_a_json_error() {
    let world = World::new().await;
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"a":{}1{}}}}}"#,
        "[".repeat(300),
        "]".repeat(300)
    );
    for (body, status, id, code) in [
        ("", 400, Value::Null, -32700),
        ("{nope", 400, Value::Null, -32700),
        ("\"text\"", 400, Value::Null, -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#, 400, Value::Null, -32600),
        (r#"{"id":26,"method":"tools/list"}"#, 400, json!(26), -32600),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, 400, json!(1), -32600),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{}}"#, 200, json!(2), -32602),
        (r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[]}"#, 400, json!(3), -32602),
        (
            r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"get_trip","arguments":[]}}"#,
            200,
            json!(4),
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"get_trip","arguments":null}}"#,
            200,
            json!(5),
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"delete_trip","arguments":7}}"#,
            200,
            json!(6),
            -32000,
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_trips","arguments":{},"_meta":3}}"#,
            400,
            json!(7),
            -32600,
        ),
        (deep.as_str(), 400, json!(1), -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\ud800"}}"#, 400, json!(1), -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","a":1e400}}"#, 400, json!(1), -32600),
    ] {
        let reply = world.post("r", &[], body).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (status, code), "{body}: {}", reply.text);
        assert_eq!((&reply.json()["id"], reply.header("content-type")), (&id, "application/json"), "{body}");
        assert!(!reply.text.contains("deserialize") && !reply.text.contains("column"), "{}", reply.text);
    }
}

#[tokio::test]
async fn other_media_types_are_refused_in_json() {
    let world = World::new().await;
    let list = request(1, "tools/list", &json!({})).to_string();
    for (kind, status) in
        [("application/json; charset=utf-8", 200), ("Application/JSON", 200), ("text/plain", 415), ("", 415)]
    {
        let reply = world.post("r", &[("content-type", kind)], &list).await;
        assert_eq!((reply.status.as_u16(), reply.header("content-type")), (status, "application/json"), "{kind}");
    }
    let two = [("content-type", "application/json"), ("content-type", "text/plain")];
    assert_eq!(world.post("r", &two, &list).await.status, 415);
}

#[tokio::test]
async fn a_method_nobody_knows_is_quoted_and_cut() {
    let world = World::new().await;
    let method = format!("\u{202e}x\u{0}{}", "y".repeat(60_000));
    let reply = world.post("r", &[], &request(1, &method, &json!({})).to_string()).await;
    assert_eq!(reply.json()["error"], json!({"code": -32601, "message": format!("x{}", "y".repeat(39))}));
}

#[tokio::test]
async fn the_text_is_the_structured_answer() {
    let world = World::new().await;
    let result = world.call("list_trips", &json!({})).await.json()["result"].clone();
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!((&text, &result["isError"]), (&result["structuredContent"], &json!(false)));
    assert_eq!(result["structuredContent"]["@id"], "https://www.example.org/trips");
}

/// Time is paused and moves on by itself when nothing else can: the tool that hangs is given its 30 seconds.
#[tokio::test(start_paused = true)]
async fn a_tool_that_panics_hangs_or_fails_is_answered() {
    let world = World::new().await;
    for what in ["panic", "fail", "hang"] {
        for batch in [false, true] {
            let body = call(5, "odd", &json!({"what": what}));
            let body = if batch { format!("[{body},{}]", call(6, "odd", &json!({"what": "hi"}))) } else { body };
            let began = tokio::time::Instant::now();
            let reply = world.post_to("/tests/mcp", "t", &[], &body).await;
            assert_eq!(reply.status, 200);
            let answer = if batch { reply.json()[0].clone() } else { reply.json() };
            assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(5), &json!(-32603)));
            if what == "hang" {
                assert_eq!(began.elapsed().as_secs(), 30);
            } else {
                assert_eq!(answer["error"]["message"], "Internal error.");
            }
            assert!(!reply.text.contains("secret"));
        }
    }
}

/// The bytes must not tell whether a trip exists.
// attack: 76
#[tokio::test]
async fn foreign_unknown_and_malformed_ids_answer_the_same_bytes() {
    let world = World::new().await;
    let arguments = json!({"sourceUrl": "https://www.komoot.com/tour/1"});
    let created = world.call("create_trip", &arguments).await.json();
    let trip = created["result"]["structuredContent"]["id"].as_str().unwrap();
    for (tool, name) in [("get_trip", "id"), ("get_stage", "tripId"), ("delete_trip", "id")] {
        let mut answers = Vec::new();
        for id in [trip, "0198c0de-0000-7000-8000-000000000000", "x", "", "\u{0}"] {
            let reply = world.call_as("bob", tool, &json!({name: id, "stageId": "y"})).await;
            answers.push((reply.status, reply.text));
        }
        answers.dedup();
        assert_eq!(answers.len(), 1, "{tool}: {answers:?}");
    }
}
