//! What is kept of answers, for whom, and for how long.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use btp_domain::{FailureCode, SourceKind, SourceRef, route::RouteSources};
use btp_outbound::Sources;
use btp_testkit::{
    ManualClock,
    upstream::{
        Answer, Upstream,
        shapes::{self, track},
        world,
    },
};
use futures_util::future::join_all;

use crate::{PATIENT, config, source, sources, upstream};

const LINES: [SourceKind; 3] = [SourceKind::KomootTour, SourceKind::RideWithGps, SourceKind::StravaRoute];

fn with_token(kind: SourceKind, token: &str) -> SourceRef {
    SourceRef { token: Some(token.to_owned()), ..source(kind) }
}

#[tokio::test]
async fn a_route_is_asked_for_once_a_day() {
    for kind in LINES {
        let (server, clock) = (upstream(world).await, Arc::new(ManualClock::default()));
        let sources = Sources::new(config(&server), clock.clone()).unwrap();
        let first = sources.fetch(&source(kind)).await.unwrap();
        clock.advance(Duration::from_secs(86_399));
        assert_eq!(sources.fetch(&source(kind)).await.unwrap(), first);
        assert_eq!(server.heads().len(), 1, "{kind:?}");
        clock.advance(Duration::from_secs(1));
        sources.fetch(&source(kind)).await.unwrap();
        assert_eq!(server.heads().len(), 2, "{kind:?}");
    }
}

#[tokio::test]
async fn a_hundred_who_want_the_same_ask_once() {
    let server = upstream(world).await;
    let (sources, source) = (sources(&server, PATIENT), source(SourceKind::KomootTour));
    let routes = join_all((0..100).map(|_| sources.fetch(&source))).await;
    assert!(routes.iter().all(Result::is_ok));
    assert_eq!(server.heads().len(), 1);
}

/// Who has no token, or another one, gets what the service gives to them, and never what it gave to somebody else.
#[tokio::test]
async fn what_a_token_opens_is_for_its_holder() {
    for kind in [SourceKind::KomootTour, SourceKind::RideWithGps] {
        let server = upstream(move |target| match target.ends_with("=right") {
            true => Answer::ok(shapes::body(kind, &track(9))),
            false => Answer::status("403 Forbidden"),
        })
        .await;
        let sources = sources(&server, PATIENT);
        for _ in 0..2 {
            assert!(sources.fetch(&with_token(kind, "right")).await.is_ok());
            for other in [source(kind), with_token(kind, "wrong")] {
                let failure = sources.fetch(&other).await.unwrap_err();
                assert_eq!(failure.code, FailureCode::PrivateOrLoginRequired);
            }
        }
        assert_eq!(server.heads().len(), 6, "nothing of it was kept");
    }
}

/// Who has a token gets the private version of a route even after the public one was kept.
#[tokio::test]
async fn a_token_is_always_shown_to_the_service() {
    let server = upstream(world).await;
    let sources = sources(&server, PATIENT);
    sources.fetch(&source(SourceKind::RideWithGps)).await.unwrap();
    sources.fetch(&with_token(SourceKind::RideWithGps, "t")).await.unwrap();
    assert_eq!(server.targets(), ["/routes/222000.json", "/routes/222000.json?privacy_code=t"]);
}

/// Lists the tours 1 to 3; number 2 is there only while it is well.
async fn collection(well: Arc<AtomicBool>) -> Upstream {
    upstream(move |target| match target {
        "/tour/2" if !well.load(Ordering::SeqCst) => Answer::status("404 Not Found"),
        target if target.starts_with("/tour/") => Answer::ok(shapes::komoot_tour_page(&track(5))),
        _ => Answer::ok(shapes::komoot_collection_page(&[1, 2, 3])),
    })
    .await
}

#[tokio::test]
async fn a_collection_is_listed_anew_and_its_tours_are_kept() {
    let well = Arc::new(AtomicBool::new(false));
    let server = collection(well.clone()).await;
    let (sources, source) = (sources(&server, PATIENT), source(SourceKind::KomootCollection));
    assert_eq!(sources.fetch(&source).await.unwrap().line.tracks.len(), 2);
    well.store(true, Ordering::SeqCst);
    assert_eq!(sources.fetch(&source).await.unwrap().line.tracks.len(), 3, "what is missing is not kept");
    assert_eq!(server.targets()[4..], ["/collection/222000", "/tour/2"]);
}

#[tokio::test]
async fn failures_are_not_kept() {
    let server = upstream(|_| Answer::status("404 Not Found")).await;
    let sources = sources(&server, PATIENT);
    for requests in 1..4 {
        sources.fetch(&source(SourceKind::StravaRoute)).await.unwrap_err();
        assert_eq!(server.heads().len(), requests);
    }
}
