//! Both eras of the protocol.

use serde_json::{Value, json};

use crate::world::{MODERN, World, modern, request};

const INFO: &str = "io.modelcontextprotocol/serverInfo";

#[tokio::test]
async fn the_handshake_settles_on_a_version_with_a_handshake() {
    let world = World::new().await;
    for (asked, settled) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        (MODERN, "2025-11-25"),
        ("1900-01-01", "2025-11-25"),
    ] {
        let client = json!({"name": "client", "version": "1"});
        let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": client});
        let reply = world.post("r", &[], &request(1, "initialize", &params).to_string()).await;
        let result = reply.json()["result"].clone();
        assert_eq!((reply.status.as_u16(), &result["protocolVersion"]), (200, &json!(settled)), "{}", reply.text);
        assert_eq!(result["serverInfo"], json!({"name": "bike-trip-planner", "title": "Test", "version": "1.0.0"}));
        assert_eq!(result["capabilities"], json!({"tools": {}}));
        assert!(result["instructions"].as_str().unwrap().contains("confirmationToken"));
        assert_eq!(reply.header("mcp-session-id"), "");
    }
    let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    let reply = world.post("r", &[("mcp-protocol-version", "2025-11-25")], &note).await;
    assert_eq!((reply.status.as_u16(), reply.text.as_str()), (202, ""));
    let ping = request(1, "ping", &json!({})).to_string();
    assert_eq!(world.post("r", &[], &ping).await.json()["result"], json!({}));
}

#[tokio::test]
async fn results_of_the_handshake_era_have_no_marks_of_the_other() {
    let world = World::new().await;
    for (method, params) in [("tools/list", json!({})), ("tools/call", json!({"name": "list_trips", "arguments": {}}))]
    {
        let headers = [("mcp-protocol-version", "2025-11-25"), ("mcp-session-id", "dead")];
        let reply = world.post("r", &headers, &request(1, method, &params).to_string()).await;
        let result = reply.json()["result"].clone();
        assert!(result.get("resultType").is_none() && result.get("_meta").is_none(), "{}", reply.text);
    }
}

#[tokio::test]
async fn stateless_results_say_who_answers_and_how_long_they_hold() {
    let world = World::new().await;
    let discovered = world.modern("r", "server/discover", "", json!({})).await.json()["result"].clone();
    assert!(discovered["supportedVersions"].as_array().unwrap().contains(&json!(MODERN)));
    assert_eq!((&discovered["ttlMs"], &discovered["cacheScope"]), (&json!(3_600_000), &json!("public")));
    let listed = world.modern("r", "tools/list", "", json!({})).await.json()["result"].clone();
    assert_eq!((&listed["ttlMs"], &listed["cacheScope"]), (&json!(300_000), &json!("private")));
    let called = world.modern("r", "tools/call", "list_trips", json!({"name": "list_trips", "arguments": {}})).await;
    let called = called.json()["result"].clone();
    for result in [&discovered, &listed, &called] {
        assert_eq!(result["resultType"], "complete");
        assert_eq!(
            (&result["_meta"][INFO]["name"], &result["_meta"][INFO]["version"]),
            (&json!("bike-trip-planner"), &json!("1.0.0"))
        );
    }
    let encoded = "=?base64?bGlzdF90cmlwcw==?=";
    let called = world.modern("r", "tools/call", encoded, json!({"name": "list_trips", "arguments": {}})).await;
    assert_eq!((called.status.as_u16(), called.code()), (200, 0));
}

#[tokio::test]
async fn mistakes_of_stateless_requests() {
    let world = World::new().await;
    let version = ("mcp-protocol-version", MODERN);
    let list = modern(1, "tools/list", json!({}));
    let mut old = list.clone();
    old["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("1900-01-01");
    let bare = request(1, "tools/list", &json!({}));
    let foo = modern(1, "foo/bar", json!({}));
    let hello = modern(
        1,
        "initialize",
        json!({"protocolVersion": MODERN, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}),
    );
    for (headers, body, status, code) in [
        (&[version][..], &list, 400, -32020),
        (&[version, ("mcp-method", "tools/call")], &list, 400, -32020),
        (&[version, ("mcp-method", "tools/list")], &bare, 400, -32602),
        (&[], &list, 400, -32020),
        (&[("mcp-protocol-version", "1900-01-01"), ("mcp-method", "tools/list")], &old, 400, -32022),
        (&[("mcp-protocol-version", "1900-01-01")], &bare, 400, -32022),
        (&[version, ("mcp-method", "foo/bar")], &foo, 404, -32601),
        (&[version, ("mcp-method", "ping")], &modern(1, "ping", json!({})), 404, -32601),
        (&[version, ("mcp-method", "initialize")], &hello, 200, 0),
        (&[version, ("mcp-method", "initialize")], &modern(1, "initialize", json!({})), 404, -32601),
        (
            &[version, ("mcp-method", "subscriptions/listen")],
            &modern(1, "subscriptions/listen", json!({"notifications": {}})),
            404,
            -32601,
        ),
    ] {
        let reply = world.post("r", headers, &body.to_string()).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (status, code), "{headers:?} {body}: {}", reply.text);
        if code == -32022 {
            let data = reply.json()["error"]["data"].clone();
            assert_eq!(data["requested"], "1900-01-01");
            assert!(data["supported"].as_array().unwrap().contains(&json!(MODERN)));
        }
    }
}

#[tokio::test]
async fn known_methods_with_parameters_that_do_not_fit_say_so() {
    let world = World::new().await;
    let client = json!({"name": "client", "version": "1"});
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    for (method, params, says) in [
        ("initialize", None, "\"protocolVersion\""),
        ("initialize", Some(json!({})), "\"protocolVersion\""),
        ("initialize", Some(json!({"protocolVersion": 3, "capabilities": {}, "clientInfo": client})), "must be texts"),
        ("initialize", Some(json!({"protocolVersion": "2025-11-25", "capabilities": {}})), "\"clientInfo\""),
        ("server/discover", None, "\"_meta\""),
        ("tools/call", None, "\"name\""),
        ("tools/call", Some(json!({"name": 3})), "\"name\""),
    ] {
        let mut body = json!({"jsonrpc": "2.0", "id": 1, "method": method});
        if let Some(params) = params {
            body["params"] = params;
        }
        let reply = world.post("r", &[], &body.to_string()).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (200, -32602), "{body}: {}", reply.text);
        let message = reply.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with("Invalid parameters: ") && message.contains(says), "{body}: {message}");
    }
    let reply = world.post("r", &[], &request(1, "initialize", &hello).to_string()).await;
    assert_eq!(reply.code(), 0, "{}", reply.text);
    for method in ["prompts/get", "resources/read", "no/such"] {
        let reply = world.post("r", &[], &json!({"jsonrpc": "2.0", "id": 1, "method": method}).to_string()).await;
        assert_eq!(reply.code(), -32601, "{method}");
    }
}

#[tokio::test]
async fn a_session_id_means_nothing_in_either_era() {
    let world = World::new().await;
    let dead = ("mcp-session-id", "dead");
    let bare = request(1, "tools/list", &json!({})).to_string();
    assert_eq!(world.post("r", &[dead], &bare).await.code(), 0);
    let headers = [dead, ("last-event-id", "3"), ("mcp-protocol-version", MODERN), ("mcp-method", "tools/list")];
    let reply = world.post("r", &headers, &modern(1, "tools/list", json!({})).to_string()).await;
    assert_eq!((reply.code(), reply.header("mcp-session-id")), (0, ""));
}

#[tokio::test]
async fn other_methods_say_what_is_allowed() {
    let world = World::new().await;
    for method in ["GET", "DELETE", "PUT", "OPTIONS"] {
        let reply = world.send(method, "/mcp", &[("authorization", "Bearer r")], "").await;
        assert_eq!((reply.status.as_u16(), reply.header("allow")), (405, "POST"), "{method}");
    }
}

#[tokio::test]
async fn published_tools_are_whole() {
    let world = World::new().await;
    let list = request(1, "tools/list", &json!({})).to_string();
    let tools = world.post("rw", &[], &list).await.json()["result"]["tools"].clone();
    for tool in tools.as_array().unwrap() {
        for key in ["name", "title", "description", "inputSchema", "outputSchema"] {
            assert!(tool.get(key).is_some(), "{} has no {key}", tool["name"]);
        }
        let expected = match tool["name"].as_str().unwrap() {
            "list_trips" | "get_trip" | "get_stage" => json!({"readOnlyHint": true}),
            "search_places" => json!({"readOnlyHint": true, "openWorldHint": true}),
            "update_trip_settings" | "edit_stages" | "unshare_trip" | "delete_trip" => json!({"destructiveHint": true}),
            _ => Value::Null,
        };
        assert_eq!(tool["annotations"], expected);
    }
}
