//! Metrics on their own listener.

use btp_server::metrics::METRICS;
use btp_testkit::upstream::{Upstream, world};
use serde_json::json;

use crate::server::{Installation, settled};

#[tokio::test(flavor = "multi_thread")]
async fn every_metric_is_counted_and_shown_apart() {
    let upstream = Upstream::start(world).await.unwrap();
    let env = [("KOMOOT_URL", upstream.base()), ("METRICS_LISTEN", "127.0.0.1:0"), ("LOG", "off")];
    let mut installation = Installation::new(&env);
    installation.raise_limits();
    let mut server = installation.serve();
    let metrics = server.says();
    let session = installation.agent(&server, "ann@example.org").await;
    for title in ["One", "Another of the same tour"] {
        let arguments = json!({"sourceUrl": "https://www.komoot.com/tour/7", "title": title});
        let created = session.call("create_trip", arguments).await.unwrap();
        settled(&session, created["id"].as_str().unwrap(), std::time::Duration::from_secs(20)).await;
    }
    let answer = reqwest::get(&metrics).await.unwrap();
    assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("application/openmetrics-text"));
    let text = answer.text().await.unwrap();
    for metric in METRICS {
        assert!(text.contains(&format!("\nbtp_{}_total{{", metric.name)), "{}\n{text}", metric.name);
        if let Some(times) = &metric.times {
            assert!(text.contains(&format!("\nbtp_{}_bucket{{", times.name)), "{}\n{text}", times.name);
        }
    }
    for line in [
        "btp_route_fetches_total{source=\"komoot_tour\",outcome=\"fetched\"} 1",
        "btp_route_fetches_total{source=\"komoot_tour\",outcome=\"kept\"} 1",
        "btp_tool_calls_total{tool=\"create_trip\",code=\"0\"} 2",
        "btp_jobs_total{outcome=\"done\"} 2",
    ] {
        assert!(text.lines().any(|given| given == line), "{line}\n{text}");
    }
    assert!(!text.contains("ann@") && !text.contains("test-agent"), "{text}");
    assert_eq!(reqwest::get(format!("{}/metrics", server.base)).await.unwrap().status(), 404);
}
