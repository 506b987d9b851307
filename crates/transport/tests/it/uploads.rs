//! Trips from files: by apps and by the form of the trips page.

use std::{convert::Infallible, fmt::Write};

use axum::body::Body;
use futures_util::{
    StreamExt,
    future::ready,
    stream::{once, pending},
};
use http::{Request, StatusCode};
use serde_json::json;
use tokio::task::{JoinHandle, yield_now};
use tower::ServiceExt;

use crate::world::{BASE, HOST, Reply, World};

const OURS: (&str, &str) = ("origin", BASE);
const HTML: (&str, &str) = ("accept", "text/html");
pub(crate) const FORM: &str = "multipart/form-data; boundary=edge";

/// A file along the equator: so many kilometres, a point each.
pub(crate) fn gpx(km: u32) -> String {
    let mut points = String::new();
    for at in 0..=km {
        let lon = 1.0 + f64::from(at) / 111.319_490_793;
        write!(points, r#"<trkpt lat="0.1" lon="{lon}"><ele>5</ele></trkpt>"#).unwrap();
    }
    format!("<gpx><trk><name>From the file</name><trkseg>{points}</trkseg></trk></gpx>")
}

pub(crate) fn form(fields: &[(&str, &str)], file: Option<&str>) -> String {
    let mut body = String::new();
    for (name, value) in fields {
        write!(body, "--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").unwrap();
    }
    if let Some(file) = file {
        let head =
            "Content-Disposition: form-data; name=\"gpxFile\"; filename=\"a.gpx\"\r\nContent-Type: application/gpx+xml";
        write!(body, "--edge\r\n{head}\r\n\r\n{file}\r\n").unwrap();
    }
    body + "--edge--\r\n"
}

async fn send(world: &World, cookie: &str, fields: &[(&str, &str)], file: &str) -> Reply {
    let headers = [("cookie", cookie), ("content-type", FORM), OURS];
    world.send("POST", "/api/trips/gpx-upload", &headers, &form(fields, Some(file))).await
}

#[tokio::test]
async fn a_file_becomes_a_trip_with_its_days_at_once() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let fields = [("startDate", "2027-05-03"), ("maxDistancePerDay", "60"), ("title", ""), ("ebikeMode", "true")];
    let reply = send(&world, &cookie, &fields, &gpx(150)).await;
    assert_eq!(reply.status, 202, "{}", reply.text);
    let trip = reply.json();
    assert_eq!(
        (&trip["title"], &trip["status"], &trip["computing"]),
        (&json!("From the file"), &json!("analyzed"), &json!(false))
    );
    assert_eq!((trip["days"].as_array().unwrap().len(), &trip["end"]), (3, &json!("2027-05-05")));
    assert_eq!((&trip["pacing"]["maxDistancePerDay"], &trip["pacing"]["ebike"]), (&json!(60.0), &json!(true)));
    let place = reply.header("location");
    assert_eq!(place, format!("/api/trips/{}", trip["id"].as_str().unwrap()));
    assert_eq!(world.send("GET", place, &[("cookie", &cookie)], "").await.json(), trip);

    let again = send(&world, &cookie, &fields, &gpx(150)).await.json();
    assert_eq!(again["id"], trip["id"], "sent twice, made once");
    let other = send(&world, &cookie, &fields, &gpx(151)).await.json();
    assert_ne!(other["id"], trip["id"]);
    let as_agent = world.call("get_trip", &json!({"id": trip["id"]})).await;
    assert_eq!(as_agent.code(), -32603, "ann's agent of another account sees nothing");
}

#[tokio::test]
async fn what_cannot_be_used_is_refused_with_a_reason() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let waypoints = r#"<gpx><wpt lat="1" lon="1"/></gpx>"#;
    for (fields, file, status, says) in [
        (&[][..], "<!DOCTYPE gpx []><gpx/>", 422, "declares a document type"),
        (&[], "<html></html>", 422, "the file is not GPX"),
        (&[], "PK\u{3}\u{4}", 422, "the file is compressed"),
        (&[], "<gpx>", 422, "the file is cut off"),
        (&[], waypoints, 422, "waypoints but no track"),
        (&[], "<gpx/>", 422, "fewer than two different points"),
        (&[("startDate", "soon")], "<gpx/>", 400, "\"startDate\" is not a date"),
        (&[("maxDistancePerDay", "10")], "<gpx/>", 422, "\"maxDistancePerDay\" must be between 30 and 300"),
        (&[("stages", "1")], "<gpx/>", 400, "no field \"stages\""),
        (&[("title", "\u{7}")], "<gpx/>", 422, "\"title\" must not be empty."),
        (&[], "", 400, "\"gpxFile\" is missing or empty"),
    ] {
        world.clock.advance(std::time::Duration::from_secs(10));
        let reply = send(&world, &cookie, fields, file).await;
        assert_eq!((reply.status.as_u16(), reply.header("content-type")), (status, "application/problem+json"));
        assert!(reply.json()["detail"].as_str().unwrap().contains(says), "{}", reply.text);
    }
    let deep = format!("<gpx>{}{}</gpx>", "<x>".repeat(10_000), "</x>".repeat(10_000));
    assert!(send(&world, &cookie, &[], &deep).await.text.contains("nested too deeply"));
    let list = world.send("GET", "/api/trips", &[("cookie", &cookie)], "").await.json();
    assert_eq!(list["total"], 0, "nothing was stored");
}

#[tokio::test]
async fn one_byte_over_30_mb_is_too_large() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let padded = |bytes: usize| {
        let (start, end) = gpx(20).split_once("<trkseg>").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        let used = start.len() + end.len() + "<trkseg>".len();
        format!("{start}{}<trkseg>{end}", " ".repeat(bytes - used))
    };
    assert_eq!(send(&world, &cookie, &[], &padded(btp_formats::MAX_BYTES)).await.status, 202);
    for bytes in [btp_formats::MAX_BYTES + 1, btp_formats::MAX_BYTES + 1_000_000] {
        let reply = send(&world, &cookie, &[], &padded(bytes)).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["detail"]), (413, &json!("The file has more than 30 MB.")));
    }
}

#[tokio::test]
async fn what_is_too_long_beside_the_file_is_named() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    for name in ["title", "file"] {
        let reply = send(&world, &cookie, &[(name, &"x".repeat(20_000))], "<gpx/>").await;
        let detail = reply.json()["detail"].as_str().unwrap().to_owned();
        assert_eq!(reply.status, 413);
        assert!(detail.starts_with(&format!("The field \"{name}\" is too long.")), "{detail}");
    }
}

#[tokio::test]
async fn the_limit_of_creations_counts_files_too() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    for number in 0..10 {
        assert_eq!(send(&world, &cookie, &[], &gpx(20 + number)).await.status, 202);
    }
    let refused = send(&world, &cookie, &[], &gpx(40)).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "60"));
    assert_eq!(send(&world, &cookie, &[], &gpx(20)).await.status, 202, "a repeated one spends nothing");
}

/// A sender who begins and never goes on.
fn drip(world: &World, cookie: &str) -> JoinHandle<StatusCode> {
    let begun = form(&[], Some(&gpx(20))).split_at(400).0.to_owned();
    let body = once(ready(Ok::<_, Infallible>(begun))).chain(pending());
    let request = Request::post("/api/trips/gpx-upload").header("host", HOST).header("cookie", cookie);
    let request = request.header("content-type", FORM).header("origin", BASE).body(Body::from_stream(body)).unwrap();
    let router = world.router.clone();
    tokio::spawn(async move { router.oneshot(request).await.unwrap().status() })
}

#[tokio::test]
async fn slow_senders_keep_nobody_out_and_have_two_places_each() {
    let world = World::new().await;
    let (_, ann) = world.cookie("ann@example.org").await;
    let (_, bob) = world.cookie("bob@example.org").await;
    let slow: Vec<_> = (0..10).map(|_| drip(&world, &ann)).collect();
    while slow.iter().filter(|sender| sender.is_finished()).count() < 8 {
        yield_now().await;
    }
    let refused = send(&world, &ann, &[], &gpx(20)).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "5"));
    assert!(refused.text.contains("You are sending two files already."), "{}", refused.text);
    let page = [("cookie", ann.as_str()), ("content-type", FORM), OURS, HTML];
    let page = world.send("POST", "/trips", &page, &form(&[], Some(&gpx(20)))).await;
    assert_eq!((page.status.as_u16(), page.header("retry-after")), (429, "5"));
    assert_eq!(send(&world, &bob, &[], &gpx(20)).await.status, 202, "it is not bob's fault");
    for sender in slow {
        match sender.is_finished() {
            true => assert_eq!(sender.await.unwrap(), 429),
            false => {
                sender.abort();
                assert!(sender.await.unwrap_err().is_cancelled());
            }
        }
    }
    assert_eq!(send(&world, &ann, &[], &gpx(20)).await.status, 202, "who gave up is gone");
}

#[tokio::test]
async fn who_may_send_files() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let (path, body) = ("/api/trips/gpx-upload", form(&[], Some(&gpx(20))));
    let content = ("content-type", FORM);
    for headers in [&[content][..], &[content, ("authorization", "Bearer rw")]] {
        assert_eq!(world.send("POST", path, headers, &body).await.status, 401);
    }
    let foreign = [content, ("cookie", cookie.as_str()), ("origin", "https://evil.example")];
    assert_eq!(world.send("POST", path, &foreign, &body).await.status, 403);
    let plain = [("cookie", cookie.as_str()), OURS, ("content-type", "application/gpx+xml")];
    assert_eq!(world.send("POST", path, &plain, &gpx(20)).await.status, 415);
    let torn = [("cookie", cookie.as_str()), OURS, content];
    assert_eq!(world.send("POST", path, &torn, &body[..body.len() / 2]).await.status, 400);
    assert_eq!(world.send("GET", path, &torn, "").await.status, 405);
}

#[tokio::test]
async fn the_form_of_the_trips_page() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let page = world.send("GET", "/trips", &[("cookie", &cookie), HTML], "").await.text;
    let field = |name: &str| page.contains(&format!("name=\"{name}\""));
    assert!(
        page.contains("enctype=\"multipart/form-data\"") && ["gpxFile", "title", "startDate"].into_iter().all(field)
    );
    let csrf = page.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let headers = [("cookie", cookie.as_str()), ("content-type", FORM), OURS, HTML];
    let fields = [("csrf", csrf), ("title", "By hand"), ("startDate", ""), ("maxDistancePerDay", "80")];
    let made = world.send("POST", "/trips", &headers, &form(&fields, Some(&gpx(100)))).await;
    assert_eq!(made.status, 303, "{}", made.text);
    let trip = world.send("GET", made.header("location"), &[("cookie", &cookie), HTML], "").await;
    assert!(trip.status == 200 && trip.text.contains("By hand") && trip.text.contains("2 days"), "{}", trip.text);

    for csrf in [&[][..], &[("csrf", "x")]] {
        let forged = world.send("POST", "/trips", &headers, &form(csrf, Some(&gpx(100)))).await;
        assert_eq!(forged.status, 403);
    }
    let refused = world.send("POST", "/trips", &headers, &form(&fields[..1], Some("<gpx/>"))).await;
    assert!(refused.status == 422 && refused.text.contains("fewer than two different points"), "{}", refused.text);
    let nothing = world.send("POST", "/trips", &headers, &form(&fields[..1], Some(""))).await;
    assert_eq!(nothing.status, 400);
    let out = world.send("POST", "/trips", &headers[1..], &form(&fields, Some(&gpx(100)))).await;
    assert_eq!((out.status.as_u16(), out.header("location")), (303, "/login"));
}
