//! What is made of good answers.

use btp_domain::{FailureCode, Point, SourceKind, SourceRef, route::RouteSources};
use serde_json::json;

use crate::{
    PATIENT, fetch,
    server::{Answer, Server},
    shapes::{self, Track, track},
    source, sources,
};

fn points(track: &Track) -> Vec<Point> {
    track.iter().map(|&(lat, lon, ele)| Point { lat, lon, ele }).collect()
}

#[tokio::test]
async fn every_shape_gives_the_same_line() {
    let track = track(50);
    let rwgps = shapes::ridewithgps(&track);
    let mut renamed = rwgps.clone();
    for point in renamed["track_points"].as_array_mut().unwrap() {
        *point = json!({"lng": point["x"], "lat": point["y"], "ele": point["e"]});
    }
    let shapes = [
        (SourceKind::KomootTour, shapes::komoot_tour_page(&track)),
        (SourceKind::RideWithGps, json!({"type": "route", "route": rwgps}).to_string()),
        (SourceKind::RideWithGps, rwgps.to_string()),
        (SourceKind::RideWithGps, renamed.to_string()),
        (SourceKind::StravaRoute, shapes::gpx(&track)),
    ];
    for (kind, body) in shapes {
        let body_for = body.clone();
        let plain = Server::start(move |_| Answer::ok(body_for.clone())).await;
        let zipped = Server::start(move |_| Answer::gzip(body.as_bytes())).await;
        for server in [plain, zipped] {
            let route = fetch(&server, kind).await.unwrap();
            assert_eq!(route.title.as_deref(), Some(shapes::TITLE), "{kind:?}");
            assert_eq!(route.line.tracks, [points(&track)], "{kind:?}");
            assert_eq!(route.warnings, [], "{kind:?}");
            assert_eq!(server.heads().len(), 1, "{kind:?}");
        }
    }
}

#[tokio::test]
async fn elevations_nobody_measured_and_points_nowhere() {
    let mut line = track(5);
    line[1].2 = Some(-32768.0);
    line[2].0 = 91.0;
    let body = shapes::ridewithgps(&line).to_string();
    let route = fetch(&Server::start(move |_| Answer::ok(body.clone())).await, SourceKind::RideWithGps).await.unwrap();
    assert_eq!(route.line.tracks[0].iter().map(|p| p.ele).collect::<Vec<_>>(), [Some(900.0), None, None, Some(904.0)]);
    assert!(route.warnings[0].message.ends_with(": 1."), "{:?}", route.warnings);
}

#[tokio::test]
async fn the_tracks_of_a_gpx_file_become_one_line() {
    let file = r#"<gpx><trk><trkseg><trkpt lat="1" lon="1"/></trkseg></trk><trk><trkseg><trkpt lat="1.1" lon="1"/></trkseg></trk></gpx>"#;
    let server = Server::start(move |_| Answer::ok(file)).await;
    assert_eq!(fetch(&server, SourceKind::StravaRoute).await.unwrap().line.tracks[0].len(), 2);
}

#[tokio::test]
async fn the_api_answers_for_a_page_of_another_shape() {
    let server = Server::start(|target| match target {
        "/tour/222000?share_token=s3" => Answer::ok(shapes::komoot_page(&json!({"trip": {}}))),
        _ => Answer::ok(shapes::komoot_tour(&track(9)).to_string()),
    })
    .await;
    let shared = SourceRef { token: Some("s3".to_owned()), ..source(SourceKind::KomootTour) };
    let route = sources(&server, PATIENT).fetch(&shared).await.unwrap();
    assert_eq!(route.line.tracks, [points(&track(9))]);
    let expected = ["/tour/222000?share_token=s3", "/api/v007/tours/222000?_embedded=coordinates&share_token=s3"];
    assert_eq!(server.targets(), expected);
    assert!(server.heads()[1].contains("accept: application/hal+json\r\n"), "{}", server.heads()[1]);
}

fn collection_server(
    items: serde_json::Value,
    tour: impl Fn(u32) -> Answer + Send + Sync + 'static,
) -> impl Future<Output = Server> {
    Server::start(move |target| match target.strip_prefix("/tour/") {
        Some(id) => tour(id.parse().unwrap()),
        None => Answer::ok(shapes::komoot_page(&shapes::komoot_collection(&items))),
    })
}

#[tokio::test]
async fn a_collection_has_a_track_for_each_tour_in_order() {
    let items = json!([{"id": 30, "type": "tour_planned"}, {"id": 7, "type": "highlight"}, {"id": "10"}, {"id": 20}]);
    let server = collection_server(items, |id| Answer::ok(shapes::komoot_tour_page(&track(id)))).await;
    let route = fetch(&server, SourceKind::KomootCollection).await.unwrap();
    assert_eq!(route.title.as_deref(), Some(shapes::TITLE));
    assert_eq!(route.line.tracks, [points(&track(30)), points(&track(10)), points(&track(20))]);
    assert_eq!(route.warnings, []);
    assert_eq!(server.targets()[0], "/collection/222000");
}

#[tokio::test]
async fn a_tour_that_cannot_be_read_is_named() {
    let items = json!([{"id": 10}, {"id": 11}, {"id": 12}, {"id": 13}]);
    let server = collection_server(items, |id| match id {
        11 => Answer::status("403 Forbidden"),
        13 => Answer::status("404 Not Found"),
        _ => Answer::ok(shapes::komoot_tour_page(&track(id))),
    })
    .await;
    let route = fetch(&server, SourceKind::KomootCollection).await.unwrap();
    assert_eq!(route.line.tracks.len(), 2);
    assert_eq!(route.warnings[0].code, "tours_missing");
    assert!(route.warnings[0].message.starts_with("2 of the 4 tours"), "{:?}", route.warnings);
    assert!(route.warnings[0].message.ends_with("number 2, 4."), "{:?}", route.warnings);
}

#[tokio::test]
async fn a_slow_tour_costs_only_itself() {
    let items = json!([{"id": 10}, {"id": 11}]);
    let server = collection_server(items, |id| match id {
        11 => Answer::Never,
        _ => Answer::ok(shapes::komoot_tour_page(&track(id))),
    })
    .await;
    let patience = btp_outbound::Patience { total: std::time::Duration::from_secs(1), ..PATIENT };
    let route = sources(&server, patience).fetch(&source(SourceKind::KomootCollection)).await.unwrap();
    assert_eq!((route.line.tracks.len(), route.warnings.len()), (1, 1));
}

#[tokio::test]
async fn collections_that_give_nothing() {
    let code = |items, answer: fn(u32) -> Answer| async move {
        fetch(&collection_server(items, answer).await, SourceKind::KomootCollection).await.unwrap_err().code
    };
    let private = |_| Answer::status("403 Forbidden");
    assert_eq!(code(json!([{"id": 1}, {"id": 2}]), private).await, FailureCode::PrivateOrLoginRequired);
    assert_eq!(code(json!([]), private).await, FailureCode::NoTrackPoints);
    assert_eq!(code(json!(vec![json!({"id": 1}); 367]), private).await, FailureCode::TooManyDays);
    assert_eq!(code(json!({}), private).await, FailureCode::UpstreamChanged);
}
