//! Limits, with a clock that moves when told.

use std::{collections::BTreeMap, time::Duration};

use btp_kernel::{Clock, Entropy};
use btp_testkit::SeededEntropy;
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

/// Each call budget as published: what it counts, what spends nothing, and the words.
#[tokio::test]
async fn each_budget_is_spent_by_what_it_counts() {
    let world = World::new().await;
    for tour in 1..=10 {
        let source = json!({"sourceUrl": format!("https://www.komoot.com/tour/{tour}")});
        assert_eq!(world.call("create_trip", &source).await.code(), 0, "{tour}");
    }
    let again = world.call("create_trip", &json!({"sourceUrl": "https://www.komoot.com/tour/3"})).await;
    assert_eq!(again.code(), 0, "a replay spends no trip_create");
    let more = world.call("create_trip", &json!({"sourceUrl": "https://www.komoot.com/tour/11"})).await.json();
    let refusal = json!({
        "code": -32000,
        "message": "rate_limited: too many calls from this agent. Retry in 60 seconds.",
        "data": {"error": "rate_limited", "retryAfter": 60},
    });
    assert_eq!(more["error"], refusal, "trip_create");
    for _ in 0..8 {
        assert_eq!(world.call("delete_trip", &json!({"id": "x"})).await.code(), -32603);
    }
    assert_eq!(
        world.call("delete_trip", &json!({"id": "x"})).await.json()["error"],
        refusal,
        "mcp_mutation: 20 writes"
    );
    for _ in 0..40 {
        assert_eq!(world.call("list_trips", &json!({})).await.code(), 0, "what was refused spent nothing");
    }
    assert_eq!(world.call("list_trips", &json!({})).await.json()["error"], refusal, "mcp_tool_call: 60 calls");
    assert_eq!(world.call_as("other", "list_trips", &json!({})).await.code(), 0, "another agent has its own budget");
    assert_eq!(world.call_as("other", "delete_trip", &json!({"id": "x"})).await.code(), -32603);
    let theirs = world.call_as("other", "create_trip", &json!({"sourceUrl": "https://www.komoot.com/tour/12"})).await;
    assert_eq!(theirs.json()["error"], refusal, "trip_create counts the person");
    world.clock.advance(Duration::from_millis(59_999));
    assert_eq!(world.call("list_trips", &json!({})).await.json()["error"]["data"]["retryAfter"], 1);
    world.clock.advance(Duration::from_millis(1));
    assert_eq!(world.call("list_trips", &json!({})).await.code(), 0);
}

/// In no window of a minute are more let through than published, however the calls fall, and a wait that was told is enough.
#[tokio::test]
async fn no_window_has_more_than_its_limit() {
    let world = World::new().await;
    let entropy = SeededEntropy::new(5);
    let (mut envelope, mut calls, mut writes) = (Vec::<i64>::new(), Vec::<i64>::new(), Vec::<i64>::new());
    let read = call(1, "list_trips", &json!({}));
    let write = call(1, "delete_trip", &json!({"id": "x"}));
    for _ in 0..2_000 {
        let mut random = [0; 2];
        entropy.fill(&mut random);
        // Bursts, and now and then a pause.
        let pause = if random[0] < 2 { u64::from(random[1]) * 100 } else { u64::from(random[1] / 4) };
        world.clock.advance(Duration::from_millis(pause));
        let now = world.clock.now().as_millis();
        let writes_now = random[0].is_multiple_of(3);
        let reply = world.post("rw", &[], if writes_now { &write } else { &read }).await;
        if reply.status == 429 {
            let wait: i64 = reply.header("retry-after").parse().unwrap();
            let freed = envelope[envelope.len() - 300] + 60_000;
            assert!(
                (now + (wait - 1) * 1000..=now + wait * 1000).contains(&freed),
                "{wait} s at {now}, free at {freed}"
            );
            continue;
        }
        envelope.push(now);
        if reply.code() != -32000 {
            calls.push(now);
            writes.extend(writes_now.then_some(now));
        }
    }
    for (name, taken, limit) in [("envelope", envelope, 300), ("calls", calls, 60), ("writes", writes, 20)] {
        assert!(taken.len() > 2 * limit, "{name}: only {} were let through", taken.len());
        assert!(taken.windows(limit + 1).all(|span| span[limit] - span[0] >= 60_000), "{name}");
    }
}
