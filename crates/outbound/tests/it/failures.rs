//! Each way a source can fail, to its code.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use btp_domain::{Failure, FailureCode, SourceKind, route::RouteSources};
use btp_kernel::chain;
use btp_outbound::{InternalClient, Patience, Request, Service, Sources, SourcesConfig};
use serde_json::json;
use tokio::time::Instant;

use crate::{
    PATIENT, fetch,
    server::{Answer, Server},
    shapes::{self, track},
    source, sources,
};

const SINGLE: [SourceKind; 3] = [SourceKind::KomootTour, SourceKind::RideWithGps, SourceKind::StravaRoute];
const ALL: [SourceKind; 4] =
    [SourceKind::KomootTour, SourceKind::KomootCollection, SourceKind::RideWithGps, SourceKind::StravaRoute];

async fn failure(kind: SourceKind, answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> (Failure, Server) {
    let server = Server::start(answer).await;
    (fetch(&server, kind).await.unwrap_err(), server)
}

async fn code(kind: SourceKind, answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> FailureCode {
    failure(kind, answer).await.0.code
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
        let server = Server::start(move |_| match asked.fetch_add(1, Ordering::SeqCst) {
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
    assert!(strava.message.contains("public route of Komoot"), "{strava}");
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
        (SourceKind::KomootTour, shapes::komoot_page(&shapes::komoot_collection(&json!([{"id": 1}])))),
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
async fn lines_that_lead_nowhere() {
    let still = vec![(42.0, 1.5, None); 9];
    for line in [track(0), track(1), still] {
        let bodies = [shapes::komoot_tour_page(&line), shapes::ridewithgps(&line).to_string(), shapes::gpx(&line)];
        for (kind, body) in SINGLE.into_iter().zip(bodies) {
            let (failure, server) = failure(kind, move |_| Answer::ok(body.clone())).await;
            assert_eq!(failure.code, FailureCode::NoTrackPoints, "{kind:?} {}", line.len());
            assert_eq!(server.heads().len(), 1, "no second way is tried");
        }
    }
}

#[tokio::test]
async fn too_much() {
    // 40 MB as they are, and the same packed into some 40 kB.
    for answer in [|| Answer::ok(vec![b' '; 40_000_000]), || Answer::gzip(&vec![b' '; 40_000_000])] {
        for kind in ALL {
            let (failure, server) = failure(kind, move |_| answer()).await;
            assert_eq!(failure.code, FailureCode::TooLarge, "{kind:?}");
            assert_eq!(server.heads().len(), 1, "not tried again");
        }
    }
}

#[tokio::test]
async fn no_answer_in_time() {
    for kind in ALL {
        let server = Server::start(|_| Answer::Never).await;
        let patience = Patience { total: Duration::from_millis(50), ..PATIENT };
        let failure = sources(&server, patience).fetch(&source(kind)).await.unwrap_err();
        assert_eq!(failure.code, FailureCode::Timeout, "{kind:?}");
    }
}

#[tokio::test]
async fn redirects() {
    let followed = Server::start(|target| match target {
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
    let other = Server::start(|_| Answer::ok(shapes::komoot_tour_page(&track(5)))).await;
    let to = format!("http://localhost:{}/", other.base().port().unwrap());
    for to in [
        other.base().to_string(),
        to,
        "http://169.254.169.254/latest/meta-data".to_owned(),
        "file:///etc/passwd".to_owned(),
    ] {
        for kind in ALL {
            let to = to.clone();
            assert_eq!(code(kind, move |_| Answer::redirect(&to)).await, FailureCode::RedirectedElsewhere, "{kind:?}");
        }
    }
    assert!(other.heads().is_empty());
}

#[tokio::test]
async fn connections_that_break() {
    for kind in ALL {
        let (failure, server) = failure(kind, |_| Answer::Torn).await;
        assert_eq!((failure.code, server.heads().len()), (FailureCode::SourceUnavailable, 3), "{kind:?}");
    }
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let config = SourcesConfig {
        komoot: Some(format!("http://{closed}").parse().unwrap()),
        patience: PATIENT,
        ..SourcesConfig::default()
    };
    let refused = Sources::new(config).unwrap().fetch(&source(SourceKind::KomootTour)).await.unwrap_err();
    assert_eq!(refused.code, FailureCode::SourceUnavailable);
}

#[tokio::test]
async fn a_service_that_is_switched_off_is_not_asked() {
    let server = Server::start(|_| Answer::Never).await;
    let config =
        SourcesConfig { strava: Some(server.base()), disabled: [Service::Strava].into(), ..SourcesConfig::default() };
    let failure = Sources::new(config).unwrap().fetch(&source(SourceKind::StravaRoute)).await.unwrap_err();
    assert_eq!(failure.code, FailureCode::SourceUnavailable);
    assert!(failure.message.contains("Strava are switched off"), "{failure}");
    assert!(server.heads().is_empty());
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
        let server = Server::start(move |_| answer()).await;
        let client = InternalClient::new("test", PATIENT, server.base()).unwrap();
        let url = server.base().join("/tour/1?share_token=t0ken").unwrap();
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
            assert!(failure.message.contains("elete the trip and create it again"), "{failure}");
        }
    }
}
