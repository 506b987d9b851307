//! The canary: which shape of which service changed.

use btp_domain::{FailureCode, SourceKind};
use btp_outbound::{Probe, Service, Sight, Sources, SourcesConfig};
use btp_testkit::{
    ManualClock,
    upstream::{
        Answer, asked,
        shapes::{self, track},
        world,
    },
};
use serde_json::json;

use crate::{PATIENT, config, sources, upstream};

/// Every shape in health.
fn healthy(target: &str) -> Answer {
    let list = || shapes::komoot_list(&json!([{"id": 1}, {"id": 2}]), 2).to_string();
    match target.strip_prefix("/api/v007/") {
        Some(path) if path.starts_with("tours/") => Answer::ok(shapes::komoot_tour(&track(7)).to_string()),
        Some(path) if path.contains("/compilation/") => Answer::ok(list()),
        Some(_) => Answer::ok("{}"),
        None if matches!(asked(target), Some((SourceKind::StravaRoute, _))) => Answer::redirect("/login"),
        None => world(target),
    }
}

fn known(words: &str) -> Sight {
    Sight::Known(words.to_owned())
}

async fn probe(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Vec<Probe> {
    sources(&upstream(answer).await, PATIENT).probe().await
}

#[tokio::test]
async fn every_shape_is_looked_at() {
    let expected = [
        (Service::Komoot, "tour page", "50 points"),
        (Service::Komoot, "tour API", "7 points"),
        (Service::Komoot, "collection page", "3 tours"),
        (Service::Komoot, "collection API", "2 tours"),
        (Service::RideWithGps, "route JSON", "50 points"),
        (Service::Strava, "GPX export", "asks to sign in, as it does everybody"),
    ];
    let expected = expected.map(|(service, shape, words)| Probe { service, shape, sight: known(words) });
    assert_eq!(probe(healthy).await, expected);
}

/// A change that trips survive, thanks to the second way, is seen all the same; and it is told apart from the rest.
#[tokio::test]
async fn the_shape_that_changed_is_named() {
    let probes = probe(|target| match target {
        "/tour/1" => Answer::ok(shapes::komoot_page(&json!({"trip": {}}))),
        _ => healthy(target),
    })
    .await;
    let trouble: Vec<_> = probes.iter().filter(|probe| !matches!(probe.sight, Sight::Known(_))).collect();
    let sight = Sight::Trouble(
        FailureCode::UpstreamChanged,
        "another shape than the known one: a page without a tour".to_owned(),
    );
    assert_eq!(trouble, [&Probe { service: Service::Komoot, shape: "tour page", sight }]);
}

#[tokio::test]
async fn a_route_that_is_gone_says_nothing_about_its_shape() {
    let probes = probe(|_| Answer::status("404 Not Found")).await;
    assert!(probes.iter().all(|probe| probe.sight == Sight::Nothing), "{probes:?}");
}

#[tokio::test]
async fn what_is_switched_off_is_not_looked_at() {
    let server = upstream(healthy).await;
    let config = SourcesConfig { disabled: [Service::Komoot, Service::Strava].into(), ..config(&server) };
    let probes = Sources::new(config, std::sync::Arc::new(ManualClock::default())).unwrap().probe().await;
    assert_eq!(probes.iter().map(|probe| probe.service).collect::<Vec<_>>(), [Service::RideWithGps]);
    assert_eq!(server.targets(), ["/routes/1.json"]);
}
