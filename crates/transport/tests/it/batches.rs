//! Batches of the handshake era.

use serde_json::{Value, json};

use crate::world::{MODERN, World, call, modern, request};

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
const NOTE: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

#[tokio::test]
async fn members_are_judged_one_by_one_in_order() {
    let world = World::new().await;
    let initialize = request(3, "initialize", &json!({"protocolVersion": "2025-03-26", "capabilities": {}}));
    let members = [
        call("a", "list_trips", &json!({})),
        NOTE.to_owned(),
        initialize.to_string(),
        call(4, "no_such_tool", &json!({})),
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#.to_owned(),
        "7".to_owned(),
        request(8, "ping", &json!({})).to_string(),
        request(9, "foo/bar", &json!({})).to_string(),
    ];
    for version in ["", "2025-03-26", "2025-11-25"] {
        let batch = format!(" [{}]", members.join(","));
        let reply = world.post("rw", &[("mcp-protocol-version", version)], &batch).await;
        assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "application/json"));
        let answers = reply.json();
        let seen: Vec<_> =
            answers.as_array().unwrap().iter().map(|a| (a["id"].clone(), a["error"]["code"].clone())).collect();
        let expected = [
            (json!("a"), Value::Null),
            (json!(3), json!(-32600)),
            (json!(4), json!(-32000)),
            (Value::Null, json!(-32600)),
            (Value::Null, json!(-32600)),
            (json!(8), Value::Null),
            (json!(9), json!(-32601)),
        ];
        assert_eq!(seen, expected);
    }
}

#[tokio::test]
async fn notifications_alone_are_accepted() {
    let world = World::new().await;
    let reply = world.post("r", &[], &format!("[{NOTE},{NOTE}]")).await;
    assert_eq!((reply.status.as_u16(), reply.text.as_str()), (202, ""));
}

#[tokio::test]
async fn what_is_no_batch() {
    let world = World::new().await;
    let long = format!("[{}]", vec![LIST; 101].join(","));
    let claims = format!("[{}]", modern(1, "tools/list", json!({})));
    let one = format!("[{LIST}]");
    for (version, body, code) in [
        ("", "[]", -32600),
        ("", long.as_str(), -32600),
        ("", "[{]", -32700),
        ("", "[1", -32700),
        (MODERN, one.as_str(), -32600),
        ("2027-01-01", one.as_str(), -32600),
        ("", claims.as_str(), -32600),
    ] {
        let reply = world.post("r", &[("mcp-protocol-version", version)], body).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (400, code), "{version} {body}");
    }
    let most = format!("[{}]", vec![LIST; 100].join(","));
    assert_eq!(world.post("r", &[], &most).await.json().as_array().unwrap().len(), 100);
}

// attack: 96
#[tokio::test]
async fn a_token_that_ends_in_the_middle_does_nothing_more() {
    let world = World::new().await;
    let members: Vec<_> = (1..=4).map(|id| call(id, "list_trips", &json!({}))).collect();
    let answers = world.post("brief", &[], &format!("[{},{NOTE}]", members.join(","))).await.json();
    let answers = answers.as_array().unwrap();
    assert_eq!(answers.len(), 4);
    for (done, answer) in [true, true, false, false].into_iter().zip(answers) {
        assert_eq!((answer["result"].is_object(), answer["error"].is_object()), (done, !done), "{answer}");
    }
    let error = &answers[2]["error"];
    assert_eq!((&error["code"], &error["data"]), (&json!(-32000), &json!({"error": "invalid_token"})));
    assert!(error["message"].as_str().unwrap().starts_with("invalid_token: "), "{error}");
    assert_eq!(world.post("brief", &[], LIST).await.status, 401, "and is told so when it comes again");
}
