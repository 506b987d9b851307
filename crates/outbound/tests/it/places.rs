//! A map service is asked as it wishes to be asked.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use btp_domain::places::{PlaceQuery, Places, PlacesBusy};
use btp_outbound::{Geocoder, PlaceService, user_agent};
use btp_testkit::{
    ManualClock,
    upstream::{Answer, Upstream},
};
use futures_util::future::join_all;

use crate::upstream;

const TOWN: &str = r#"[{"lat":"47.2380222","lon":"6.0243622","name":"Besançon","display_name":"Besançon, Doubs, France métropolitaine, France",
    "category":"boundary","type":"administrative","addresstype":"city","address":{"city":"Besançon"}},
    {"lat":"x","lon":"6.0","display_name":"Nowhere"},
    {"lat":"47.3","lon":"6.1","display_name":"17, Rue de Vesoul, Besançon","type":"house"}]"#;

fn query(text: &str, limit: usize) -> PlaceQuery {
    PlaceQuery { text: text.to_owned(), limit }
}

fn geocoder(server: &Upstream, clock: Arc<ManualClock>) -> Geocoder {
    let service = PlaceService::Nominatim(server.base().parse().unwrap());
    Geocoder::new(service, &user_agent(Some(&"https://bike.example.org".parse().unwrap())), clock).unwrap()
}

#[tokio::test]
async fn nominatim_is_asked_and_read() {
    let server = upstream(|_| Answer::ok(TOWN)).await;
    let found = geocoder(&server, Arc::default()).search(&query("Besançon & Doubs", 10)).await.unwrap();
    let host = server.base().trim_start_matches("http://");
    let target = "/search?q=Besan%C3%A7on+%26+Doubs&format=jsonv2&limit=10&addressdetails=1";
    let expected = format!(
        "GET {target} HTTP/1.1\r\naccept: application/json\r\naccept-encoding: gzip\r\nuser-agent: BikeTripPlanner/1.0 (+https://bike.example.org)\r\nhost: {host}\r\n\r\n"
    );
    assert_eq!(server.heads(), [expected]);
    let places: Vec<_> = found.places.iter().map(|place| (place.name.as_str(), place.kind.as_str())).collect();
    assert_eq!(places, [("Besançon", "city"), ("17", "house")]);
    assert_eq!((found.places[0].lat, found.places[0].lon), (47.238_022_2, 6.024_362_2));
    assert!(found.attribution.contains("OpenStreetMap contributors"));
}

#[tokio::test]
async fn photon_is_asked_and_read() {
    let body = r#"{"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"Point","coordinates":[9.5209,47.1415]},
         "properties":{"osm_key":"place","osm_value":"town","name":"Vaduz","state":"Oberland","country":"Liechtenstein"}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[2.389,48.863]},
         "properties":{"osm_value":"house","housenumber":"10","street":"Avenue Gambetta","city":"Paris","country":"France"}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[2.0,48.0]},"properties":{"country":"France"}}]}"#;
    let server = upstream(move |_| Answer::ok(body)).await;
    let service = PlaceService::Photon(format!("{}/geo", server.base()).parse().unwrap());
    let geocoder = Geocoder::new(service, "test", Arc::new(ManualClock::default())).unwrap();
    let found = geocoder.search(&query("vaduz", 2)).await.unwrap().places;
    assert_eq!(server.targets(), ["/geo/api?q=vaduz&limit=10"]);
    let places: Vec<_> = found.iter().map(|place| (place.display_name.as_str(), place.kind.as_str())).collect();
    assert_eq!(places, [("Vaduz, Oberland, Liechtenstein", "town"), ("10 Avenue Gambetta, Paris, France", "house")]);
    assert_eq!((found[0].lat, found[0].lon), (47.1415, 9.5209));
}

#[tokio::test]
async fn the_same_question_a_hundred_times_is_one_request() {
    let (server, clock) = (upstream(|_| Answer::ok(TOWN)).await, Arc::<ManualClock>::default());
    let geocoder = geocoder(&server, clock.clone());
    let texts = ["Besançon", "BESANÇON", "besançon"];
    let found = join_all((0..100).map(|number| {
        let (geocoder, query) = (&geocoder, query(texts[number % 3], 1 + number % 10));
        async move { geocoder.search(&query).await.unwrap().places.len() }
    }))
    .await;
    assert_eq!(server.heads().len(), 1);
    assert!(found.iter().enumerate().all(|(number, count)| *count == (1 + number % 10).min(2)));
    clock.advance(Duration::from_secs(86_399));
    geocoder.search(&query("besançon", 1)).await.unwrap();
    assert_eq!(server.heads().len(), 1);
    clock.advance(Duration::from_secs(1));
    geocoder.search(&query("besançon", 1)).await.unwrap();
    assert_eq!(server.heads().len(), 2, "asked again the next day");
}

#[tokio::test]
async fn what_is_not_there_is_an_answer_too() {
    let server = upstream(|_| Answer::ok("[]")).await;
    let geocoder = geocoder(&server, Arc::default());
    for _ in 0..3 {
        assert!(geocoder.search(&query("nowhere", 5)).await.unwrap().places.is_empty());
    }
    assert_eq!(server.heads().len(), 1);
}

#[tokio::test]
async fn one_that_shuts_us_out_is_left_alone() {
    let html = "<html><title>Bandwidth limit exceeded</title></html>";
    for (answer, seconds) in [
        (Answer::status("429 Too Many Requests\r\nretry-after: 30"), 30),
        (Answer::status("429 Too Many Requests"), 60),
        (Answer::status("403 Forbidden"), 900),
        (Answer::ok(html), 60),
        (Answer::ok(r#"{"error":"busy"}"#), 60),
    ] {
        let (clock, name) = (Arc::<ManualClock>::default(), format!("{answer:?}"));
        let server = upstream(move |_| answer.clone()).await;
        let geocoder = geocoder(&server, clock.clone());
        assert_eq!(geocoder.search(&query("a", 5)).await, Err(PlacesBusy { retry_after: 5 }), "{name}");
        assert_eq!(geocoder.search(&query("b", 5)).await, Err(PlacesBusy { retry_after: seconds }), "{name}");
        clock.advance(Duration::from_secs(seconds) - Duration::from_millis(500));
        assert_eq!(geocoder.search(&query("b", 5)).await, Err(PlacesBusy { retry_after: 1 }), "{name}");
        assert_eq!(server.heads().len(), 1, "{name}");
        clock.advance(Duration::from_millis(500));
        assert!(geocoder.search(&query("b", 5)).await.is_err());
        assert_eq!(server.heads().len(), 2, "{name}");
    }
}

#[tokio::test]
async fn one_that_fails_gets_five_chances_and_then_a_rest() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let server = upstream(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        Answer::status("500 Internal Server Error")
    })
    .await;
    let geocoder = geocoder(&server, Arc::default());
    for number in 0..10 {
        assert!(geocoder.search(&query(&number.to_string(), 5)).await.is_err());
    }
    assert_eq!(asked.load(Ordering::SeqCst), 5, "no retries, and none asked while it rests");
}

#[tokio::test]
async fn what_breaks_off_or_leads_elsewhere_is_no_answer() {
    for answer in [
        Answer::Torn,
        Answer::redirect("https://evil.example/search"),
        Answer::ok(vec![b' '; 1_000_001]),
        Answer::status("404 Not Found"),
    ] {
        let name = format!("{answer:?}");
        let server = upstream(move |_| answer.clone()).await;
        let missed = geocoder(&server, Arc::default()).search(&query("a", 5)).await;
        assert_eq!((missed, server.heads().len()), (Err(PlacesBusy { retry_after: 5 }), 1), "{name}");
    }
}
