//! Limits, with a clock that moves when told.

use std::{collections::BTreeMap, time::Duration};

use serde_json::json;

use crate::world::{World, call, request};

// attack: 77
#[tokio::test]
async fn the_envelope_counts_every_request_of_an_address() {
    let world = World::with(BTreeMap::from([("mcp_envelope", (3, 60))]), &["10.0.0.0/8"]).await;
    let status = async |peer, forwarded: &str| {
        let headers: &[_] = if forwarded.is_empty() { &[] } else { &[("x-forwarded-for", forwarded)] };
        world.send_from(peer, "GET", "/mcp", headers, "").await
    };
    for _ in 0..3 {
        assert_eq!(status("203.0.113.9", "").await.status, 401);
    }
    let refused = status("203.0.113.9", "198.51.100.1").await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "60"), "the header is not believed");
    assert_eq!(refused.json()["error"], "rate_limited");
    assert_eq!(status("10.0.0.1", "203.0.113.9").await.status, 429, "behind the proxy it is the same client");
    assert_eq!(status("10.0.0.1", "198.51.100.1").await.status, 401);
    for _ in 0..3 {
        assert_eq!(status("2001:db8::1", "").await.status, 401);
    }
    assert_eq!(status("2001:db8::2", "").await.status, 429, "one network of 64 bits is one client");
    assert_eq!(status("2001:db8:0:1::1", "").await.status, 401);
    world.clock.advance(Duration::from_secs(59));
    assert_eq!(status("203.0.113.9", "").await.header("retry-after"), "1");
    world.clock.advance(Duration::from_secs(1));
    assert_eq!(status("203.0.113.9", "").await.status, 401);
}

// attack: 74
#[tokio::test]
async fn a_batch_of_100_reads_answers_60() {
    let world = World::new().await;
    let calls: Vec<_> = (0..100).map(|id| call(id, "list_trips", &json!({}))).collect();
    let batch = format!("[{}]", calls.join(","));
    let answers = world.post("r", &[], &batch).await.json();
    let answers = answers.as_array().unwrap();
    assert_eq!(answers.len(), 100);
    for (index, answer) in answers.iter().enumerate() {
        assert_eq!(answer["id"], index);
        assert_eq!(answer["result"].is_object(), index < 60, "{index}");
        if index >= 60 {
            let error = json!({
                "code": -32000,
                "message": "rate_limited: too many calls from this agent. Retry in 60 seconds.",
                "data": {"error": "rate_limited", "retryAfter": 60},
            });
            assert_eq!(answer["error"], error);
        }
    }
    assert_eq!(world.call_as("bob", "list_trips", &json!({})).await.code(), 0, "another person is not touched");
    world.clock.advance(Duration::from_secs(60));
    assert_eq!(world.call_as("r", "list_trips", &json!({})).await.code(), 0);
}

#[tokio::test]
async fn what_is_refused_before_the_tools_spends_no_call() {
    let world = World::with(BTreeMap::from([("mcp_tool_call", (1, 60))]), &[]).await;
    assert_eq!(world.call_as("r", "create_trip", &json!({})).await.code(), -32000);
    assert_eq!(world.call_as("r", "no_such_tool", &json!({})).await.code(), -32000);
    let list = request(1, "tools/list", &json!({})).to_string();
    assert_eq!(world.post("r", &[], &list).await.code(), 0);
    assert_eq!(world.call_as("r", "get_trip", &json!([])).await.code(), -32602, "this one spends");
    assert_eq!(world.call_as("r", "list_trips", &json!({})).await.json()["error"]["data"]["error"], "rate_limited");
}
