//! Every form of address, and every way a source can fail, against the built binary.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::{
    server::{Installation, settled},
    source::Source,
};

fn installation(source: &Source) -> Installation {
    let env = ["KOMOOT_URL", "RIDEWITHGPS_URL", "STRAVA_URL"].map(|name| (name, source.base.as_str()));
    let mut installation = Installation::new(&env);
    installation.raise_limits();
    installation
}

#[tokio::test(flavor = "multi_thread")]
async fn each_form_becomes_days() {
    let source = Source::start().await;
    let installation = installation(&source);
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    for (address, title, days) in [
        ("https://www.komoot.com/tour/7", "A quiet ride", 3),
        ("https://www.komoot.com/fr-fr/tour/8/zoom?share_token=abc", "A quiet ride", 3),
        ("https://www.komoot.com/collection/9/-a-name", "Three tours", 3),
        ("https://ridewithgps.com/routes/5", "A ride", 3),
        ("https://ridewithgps.com/routes/6", "A ride", 3),
        ("https://www.strava.com/routes/3141592653589793238", "A route", 2),
    ] {
        let created = session.call("create_trip", json!({"sourceUrl": address})).await.unwrap();
        let trip = settled(&session, created["id"].as_str().unwrap(), Duration::from_secs(20)).await;
        assert_eq!(
            (trip["title"].as_str(), trip["stageCount"].as_u64()),
            (Some(title), Some(days)),
            "{address}: {trip}"
        );
        assert!(!trip["sourceUrl"].as_str().unwrap().contains("share_token"), "{trip}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_failure_settles_with_its_code() {
    let source = Source::start().await;
    let installation = installation(&source);
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    let cases = [
        ("https://www.komoot.com/tour/404", "not_found"),
        ("https://www.komoot.com/tour/403", "private_or_login_required"),
        ("https://www.komoot.com/tour/410", "gone"),
        ("https://www.komoot.com/tour/429", "rate_limited"),
        ("https://www.komoot.com/tour/500", "source_unavailable"),
        ("https://www.komoot.com/tour/1001", "private_or_login_required"),
        ("https://www.komoot.com/tour/1002", "upstream_changed"),
        ("https://www.komoot.com/tour/1003", "no_track_points"),
        ("https://www.komoot.com/tour/1004", "timeout"),
        ("https://www.komoot.com/tour/1005", "too_large"),
        ("https://www.komoot.com/tour/1006", "redirected_elsewhere"),
        ("https://www.komoot.com/tour/1007", "no_track_points"),
        ("https://ridewithgps.com/routes/404", "not_found"),
        ("https://www.strava.com/routes/1", "private_or_login_required"),
    ];
    let begun = Instant::now();
    let mut trips = Vec::new();
    for (address, code) in cases {
        let created = session.call("create_trip", json!({"sourceUrl": address})).await.unwrap();
        trips.push((address, code, created["id"].as_str().unwrap().to_owned()));
    }
    for (address, code, id) in trips {
        let trip = settled(&session, &id, Duration::from_secs(20).saturating_sub(begun.elapsed())).await;
        assert_eq!(trip["failure"]["code"], code, "{address}: {trip}");
        assert_eq!((&trip["status"], &trip["stageCount"]), (&json!("draft"), &json!(0)));
        assert_eq!(trip["categoryStatus"], json!([{"category": "route", "status": "failed"}]));
    }
    let list = session.call("list_trips", json!({"itemsPerPage": 30})).await.unwrap();
    assert!(list["member"].as_array().unwrap().iter().all(|trip| trip["status"] == "failed"), "{list}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_supported_is_refused_in_the_call() {
    let source = Source::start().await;
    let installation = installation(&source);
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    for address in [
        "http://www.komoot.com/tour/7",
        "https://www.komoot.com.evil.example/tour/7",
        "https://www.komoot.com@127.0.0.1/tour/7",
        "https://www.komoot.com:8443/tour/7",
        "https://www.komoot.com/tour/7x",
        "https://example.org/route.gpx",
        "https://127.0.0.1/tour/7",
        "nonsense",
    ] {
        let refusal = session.call("create_trip", json!({"sourceUrl": address})).await.unwrap_err().to_string();
        for form in ["Komoot", "Strava", "RideWithGPS"] {
            assert!(refusal.contains(form), "{address}: {refusal}");
        }
    }
    assert!(source.asked().is_empty());
}
