//! Places by name, from the built-in index and from a map service in front of it.

use btp_testkit::upstream::{Answer, Upstream};
use serde_json::json;

use crate::server::Installation;

#[tokio::test(flavor = "multi_thread")]
async fn with_no_map_service_towns_are_found() {
    let installation = Installation::new(&[("NOMINATIM_URL", "off")]);
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    for (text, place) in [
        ("besancon", "Besançon, France"),
        ("saint brevin", "Saint-Brevin-les-Pins, France"),
        ("geneve", "Geneva, Switzerland"),
        ("Bâle", "Basel, Switzerland"),
    ] {
        let found = session.call("search_places", json!({"q": text})).await.unwrap();
        assert_eq!(found["member"][0]["displayName"], place, "{text}");
        assert!(found["attribution"][0].as_str().unwrap().contains("GeoNames"), "{found}");
    }
    let nothing = session.call("search_places", json!({"q": "no such place anywhere"})).await.unwrap();
    assert_eq!((&nothing["totalItems"], &nothing["member"]), (&json!(0), &json!([])));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_map_service_is_asked_first_and_the_index_stands_behind_it() {
    let peak = r#"[{"lat":"46.58","lon":"8.42","name":"Furkapass","display_name":"Furkapass, Uri, Schweiz","addresstype":"mountain_pass"}]"#;
    let upstream = Upstream::start(move |target| match target.contains("q=Furka") {
        true => Answer::ok(peak),
        false => Answer::status("503 Service Unavailable"),
    })
    .await
    .unwrap();
    let installation = Installation::new(&[("NOMINATIM_URL", upstream.base())]);
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    let found = session.call("search_places", json!({"q": "Furka", "limit": 1})).await.unwrap();
    assert_eq!((&found["member"][0]["type"], &found["totalItems"]), (&json!("mountain_pass"), &json!(1)));
    assert!(found["attribution"][0].as_str().unwrap().contains("OpenStreetMap"), "{found}");
    let behind = session.call("search_places", json!({"q": "Chur"})).await.unwrap();
    assert_eq!(behind["member"][0]["displayName"], "Chur, Switzerland");
    let busy = session.call("search_places", json!({"q": "no such place anywhere"})).await.unwrap_err().to_string();
    assert!(busy.contains("The place search is busy. Retry in 5 seconds."), "{busy}");
}
