//! What stands before the tools, in its order.

use std::collections::BTreeMap;

use serde_json::json;

use crate::world::{BASE, HOST, World, call, modern, request};

const CHALLENGE: &str = "Bearer resource_metadata=\"https://www.example.org/.well-known/oauth-protected-resource/mcp\", \
                         scope=\"trips:read trips:write\"";

/// Each request is wrong in every way that comes later too, and answered for the first wrong thing.
#[tokio::test]
async fn the_order_of_the_guards() {
    let (world, full) = (World::new().await, World::with(BTreeMap::from([("mcp_envelope", (0, 60))]), &[]).await);
    let huge = "x".repeat(64 * 1024 + 1);
    let [evil, foreign, denied] = [("host", "evil.org"), ("origin", "https://evil.org"), ("mcp-name", "delete_trip")];
    let (ours, read, json) = (("host", HOST), ("authorization", "Bearer r"), ("content-type", "application/json"));
    for (world, method, headers, body, status, error) in [
        (&full, "GET", &[evil, foreign, denied][..], huge.as_str(), 403, json!("host_not_allowed")),
        (&full, "GET", &[ours, foreign, denied], &huge, 403, json!("origin_not_allowed")),
        (&full, "GET", &[ours, denied], &huge, 429, json!("rate_limited")),
        (&world, "GET", &[ours, denied], &huge, 401, json!("invalid_token")),
        (&world, "GET", &[ours, read, denied], &huge, 403, json!("insufficient_scope")),
        (&world, "GET", &[ours, read], &huge, 405, json!("method_not_allowed")),
        (&world, "POST", &[ours, read, json], &huge, 413, json!(-32600)),
        (&world, "POST", &[ours, read, json], "{nope", 400, json!(-32700)),
        (&world, "POST", &[ours, read, json], &call(1, "delete_trip", &json!(3)), 200, json!(-32000)),
        (&world, "POST", &[ours, read, json], &call(1, "get_trip", &json!({"id": 3})), 200, json!(-32602)),
        (&world, "POST", &[ours, read, json], &call(1, "get_trip", &json!({"id": "x"})), 200, json!(-32603)),
    ] {
        let reply = world.send(method, "/mcp", headers, body).await;
        let said = reply.json()["error"].clone();
        let said = said.get("code").cloned().unwrap_or(said);
        assert_eq!((reply.status.as_u16(), &said), (status, &error), "{method} {headers:?}");
    }
}

// oauth row: 3.4-4
#[tokio::test]
async fn no_token_is_the_same_401_on_every_method() {
    let world = World::new().await;
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"] {
        let reply = world.send(method, "/mcp", &[], "").await;
        assert_eq!((reply.status.as_u16(), reply.header("www-authenticate")), (401, CHALLENGE), "{method}");
        assert_eq!(reply.header("content-type"), "application/json");
        let body =
            r#"{"error":"invalid_token","error_description":"A valid access token for this resource is required."}"#;
        assert_eq!(reply.text, if method == "HEAD" { "" } else { body });
    }
}

// oauth row: 3.4-7, 3.4-8
// attack: 37
#[tokio::test]
async fn tokens_travel_in_one_header_only() {
    let world = World::new().await;
    let list = request(1, "tools/list", &json!({})).to_string();
    for (header, status) in [
        ("Bearer rw", 200),
        ("bearer rw", 200),
        ("BEARER  rw", 200),
        ("Bearer", 401),
        ("Bearer ", 401),
        ("Basic rw", 401),
        ("rw", 401),
        ("Bearer t", 401),
        ("Bearer unknown", 401),
        ("Bearer broken", 503),
    ] {
        let reply = world.post("", &[("authorization", header)], &list).await;
        assert_eq!(reply.status.as_u16(), status, "{header}");
        assert!(!reply.text.contains("database"));
    }
    let twice = [("authorization", "Bearer rw"), ("authorization", "Bearer r")];
    assert_eq!(world.post("", &twice, &list).await.status, 401);
    let json = [("content-type", "application/json")];
    assert_eq!(world.send("POST", "/mcp?access_token=rw", &json, &list).await.status, 401);
}

#[tokio::test]
async fn each_resource_has_its_own_audience_and_challenge() {
    let world = World::new().await;
    let list = request(1, "tools/list", &json!({})).to_string();
    let reply = world.post_to("/tests/mcp", "t", &[], &list).await;
    assert_eq!(reply.json()["result"]["tools"][0]["name"], "odd");
    let reply = world.post_to("/tests/mcp", "rw", &[], &list).await;
    assert_eq!(reply.status, 401);
    let challenge = format!(
        "Bearer resource_metadata=\"{BASE}/.well-known/oauth-protected-resource/tests/mcp\", scope=\"tests:run\""
    );
    assert_eq!(reply.header("www-authenticate"), challenge);
}

// oauth row: 3.4-6
#[tokio::test]
async fn a_forbidden_tool_named_in_the_header_asks_for_its_scope() {
    let world = World::new().await;
    let reply = world.modern("r", "tools/call", "delete_trip", json!({"name": "delete_trip"})).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["error"]), (403, &json!("insufficient_scope")));
    let challenge = format!(
        "Bearer error=\"insufficient_scope\", scope=\"trips:write\", \
         resource_metadata=\"{BASE}/.well-known/oauth-protected-resource/mcp\""
    );
    assert_eq!(reply.header("www-authenticate"), challenge);
}

/// A token that only reads never deletes, however the call is dressed.
// attack: 72, 73, 74, 75
#[tokio::test]
async fn no_dress_gets_past_the_scope() {
    let world = World::new().await;
    let arguments = json!({"sourceUrl": "https://www.komoot.com/tour/1"});
    let trip = world.call("create_trip", &arguments).await.json()["result"]["structuredContent"]["id"].clone();
    let asked = world.call("delete_trip", &json!({"id": trip})).await.json();
    let token = asked["result"]["structuredContent"]["confirmationToken"].clone();
    let arguments = json!({"id": trip, "confirmationToken": token});
    let old = call(1, "delete_trip", &arguments);
    let new = modern(1, "tools/call", json!({"name": "delete_trip", "arguments": arguments})).to_string();
    let encoded = "=?base64?ZGVsZXRlX3RyaXA=?=";
    let version = ("mcp-protocol-version", "2026-07-28");
    let method = ("mcp-method", "tools/call");
    for (headers, body, status, code) in [
        (&[][..], old.clone(), 200, -32000),
        (&[("mcp-name", "delete_trip")], old.clone(), 403, 0),
        (&[("mcp-name", " delete_trip ")], old.clone(), 403, 0),
        (&[("mcp-name", "get_trip"), ("mcp-name", "delete_trip")], old.clone(), 403, 0),
        (&[("mcp-name", encoded)], old.clone(), 200, -32000),
        (&[("mcp-name", "get_trip")], old.clone(), 200, -32000),
        (&[version, method, ("mcp-name", encoded)], new.clone(), 200, -32000),
        (&[version, method, ("mcp-name", "get_trip")], new.clone(), 400, -32020),
        (&[version, method], new.clone(), 400, -32020),
        (&[("mcp-method", "ping")], old.clone(), 200, -32000),
    ] {
        let reply = world.post("r", headers, &body).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (status, code), "{headers:?} {}", reply.text);
        if code == -32000 {
            let data = json!({"error": "insufficient_scope", "scope": "trips:write"});
            assert_eq!(reply.json()["error"]["data"], data);
        }
    }
    let batch = world.post("r", &[("mcp-name", "get_trip")], &format!("[{old}]")).await;
    assert_eq!(batch.json()[0]["error"]["data"]["scope"], "trips:write");
    let unknown = world.call_as("r", "no_such_tool", &json!({})).await.json();
    assert_eq!(unknown["error"]["data"], json!({"error": "insufficient_scope", "scope": null}));
    assert!(world.call("get_trip", &json!({"id": trip})).await.json()["result"].is_object(), "still there");
}

// attack: 66, 67
#[tokio::test]
async fn hosts_and_origins() {
    let world = World::new().await;
    let list = request(1, "tools/list", &json!({})).to_string();
    for (header, value, status) in [
        ("host", "www.example.org:443", 200),
        ("host", "WWW.EXAMPLE.ORG", 200),
        ("host", "example.org", 403),
        ("host", "www.example.org:8443", 403),
        ("host", "10.0.0.5", 403),
        ("origin", "https://www.example.org", 200),
        ("origin", "https://app.example.org", 200),
        ("origin", "http://www.example.org", 403),
        ("origin", "null", 403),
    ] {
        assert_eq!(world.post("rw", &[(header, value)], &list).await.status.as_u16(), status, "{header}: {value}");
    }
    assert_eq!(world.post("rw", &[("host", "")], &list).await.status, 403, "no host at all");
}

#[tokio::test]
async fn browsers_of_allowed_origins() {
    let world = World::new().await;
    let app = ("origin", "https://app.example.org");
    let wants =
        ("access-control-request-headers", "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name");
    let reply = world.send("OPTIONS", "/mcp", &[app, ("access-control-request-method", "POST"), wants], "").await;
    assert_eq!((reply.status.as_u16(), reply.header("access-control-allow-origin")), (204, app.1));
    let allowed = reply.header("access-control-allow-headers").to_ascii_lowercase();
    for name in wants.1.split(", ").chain(["mcp-session-id", "traceparent"]) {
        assert!(allowed.contains(name), "{name}");
    }
    let reply = world.send("POST", "/mcp", &[app], "").await;
    assert_eq!((reply.status.as_u16(), reply.header("access-control-allow-origin")), (401, app.1));
    assert!(reply.header("access-control-expose-headers").contains("WWW-Authenticate"));
    assert_eq!(reply.header("vary"), "Origin");
    let foreign = world.send("OPTIONS", "/mcp", &[("origin", "https://evil.org")], "").await;
    assert_eq!((foreign.status.as_u16(), foreign.header("access-control-allow-origin")), (403, ""));
}
