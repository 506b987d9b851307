//! What is made of good answers.

use btp_domain::{Point, SourceKind, SourceRef, route::RouteSources};
use btp_testkit::upstream::{
    Answer,
    shapes::{self, Track, track},
};
use serde_json::json;

use crate::{PATIENT, fetch, source, sources, upstream};

pub(crate) fn points(track: &Track) -> Vec<Point> {
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
        let plain = upstream(move |_| Answer::ok(body_for.clone())).await;
        let zipped = upstream(move |_| Answer::gzip(body.as_bytes())).await;
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
    let route = fetch(&upstream(move |_| Answer::ok(body.clone())).await, SourceKind::RideWithGps).await.unwrap();
    assert_eq!(route.line.tracks[0].iter().map(|p| p.ele).collect::<Vec<_>>(), [Some(900.0), None, None, Some(904.0)]);
    assert!(route.warnings[0].message.ends_with(": 1."), "{:?}", route.warnings);
}

#[tokio::test]
async fn the_tracks_of_a_gpx_file_become_one_line() {
    let file = r#"<gpx><trk><trkseg><trkpt lat="1" lon="1"/></trkseg></trk><trk><trkseg><trkpt lat="1.1" lon="1"/></trkseg></trk></gpx>"#;
    let server = upstream(move |_| Answer::ok(file)).await;
    assert_eq!(fetch(&server, SourceKind::StravaRoute).await.unwrap().line.tracks[0].len(), 2);
}

#[tokio::test]
async fn smart_tours_are_asked_for_where_they_are() {
    let smart = SourceRef { id: "smarttour/333".to_owned(), ..source(SourceKind::KomootTour) };
    let server = upstream(|_| Answer::ok(shapes::komoot_tour_page(&track(9)))).await;
    assert!(sources(&server, PATIENT).fetch(&smart).await.is_ok());
    assert_eq!(server.targets(), ["/smarttour/333"]);

    let server = upstream(|target| match target {
        "/api/v007/smart_tours/333/coordinates" => {
            Answer::ok(shapes::komoot_tour(&track(9))["_embedded"]["coordinates"].to_string())
        }
        "/api/v007/smart_tours/333" => Answer::ok(json!({"name": shapes::TITLE, "uphill": 9}).to_string()),
        _ => Answer::ok("<html></html>"),
    })
    .await;
    let route = sources(&server, PATIENT).fetch(&smart).await.unwrap();
    assert_eq!((route.title.as_deref(), route.line.tracks), (Some(shapes::TITLE), vec![points(&track(9))]));
}

#[tokio::test]
async fn the_api_answers_for_a_page_of_another_shape() {
    let server = upstream(|target| match target {
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
