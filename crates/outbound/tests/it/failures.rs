//! Each way a source can fail, to its code.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use btp_domain::{Failure, FailureCode, SourceKind, SourceRef, route::RouteSources};
use btp_kernel::chain;
use btp_outbound::{InternalClient, Patience, Request, Service, Sources, SourcesConfig};
use btp_testkit::{
    ManualClock,
    upstream::{
        Answer, Upstream,
        faults::numbered_faults,
        shapes::{self, track},
        world,
    },
};
use tokio::time::Instant;

use crate::{ALL, PATIENT, config, fetch, source, sources, upstream};

/// Where a test waits for a deadline, it does so for a moment.
const HASTY: Patience = Patience { total: Duration::from_millis(300), ..PATIENT };

async fn failure(kind: SourceKind, answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> (Failure, Upstream) {
    let server = upstream(answer).await;
    (fetch(&server, kind).await.unwrap_err(), server)
}

async fn code(kind: SourceKind, answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> FailureCode {
    failure(kind, answer).await.0.code
}

#[tokio::test]
async fn the_table() {
    let server = upstream(world).await;
    for (number, fault) in numbered_faults() {
        for kind in ALL {
            let patience = if fault.code == FailureCode::Timeout { HASTY } else { PATIENT };
            let source = SourceRef { kind, id: number.to_string(), token: None };
            let failure = sources(&server, patience).fetch(&source).await.unwrap_err();
            assert_eq!(failure.code, fault.code, "{kind:?}: {}: {failure}", fault.name);
        }
    }
}

#[tokio::test]
async fn statuses() {
    let cases = [
        ("404 Not Found", FailureCode::NotFound, 1),
        ("401 Unauthorized", FailureCode::PrivateOrLoginRequired, 1),
        ("403 Forbidden", FailureCode::PrivateOrLoginRequired, 1),
        ("410 Gone", FailureCode::Gone, 1),
        ("429 Too Many Requests", FailureCode::RateLimited, 1),
        ("429 Too Many Requests\r\nretry-after: 3600", FailureCode::RateLimited, 1),
        ("429 Too Many Requests\r\nretry-after: 0", FailureCode::RateLimited, 3),
        ("500 Internal Server Error", FailureCode::SourceUnavailable, 3),
        ("503 Service Unavailable", FailureCode::SourceUnavailable, 3),
        ("418 I'm a teapot", FailureCode::UpstreamChanged, 1),
        ("204 No Content", FailureCode::UpstreamChanged, 1),
    ];
    for (line, expected, requests) in cases {
        for kind in ALL {
            let (failure, server) = failure(kind, move |_| Answer::status(line)).await;
            assert_eq!(failure.code, expected, "{kind:?} {line}");
            assert_eq!(server.heads().len(), requests, "{kind:?} {line}");
        }
    }
}

#[tokio::test]
async fn the_wait_a_busy_source_asks_for_is_passed_on() {
    let line = "429 Too Many Requests\r\nretry-after: 120";
    let (failure, _) = failure(SourceKind::KomootTour, move |_| Answer::status(line)).await;
    assert!(failure.message.contains("120 seconds"), "{failure}");
}

#[tokio::test]
async fn a_passing_failure_is_survived() {
    for (first, second) in [("500 Oops", "503 Oops"), ("429 Slow down\r\nretry-after: 0", "502 Oops")] {
        let asked = AtomicUsize::new(0);
        let server = upstream(move |_| match asked.fetch_add(1, Ordering::SeqCst) {
            0 => Answer::status(first),
            1 => Answer::status(second),
            _ => Answer::ok(shapes::komoot_tour_page(&track(5))),
        })
        .await;
        assert!(fetch(&server, SourceKind::KomootTour).await.is_ok());
    }
}

#[tokio::test]
async fn pages_to_sign_in() {
    for kind in ALL {
        let page = code(kind, |_| Answer::ok(shapes::LOGIN_PAGE)).await;
        assert_eq!(page, FailureCode::PrivateOrLoginRequired, "{kind:?}");
        let redirect = code(kind, |target| match target {
            "/login" => Answer::ok("<html><body>Welcome</body></html>"),
            _ => Answer::redirect("/login"),
        });
        assert_eq!(redirect.await, FailureCode::PrivateOrLoginRequired, "{kind:?}");
        let elsewhere = code(kind, |_| Answer::redirect("https://account.example.org/signin"));
        assert_eq!(elsewhere.await, FailureCode::PrivateOrLoginRequired, "{kind:?}");
    }
    let (strava, _) = failure(SourceKind::StravaRoute, |_| Answer::ok(shapes::LOGIN_PAGE)).await;
    assert!(strava.message.contains("GPX file"), "{strava}");
}

#[tokio::test]
async fn answers_of_another_shape() {
    let renamed = shapes::komoot_tour_page(&track(5)).replace("coordinates", "geometry");
    let no_lat = shapes::komoot_tour_page(&track(5)).replace("\\\"lat\\\"", "\\\"latitude\\\"");
    let cut = shapes::ridewithgps(&track(50)).to_string()[..500].to_owned();
    let cases = [
        (SourceKind::KomootTour, "<html><title>Tour</title><a href=/login>Log in</a></html>".to_owned()),
        (SourceKind::KomootTour, "<script>kmtBoot.setProps(\"{}\")</script>".to_owned()),
        (SourceKind::KomootTour, renamed),
        (SourceKind::KomootTour, no_lat),
        (SourceKind::KomootTour, shapes::komoot_collection_page(&[1])),
        (SourceKind::KomootCollection, shapes::komoot_tour_page(&track(5))),
        (SourceKind::RideWithGps, "{}".to_owned()),
        (SourceKind::RideWithGps, "[]".to_owned()),
        (SourceKind::RideWithGps, String::new()),
        (SourceKind::RideWithGps, "{\"track_points\": [{\"longitude\": 1, \"latitude\": 1}]}".to_owned()),
        (SourceKind::RideWithGps, "<html><title>Just a moment</title></html>".to_owned()),
        (SourceKind::RideWithGps, format!("{}1{}", "{\"route\":".repeat(10_000), "}".repeat(10_000))),
        (SourceKind::RideWithGps, cut),
        (SourceKind::StravaRoute, "<html><title>Maintenance</title></html>".to_owned()),
        (SourceKind::StravaRoute, "<!DOCTYPE gpx [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><gpx/>".to_owned()),
        (SourceKind::StravaRoute, shapes::gpx(&track(50))[..900].to_owned()),
    ];
    for (kind, body) in cases {
        let shown = body[..body.len().min(80)].to_owned();
        assert_eq!(
            code(kind, move |_| Answer::ok(body.clone())).await,
            FailureCode::UpstreamChanged,
            "{kind:?} {shown}"
        );
    }
}

#[tokio::test]
async fn the_api_may_say_that_the_tour_is_private() {
    let answer = |target: &str| match target.starts_with("/api/") {
        true => Answer::status("403 Forbidden"),
        false => Answer::ok("<html></html>"),
    };
    assert_eq!(code(SourceKind::KomootTour, answer).await, FailureCode::PrivateOrLoginRequired);
}

#[tokio::test]
async fn what_cannot_get_better_is_not_tried_again() {
    let answers: [fn() -> Answer; 2] =
        [|| Answer::ok(vec![b' '; 32_000_000]), || Answer::redirect("https://elsewhere.example/")];
    for answer in answers {
        for kind in ALL {
            let (_, server) = failure(kind, move |_| answer()).await;
            assert_eq!(server.heads().len(), 1, "{kind:?}");
        }
    }
}

#[tokio::test]
async fn one_budget_for_all_attempts() {
    let began = Instant::now();
    let server = upstream(|_| Answer::Drip).await;
    let failure = sources(&server, HASTY).fetch(&source(SourceKind::KomootTour)).await.unwrap_err();
    assert_eq!(failure.code, FailureCode::Timeout);
    assert!(began.elapsed() < 10 * HASTY.total, "{:?}", began.elapsed());
}

#[tokio::test]
async fn redirects() {
    let followed = upstream(|target| match target {
        "/tour/222000" => Answer::redirect("/fr-fr/tour/222000"),
        "/fr-fr/tour/222000" => Answer::redirect("/fr-fr/tour/222000/around-the-lake"),
        _ => Answer::ok(shapes::komoot_tour_page(&track(5))),
    })
    .await;
    assert!(fetch(&followed, SourceKind::KomootTour).await.is_ok());
    assert_eq!(followed.heads().len(), 3);

    for kind in ALL {
        let (failure, server) = failure(kind, |_| Answer::redirect("/again")).await;
        assert_eq!((failure.code, server.heads().len()), (FailureCode::RedirectedElsewhere, 3), "{kind:?}");
    }
}

#[tokio::test]
async fn a_redirect_to_another_origin_is_not_followed() {
    let other = upstream(|_| Answer::ok(shapes::komoot_tour_page(&track(5)))).await;
    let by_name = other.base().replace("127.0.0.1", "localhost");
    for to in [other.base().to_owned(), by_name] {
        for kind in ALL {
            let to = to.clone();
            assert_eq!(code(kind, move |_| Answer::redirect(&to)).await, FailureCode::RedirectedElsewhere, "{kind:?}");
        }
    }
    assert_eq!(other.accepted(), 0);
}

#[tokio::test]
async fn nobody_there() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let config = SourcesConfig {
        komoot: Some(format!("http://{closed}").parse().unwrap()),
        patience: PATIENT,
        ..SourcesConfig::default()
    };
    let sources = Sources::new(config, Arc::new(ManualClock::default())).unwrap();
    let refused = sources.fetch(&source(SourceKind::KomootTour)).await.unwrap_err();
    assert_eq!(refused.code, FailureCode::SourceUnavailable);
}

#[tokio::test]
async fn a_service_that_is_switched_off_is_not_asked() {
    for (service, kinds) in [
        (Service::Komoot, &ALL[..2]),
        (Service::RideWithGps, &[SourceKind::RideWithGps]),
        (Service::Strava, &[SourceKind::StravaRoute]),
    ] {
        let server = upstream(|_| Answer::Never).await;
        let config = SourcesConfig { disabled: [service].into(), ..config(&server) };
        let sources = Sources::new(config, Arc::new(ManualClock::default())).unwrap();
        for kind in kinds {
            let failure = sources.fetch(&source(*kind)).await.unwrap_err();
            assert_eq!(failure.code, FailureCode::SourceUnavailable);
            assert!(failure.message.contains("are switched off"), "{failure}");
        }
        assert_eq!(server.accepted(), 0);
    }
}

#[tokio::test]
async fn errors_show_no_token() {
    let answers = [
        || Answer::status("403 t0ken"),
        || Answer::redirect("https://elsewhere.example/?share_token=t0ken"),
        || Answer::redirect("/t0ken"),
        || Answer::Torn,
        || Answer::Never,
    ];
    for answer in answers {
        let server = upstream(move |_| answer()).await;
        let base: url::Url = server.base().parse().unwrap();
        let client = InternalClient::new("test", PATIENT, base.clone()).unwrap();
        let url = base.join("/tour/1?share_token=t0ken").unwrap();
        let until = Instant::now() + Duration::from_millis(50);
        let err = client.get(&Request { url, accept: "text/html", cap: 1_000, until }).await.unwrap_err();
        assert!(!chain(&err).contains("t0ken"), "{}", chain(&err));
    }
}

#[tokio::test]
async fn messages_hold_nothing_a_source_sent() {
    let secret = "xyzzy-upstream";
    for line in
        ["403 xyzzy-upstream", "500 xyzzy-upstream", "302 xyzzy-upstream\r\nlocation: https://xyzzy-upstream.example/"]
    {
        for kind in ALL {
            let (failure, _) = failure(kind, move |_| Answer::status(line)).await;
            assert!(!failure.message.contains(secret), "{failure}");
            assert!(failure.message.contains("elete the trip"), "{failure}");
        }
    }
}
