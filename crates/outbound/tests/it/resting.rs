//! A service that is not well is left alone for a while.

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
    upstream::{Answer, world},
};

use crate::{config, source, upstream};

fn tour(id: usize) -> SourceRef {
    SourceRef { id: id.to_string(), ..source(SourceKind::KomootTour) }
}

#[tokio::test]
async fn after_five_failures_for_a_minute() {
    let (ill, clock) = (Arc::new(AtomicBool::new(true)), Arc::new(ManualClock::default()));
    let fails = ill.clone();
    let server = upstream(move |target| match fails.load(Ordering::SeqCst) && target.starts_with("/tour/") {
        true => Answer::status("500 Internal Server Error"),
        false => world(target),
    })
    .await;
    let sources = Sources::new(config(&server), clock.clone()).unwrap();
    for id in 1..=5 {
        let failure = sources.fetch(&tour(id)).await.unwrap_err();
        assert_eq!((failure.code, server.heads().len()), (FailureCode::SourceUnavailable, 3 * id));
    }
    let failure = sources.fetch(&tour(6)).await.unwrap_err();
    assert_eq!((failure.code, server.heads().len()), (FailureCode::SourceUnavailable, 15), "not asked any more");
    assert!(failure.message.contains("Wait 60 seconds"), "{failure}");
    // The other services are none of its business.
    assert!(sources.fetch(&source(SourceKind::RideWithGps)).await.is_ok());

    ill.store(false, Ordering::SeqCst);
    clock.advance(Duration::from_secs(60));
    assert!(sources.fetch(&tour(7)).await.is_ok());
    assert!(sources.fetch(&tour(8)).await.is_ok());
}

#[tokio::test]
async fn for_as_long_as_a_busy_one_says() {
    let clock = Arc::new(ManualClock::default());
    let server = upstream(|_| Answer::status("429 Too Many Requests\r\nretry-after: 120")).await;
    let sources = Sources::new(config(&server), clock.clone()).unwrap();
    for (id, seconds) in [(1, "120 seconds"), (2, "120 seconds"), (3, "90 seconds")] {
        let failure = sources.fetch(&tour(id)).await.unwrap_err();
        assert_eq!(failure.code, FailureCode::RateLimited);
        assert!(failure.message.contains(seconds), "{failure}");
        assert_eq!(server.heads().len(), 1);
        if id == 2 {
            clock.advance(Duration::from_secs(30));
        }
    }
    clock.advance(Duration::from_secs(90));
    sources.fetch(&tour(4)).await.unwrap_err();
    assert_eq!(server.heads().len(), 2);
}

#[tokio::test]
async fn answers_that_say_no_are_no_failures() {
    let server = upstream(|_| Answer::status("404 Not Found")).await;
    let sources = Sources::new(config(&server), Arc::new(ManualClock::default())).unwrap();
    for id in 1..=20 {
        assert_eq!(sources.fetch(&tour(id)).await.unwrap_err().code, FailureCode::NotFound);
        assert_eq!(server.heads().len(), id);
    }
}
