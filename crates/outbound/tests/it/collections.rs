//! Komoot collections: every tour in its order, or word of those that are missing.

use std::time::Duration;

use btp_domain::{FailureCode, SourceKind, SourceRef, route::RouteSources};
use btp_outbound::Patience;
use btp_testkit::upstream::{
    Answer, Upstream,
    shapes::{self, track},
};
use serde_json::{Value, json};

use crate::{PATIENT, fetch, routes::points, source, sources, upstream};

/// The page of the collection, of which only a part may be listed.
fn page(items: &Value, total: usize) -> Answer {
    Answer::ok(shapes::komoot_page(&shapes::komoot_collection(&shapes::komoot_list(items, total))))
}

/// A tour has as many points as its number says.
fn tour(id: u32) -> Answer {
    Answer::ok(shapes::komoot_tour_page(&track(id)))
}

async fn serve(items: Value, tour: impl Fn(u32) -> Answer + Send + Sync + 'static) -> Upstream {
    upstream(move |target| match target.strip_prefix("/tour/") {
        Some(id) => tour(id.parse().unwrap()),
        None => page(&items, 0),
    })
    .await
}

fn ids(range: std::ops::Range<u32>) -> Value {
    range.map(|id| json!({"id": id, "type": "tour_planned"})).collect()
}

/// A collection of 250 tours, of which its page lists the first 20; `list` answers for a page of the API.
async fn long(list: impl Fn(u32) -> Answer + Send + Sync + 'static) -> Upstream {
    upstream(move |target| match target.split_once("/compilation/?page=") {
        Some((_, query)) => list(query.strip_suffix("&limit=100").unwrap().parse().unwrap()),
        None => match target.strip_prefix("/tour/") {
            Some(_) => tour(5),
            None => page(&ids(1000..1020), 250),
        },
    })
    .await
}

fn listed(page: u32) -> Answer {
    let (from, to) = (1000 + 100 * page, 1000 + (100 * page + 100).min(250));
    Answer::ok(shapes::komoot_list(&ids(from..to.max(from)), 250).to_string())
}

#[tokio::test]
async fn a_track_for_each_tour_in_order() {
    let items = json!([{"id": 30, "type": "tour_planned"}, {"id": 7, "type": "highlight"}, {"id": "10"}, {"id": 20}]);
    let server = serve(items, tour).await;
    let route = fetch(&server, SourceKind::KomootCollection).await.unwrap();
    assert_eq!(route.title.as_deref(), Some(shapes::TITLE));
    assert_eq!(route.line.tracks, [points(&track(30)), points(&track(10)), points(&track(20))]);
    assert_eq!(route.warnings, []);
    assert_eq!(server.targets()[0], "/collection/222000");
}

#[tokio::test]
async fn a_list_that_goes_on_is_read_to_its_end() {
    let server = long(listed).await;
    let route = fetch(&server, SourceKind::KomootCollection).await.unwrap();
    assert_eq!((route.line.tracks.len(), route.title.as_deref()), (250, Some(shapes::TITLE)));
    assert_eq!(route.warnings, []);
    let lists = [0, 1, 2].map(|page| format!("/api/v007/collections/222000/compilation/?page={page}&limit=100"));
    assert_eq!(server.targets()[1..4], lists);
    let mut tours = server.targets().split_off(4);
    tours.sort();
    assert_eq!(tours, (1000..1250).map(|id| format!("/tour/{id}")).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_list_that_cannot_be_read_on_is_told() {
    let answers: [fn(u32) -> Answer; 2] = [|_| Answer::status("404 Not Found"), |_| Answer::ok("{}")];
    for answer in answers {
        let route = fetch(&long(answer).await, SourceKind::KomootCollection).await.unwrap();
        assert_eq!(route.line.tracks.len(), 20);
        assert!(route.warnings[0].message.contains("230 more entries"), "{:?}", route.warnings);
    }
    // The API promises more than it gives.
    let short = long(|page| if page < 2 { listed(page) } else { listed(3) }).await;
    let route = fetch(&short, SourceKind::KomootCollection).await.unwrap();
    assert_eq!(route.line.tracks.len(), 200);
    assert!(route.warnings[0].message.contains("50 more entries"), "{:?}", route.warnings);
}

#[tokio::test]
async fn the_api_answers_for_a_page_of_another_shape() {
    let server = upstream(|target| match target {
        "/api/v007/collections/222000/compilation/?page=0&limit=100&share_token=s3" => {
            Answer::ok(shapes::komoot_list(&ids(10..13), 3).to_string())
        }
        "/api/v007/collections/222000?share_token=s3" => Answer::ok(json!({"name": shapes::TITLE}).to_string()),
        _ => target.strip_prefix("/tour/").map_or_else(|| Answer::ok("<html></html>"), |id| tour(id.parse().unwrap())),
    })
    .await;
    let shared = SourceRef { token: Some("s3".to_owned()), ..source(SourceKind::KomootCollection) };
    let route = sources(&server, PATIENT).fetch(&shared).await.unwrap();
    assert_eq!((route.line.tracks.len(), route.title.as_deref()), (3, Some(shapes::TITLE)));
}

#[tokio::test]
async fn a_tour_that_cannot_be_read_is_named() {
    let server = serve(ids(10..14), |id| match id {
        11 => Answer::status("403 Forbidden"),
        13 => Answer::status("404 Not Found"),
        _ => tour(id),
    })
    .await;
    let route = fetch(&server, SourceKind::KomootCollection).await.unwrap();
    assert_eq!(route.line.tracks.len(), 2);
    assert_eq!(route.warnings[0].code, "tours_missing");
    let message = &route.warnings[0].message;
    assert!(message.starts_with("2 of the 4 tours"), "{message}");
    assert!(message.ends_with("number 2 (private_or_login_required), 4 (not_found)."), "{message}");
}

#[tokio::test]
async fn a_slow_tour_costs_only_itself() {
    let server = serve(ids(10..12), |id| if id == 11 { Answer::Never } else { tour(id) }).await;
    let patience = Patience { total: Duration::from_secs(1), ..PATIENT };
    let route = sources(&server, patience).fetch(&source(SourceKind::KomootCollection)).await.unwrap();
    assert_eq!((route.line.tracks.len(), route.warnings.len()), (1, 1));
}

#[tokio::test]
async fn what_gives_nothing() {
    let code = async |items| {
        let server = serve(items, |_| Answer::status("403 Forbidden")).await;
        fetch(&server, SourceKind::KomootCollection).await.unwrap_err().code
    };
    assert_eq!(code(ids(1..3)).await, FailureCode::PrivateOrLoginRequired);
    assert_eq!(code(json!([])).await, FailureCode::NoTrackPoints);
    assert_eq!(code(ids(0..367)).await, FailureCode::TooManyDays);
    assert_eq!(code(json!({})).await, FailureCode::UpstreamChanged);
}
