//! What the services see of us.

use std::sync::Arc;

use btp_domain::{SourceKind, SourceRef, route::RouteSources};
use btp_outbound::{Sources, SourcesConfig, user_agent};
use btp_testkit::{
    ManualClock,
    addresses::{ADDRESSES, Reading},
    upstream::{Answer, asked, world},
};

use crate::{PATIENT, sources, upstream};

/// Each address of the table, from what a person pastes to what the service is asked and the line that comes back.
#[tokio::test]
async fn each_address_asks_for_its_own_route() {
    for (address, reading) in ADDRESSES {
        let Reading::Route(kind, id, token) = *reading else { continue };
        let server = upstream(world).await;
        let route = sources(&server, PATIENT).fetch(&SourceRef::parse(address).unwrap()).await.unwrap();
        assert!(!route.line.tracks.is_empty(), "{address}");
        let target = &server.targets()[0];
        let number = id.trim_start_matches("smarttour/").parse().unwrap();
        assert_eq!(asked(target), Some((kind, number)), "{address}: {target}");
        assert_eq!(target.contains("/smarttour/"), id.starts_with("smarttour/"), "{address}: {target}");
        assert_eq!(target.split_once('=').map(|(_, value)| value), token, "{address}: {target}");
    }
}

/// The whole request, byte for byte.
#[tokio::test]
async fn request_heads() {
    let cases = [
        (SourceKind::KomootTour, None, "/tour/222000", "text/html"),
        (SourceKind::KomootTour, Some("a b&c"), "/tour/222000?share_token=a+b%26c", "text/html"),
        (SourceKind::KomootCollection, Some("t0k"), "/collection/222000?share_token=t0k", "text/html"),
        (SourceKind::RideWithGps, None, "/routes/222000.json", "application/json"),
        (SourceKind::RideWithGps, Some("c0de"), "/routes/222000.json?privacy_code=c0de", "application/json"),
        (SourceKind::StravaRoute, None, "/routes/222000/export_gpx", "application/gpx+xml"),
    ];
    for (kind, token, target, accept) in cases {
        let server = upstream(|_| Answer::status("404 Not Found")).await;
        let source = SourceRef { kind, id: "222000".to_owned(), token: token.map(str::to_owned) };
        sources(&server, PATIENT).fetch(&source).await.unwrap_err();
        let (agent, host) = ("BikeTripPlanner/1.0", server.base().trim_start_matches("http://"));
        let expected = format!(
            "GET {target} HTTP/1.1\r\naccept: {accept}\r\naccept-encoding: gzip\r\nuser-agent: {agent}\r\nhost: {host}\r\n\r\n"
        );
        assert_eq!(server.heads(), [expected]);
    }
}

#[tokio::test]
async fn a_base_address_with_a_path_and_the_instance_in_the_user_agent() {
    let server = upstream(|_| Answer::status("404 Not Found")).await;
    let config = SourcesConfig {
        komoot: Some(format!("{}/mirror/komoot/", server.base()).parse().unwrap()),
        user_agent: user_agent(Some(&"https://bike.example.org/".parse().unwrap())),
        ..SourcesConfig::default()
    };
    let source = SourceRef { kind: SourceKind::KomootTour, id: "1".to_owned(), token: None };
    Sources::new(config, Arc::new(ManualClock::default())).unwrap().fetch(&source).await.unwrap_err();
    let head = &server.heads()[0];
    assert!(head.starts_with("GET /mirror/komoot/tour/1 HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("user-agent: BikeTripPlanner/1.0 (+https://bike.example.org)\r\n"), "{head}");
}

#[tokio::test]
async fn an_id_never_leaves_its_segment() {
    let server = upstream(|_| Answer::status("404 Not Found")).await;
    let source = SourceRef { kind: SourceKind::StravaRoute, id: "../../api?x=1#".to_owned(), token: None };
    sources(&server, PATIENT).fetch(&source).await.unwrap_err();
    assert_eq!(server.targets(), ["/routes/..%2F..%2Fapi%3Fx=1%23/export_gpx"]);
}
