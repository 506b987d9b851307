//! Every address, and every way a source can fail, against the built binary.

use std::{fs::File, time::Duration};

use btp_domain::FailureCode;
use btp_server::agent::Session;
use btp_testkit::{
    addresses::{ADDRESSES, Reading},
    upstream::{
        Answer, Upstream,
        faults::{Fault, numbered_faults},
        shapes::{self, track},
        world,
    },
};
use serde_json::{Value, json};

use crate::{
    server::{Installation, settled},
    source::Source,
};

const PATIENCE: Duration = Duration::from_secs(40);
const SETTINGS: [&str; 3] = ["KOMOOT_URL", "RIDEWITHGPS_URL", "STRAVA_URL"];

fn installation(base: &str) -> Installation {
    let mut installation = Installation::new(&SETTINGS.map(|name| (name, base)));
    installation.raise_limits();
    installation
}

async fn trip(session: &Session, address: &str) -> String {
    let created = session.call("create_trip", json!({"sourceUrl": address})).await.unwrap();
    created["id"].as_str().unwrap().to_owned()
}

async fn fetched(session: &Session, address: &str) -> Value {
    let id = trip(session, address).await;
    settled(session, &id, PATIENCE).await
}

#[tokio::test(flavor = "multi_thread")]
async fn each_form_becomes_days() {
    let source = Source::start().await;
    let installation = installation(&source.base);
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    for (address, title, days) in [
        ("https://www.komoot.com/tour/7", "A quiet ride", 3),
        ("https://www.komoot.com/collection/9/-a-name", "Three tours", 3),
        ("https://ridewithgps.com/routes/5", "A ride", 3),
        ("https://ridewithgps.com/routes/6", "A ride", 3),
        ("https://www.strava.com/routes/3141592653589793238", "A route", 2),
    ] {
        let trip = fetched(&session, address).await;
        assert_eq!((trip["title"].as_str(), trip["stageCount"].as_u64()), (Some(title), Some(days)), "{address}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_address_is_read_or_refused() {
    let upstream = Upstream::start(world).await.unwrap();
    let installation = installation(upstream.base());
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    let refusal =
        async |address: &str| session.call("create_trip", json!({"sourceUrl": address})).await.unwrap_err().to_string();
    for (address, reading) in ADDRESSES {
        match reading {
            Reading::Named(words) => {
                let said = refusal(address).await;
                assert!(said.contains(words), "{address}: {said}");
            }
            Reading::Unsupported => {
                let said = refusal(address).await;
                for form in ["Komoot tour", "Komoot collection", "Strava route", "RideWithGPS route"] {
                    assert!(said.contains(form), "{address}: {said}");
                }
            }
            Reading::Route(..) => {}
        }
    }
    assert_eq!(upstream.accepted(), 0, "what is refused is not asked for");
    for (address, reading) in ADDRESSES {
        let Reading::Route(_, id, token) = reading else { continue };
        let trip = fetched(&session, address).await;
        assert_eq!(trip["status"], "ready", "{address}: {trip}");
        let shown = trip["sourceUrl"].as_str().unwrap();
        assert!(shown.ends_with(&format!("/{id}")), "{address}: {shown}");
        assert!(token.is_none_or(|token| !trip.to_string().contains(&format!("={token}"))), "{address}: {trip}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_fault_settles_with_its_code() {
    let upstream = Upstream::start(world).await.unwrap();
    let installation = installation(upstream.base());
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    // Those that take the whole time do so together.
    let (slow, quick): (Vec<_>, Vec<_>) = numbered_faults().partition(|(_, fault)| fault.code == FailureCode::Timeout);
    fail(&session, &slow).await;
    for fault in quick {
        fail(&session, &[fault]).await;
    }
    let list = session.call("list_trips", json!({"itemsPerPage": 30})).await.unwrap();
    assert!(list["member"].as_array().unwrap().iter().all(|trip| trip["status"] == "failed"), "{list}");
}

async fn fail(session: &Session, faults: &[(u64, &Fault)]) {
    let mut trips = Vec::new();
    for (number, fault) in faults {
        for form in
            ["www.komoot.com/tour", "www.komoot.com/collection", "ridewithgps.com/routes", "www.strava.com/routes"]
        {
            let address = format!("https://{form}/{number}");
            trips.push((format!("{address}: {}", fault.name), fault.code, trip(session, &address).await));
        }
    }
    for (what, code, id) in trips {
        let trip = settled(session, &id, PATIENCE).await;
        assert_eq!(trip["failure"]["code"], code.as_str(), "{what}: {trip}");
        assert_eq!((&trip["status"], &trip["stageCount"]), (&json!("draft"), &json!(0)), "{what}");
        assert_eq!(trip["categoryStatus"], json!([{"category": "route", "status": "failed"}]), "{what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn proxies_of_the_environment_are_not_used() {
    let (upstream, proxy) = (Upstream::start(world).await.unwrap(), Upstream::start(|_| Answer::Never).await.unwrap());
    let mut installation = installation(upstream.base());
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        installation.set(name, proxy.base());
    }
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    assert_eq!(fetched(&session, "https://www.komoot.com/tour/7").await["status"], "ready");
    assert_eq!(proxy.accepted(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_source_that_is_switched_off() {
    let upstream = Upstream::start(world).await.unwrap();
    let mut installation = installation(upstream.base());
    installation.set("SOURCES_DISABLED", "komoot, strava");
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    let trip = fetched(&session, "https://www.komoot.com/tour/7").await;
    assert_eq!(trip["failure"]["code"], "source_unavailable", "{trip}");
    assert!(trip["failure"]["message"].as_str().unwrap().contains("switched off"), "{trip}");
    assert_eq!(fetched(&session, "https://ridewithgps.com/routes/7").await["status"], "ready");
    assert_eq!(upstream.targets(), ["/routes/7.json"]);
}

/// Whatever is logged, and of what goes well and wrong.
#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_not_logged() {
    let upstream = Upstream::start(world).await.unwrap();
    let mut installation = installation(upstream.base());
    installation.set("LOG", "trace");
    let log = installation.path("log");
    let server = installation.start_logging(&["serve", "--listen", "127.0.0.1:0"], File::create(&log).unwrap().into());
    let session = installation.agent(&server, "ann@example.org").await;
    let numbers = numbered_faults().filter(|(_, fault)| fault.code != FailureCode::Timeout).map(|(number, _)| number);
    for number in numbers.step_by(5).chain([7]) {
        for (form, token) in [("www.komoot.com/tour", "share_token"), ("ridewithgps.com/routes", "privacy_code")] {
            fetched(&session, &format!("https://{form}/{number}?{token}=t0ken-of-ann")).await;
        }
    }
    assert!(upstream.targets().iter().any(|target| target.ends_with("=t0ken-of-ann")));
    server.kill();
    let logged = std::fs::read_to_string(log).unwrap();
    assert!(logged.contains("outcome=\"fetched\""), "it logs");
    let lines: Vec<_> = logged.lines().filter(|line| line.contains("t0ken-of-ann")).collect();
    assert!(lines.is_empty(), "{lines:#?}");
}

/// Answers of every service in the shapes that are read.
fn healthy(target: &str) -> Answer {
    match target.strip_prefix("/api/v007/") {
        Some(path) if path.starts_with("tours/") => Answer::ok(shapes::komoot_tour(&track(7)).to_string()),
        Some(path) if path.contains("/compilation/") => {
            Answer::ok(shapes::komoot_list(&json!([{"id": 1}]), 1).to_string())
        }
        _ => world(target),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_looks_at_the_sources() {
    let ready = |upstream: &Upstream| {
        let installation = installation(upstream.base());
        installation.ok(&["keys", "generate"]);
        installation.ok(&["migrate"]);
        installation
    };
    let well = Upstream::start(healthy).await.unwrap();
    let told = ready(&well).ok(&["doctor", "--sources"]);
    for line in ["source komoot, tour page: well (50 points)", "source strava, GPX export: well (50 points)"] {
        assert!(told.lines().any(|given| given == line), "{told}");
    }
    let changed = Upstream::start(|target| match target.ends_with(".json") {
        true => Answer::ok("{\"points\": []}"),
        false => healthy(target),
    })
    .await
    .unwrap();
    let output = ready(&changed).run(&["doctor", "--sources"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stdout).unwrap();
    let line = "source ridewithgps, route JSON: upstream_changed: another shape than the known one: no track_points";
    assert!(told.lines().any(|given| given == line), "{told}");
}
