//! Shared trips: the page, the files, and links that lead nowhere.

use std::time::Duration;

use axum::body::Body;
use btp_domain::{CreateTrip, EditStages, Settings, StageEdit, TripId};
use btp_kernel::{Clock, UserId};
use http::{Request, StatusCode};
use tokio::time::timeout;
use tower::ServiceExt;

use crate::world::{BASE, HOST, Reply, World};

const HTML: (&str, &str) = ("accept", "text/html");
const FRENCH: (&str, &str) = ("accept-language", "fr-CH, en;q=0.5");

/// Where the trip is shared.
async fn shared(world: &World, user: &UserId, trip: &TripId) -> String {
    let link = world.planner.share_trip(&world.person(user), trip).await.unwrap();
    format!("/s/{}", link.code)
}

async fn get(world: &World, path: &str) -> Reply {
    world.send("GET", path, &[HTML], "").await
}

#[tokio::test]
async fn whoever_has_the_link_sees_the_trip_and_nothing_of_its_owner() {
    let world = World::new().await;
    let (ann, _) = world.cookie("ann@example.org").await;
    let trip = world.planned(&ann.id, "<i>Over</i> the hills").await;
    let path = shared(&world, &ann.id, &trip).await;
    let page = get(&world, &path).await;
    assert_eq!(page.status, 200);
    for said in [
        "<h1><bdi>&#60;i&#62;Over&#60;/i&#62; the hills</bdi></h1>",
        "2099-07-01 – 2099-07-05 · 5 days · 300.2 km",
        "<title id=\"map-name\">Map of the route</title>",
        "Lowest point 100 m, highest point 700 m.",
        "Route from <a href=\"https://www.komoot.com/tour/2026\"",
        &format!("href=\"{BASE}{path}.gpx\""),
        &format!("href=\"{BASE}{path}/2.fit\" aria-label=\"Day 2 FIT\""),
    ] {
        assert!(page.text.contains(said), "{said}: {}", page.text);
    }
    assert_eq!(page.text.matches("class=\"way c").count(), 5);
    assert_eq!(page.text.matches("class=\"ground c").count(), 5);
    assert!(!page.text.contains("ann@example.org") && !page.text.contains(trip.as_str()));
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'self'; img-src 'self'; "), "{policy}");
    for inline in ["<script", "<style", " style=", "<image", "xlink", "http-equiv"] {
        assert!(!page.text.contains(inline), "{inline}");
    }
    assert_eq!((page.header("cache-control"), page.header("x-robots-tag")), ("no-store", "noindex"));
    let french = world.send("GET", &path, &[HTML, FRENCH], "").await;
    assert!(french.text.contains("Carte du tracé") && french.text.contains("300,2 km"), "{}", french.text);
}

/// Time is paused and moves on by itself when nothing else can.
#[tokio::test(start_paused = true)]
async fn an_address_has_three_pages_or_files_at_a_time() {
    let world = World::new().await;
    let (ann, _) = world.cookie("ann@example.org").await;
    let trip = world.planned(&ann.id, "Over the hills").await;
    let path = shared(&world, &ann.id, &trip).await;
    let ask = |path: &str| {
        let request = Request::get(path).header("host", HOST).header("accept", "text/html");
        world.router.clone().oneshot(request.body(Body::empty()).unwrap())
    };
    let mut unread = Vec::new();
    for path in [&path, &format!("{path}.gpx"), &format!("{path}/2.fit")] {
        unread.push(ask(path).await.unwrap());
    }
    let fourth = timeout(Duration::from_secs(10), ask(&path));
    assert!(fourth.await.is_err(), "it waits for one of the three to be read");
    unread.pop();
    assert_eq!(ask(&path).await.unwrap().status(), 200);
}

#[tokio::test]
async fn files_of_the_trip_and_of_its_days() {
    let world = World::new().await;
    let (ann, _) = world.cookie("ann@example.org").await;
    let trip = world.planned(&ann.id, "Over the hills").await;
    let path = shared(&world, &ann.id, &trip).await;

    let gpx = get(&world, &format!("{path}.gpx")).await;
    assert_eq!((gpx.status, gpx.header("content-type")), (StatusCode::OK, "application/gpx+xml"));
    assert_eq!(gpx.header("content-disposition"), "attachment; filename*=UTF-8''Over-the-hills.gpx");
    assert_eq!(gpx.text, get(&world, &format!("{path}.gpx")).await.text, "the same file again");
    let whole = btp_formats::read_gpx(gpx.text.as_bytes()).unwrap().line;
    assert_eq!(whole.tracks.len(), 5, "a track a day");
    assert!((whole.length() - 300_232.2).abs() < 1.0, "{}", whole.length());

    let second = get(&world, &format!("{path}/2.gpx")).await;
    assert_eq!(second.header("content-disposition"), "attachment; filename*=UTF-8''Day-2.gpx");
    assert_eq!(btp_formats::read_gpx(second.text.as_bytes()).unwrap().line.tracks[..], whole.tracks[1..2]);
    assert!(second.text.contains("<desc>Over the hills. Route from Komoot: https://www.komoot.com/tour/2026</desc>"));

    for path in [format!("{path}.fit"), format!("{path}/2.fit")] {
        let fit = world.fetch(&path).await;
        assert_eq!((fit[0], &fit[8..12]), (14, &b".FIT"[..]), "{path}");
        assert_eq!(fit, world.fetch(&path).await, "the same file again");
    }
}

#[tokio::test]
async fn links_and_files_that_lead_nowhere() {
    let world = World::new().await;
    let (ann, _) = world.cookie("ann@example.org").await;
    let person = world.person(&ann.id);
    let [revoked, deleted, rested] = [
        world.planned(&ann.id, "Revoked").await,
        world.planned(&ann.id, "Deleted").await,
        world.planned(&ann.id, "Rested").await,
    ];
    let [revoked_path, deleted_path, path] = [
        shared(&world, &ann.id, &revoked).await,
        shared(&world, &ann.id, &deleted).await,
        shared(&world, &ann.id, &rested).await,
    ];
    assert!(world.stores.trips.unshare(&ann.id, &revoked, world.clock.now()).await.unwrap());
    assert!(world.stores.trips.delete(&ann.id, &deleted).await.unwrap());
    for ending in ["", ".gpx", ".fit", "/1.gpx", "/1.fit", "/1", "/x.gpx"] {
        let unknown = get(&world, &format!("/s/AAAAAAAA{ending}")).await;
        assert_eq!(unknown.status, 404);
        assert!(unknown.text.contains("This link leads nowhere"), "{}", unknown.text);
        for path in [&revoked_path, &deleted_path, "/s/%ff", "/s/.", "/s/AAAAAAAA%2f1"] {
            assert_eq!(get(&world, &format!("{path}{ending}")).await.text, unknown.text, "{path}{ending}");
        }
        world.pass(61);
    }

    let trip = world.planner.get_trip(&person, &rested).await.unwrap();
    let edit = StageEdit::RestDay { after: trip.stages[0].id.clone() };
    let edit = EditStages { trip: rested.clone(), version: Some(trip.version), edit };
    world.planner.edit_stages(&person, edit).await.unwrap();
    for (file, said) in [
        ("/2.gpx", "This is a rest day: there is nothing to ride."),
        ("/2.fit", "This is a rest day: there is nothing to ride."),
        ("/7.gpx", "This trip has no such day."),
        ("/0.fit", "This trip has no such day."),
        ("/-1.fit", "This trip has no such day."),
        ("/99999999999999999999.fit", "This trip has no such day."),
    ] {
        let reply = get(&world, &format!("{path}{file}")).await;
        assert_eq!(reply.status, 404, "{file}");
        assert!(reply.text.contains(said), "{file}: {}", reply.text);
        let program = world.send("GET", &format!("{path}{file}"), &[], "").await;
        assert_eq!(
            (&program.json()["error"], &program.json()["error_description"]),
            (&"not_found".into(), &said.into())
        );
    }
    let page = get(&world, &path).await;
    assert!(page.text.contains("Rest day") && !page.text.contains("/2.gpx"), "{}", page.text);
    assert_eq!(get(&world, &format!("{path}.gpx")).await.text.matches("<trk>").count(), 5);
}

#[tokio::test]
async fn a_trip_without_days_has_a_page_and_no_files() {
    let world = World::new().await;
    let (ann, _) = world.cookie("ann@example.org").await;
    let command = btp_domain::CreateTrip {
        source_url: "https://www.komoot.com/tour/1".to_owned(),
        title: None,
        settings: btp_domain::Settings::default(),
        key: None,
        arguments: String::new(),
    };
    let trip = world.planner.create_trip(&world.person(&ann.id), command).await.unwrap().trip;
    let path = shared(&world, &ann.id, &trip).await;
    let page = get(&world, &path).await;
    assert!(page.status == 200 && page.text.contains("still being computed") && !page.text.contains(".gpx"));
    let file = get(&world, &format!("{path}.gpx")).await;
    assert!(file.status == 404 && file.text.contains("nothing to take along yet"), "{}", file.text);
}

#[tokio::test]
async fn sixty_a_minute_from_one_address() {
    let world = World::new().await;
    for number in 0..60 {
        let path = ["/s/AAAAAAAA", "/s/AAAAAAAA.gpx", "/s/AAAAAAAA/1.fit"][number % 3];
        assert_eq!(get(&world, path).await.status, 404);
    }
    let limited = get(&world, "/s/AAAAAAAA").await;
    assert_eq!((limited.status.as_u16(), limited.header("retry-after")), (429, "60"));
    let other = world.send_from("203.0.113.10", "GET", "/s/AAAAAAAA", &[HTML], "").await;
    assert_eq!(other.status, 404);
    world.pass(60);
    assert_eq!(get(&world, "/s/AAAAAAAA").await.status, 404);
}

#[tokio::test]
async fn the_owner_sees_the_days_drawn_and_the_link() {
    let world = World::new().await;
    let (ann, cookie) = world.cookie("ann@example.org").await;
    let trip = world.planned(&ann.id, "Over the hills").await;
    let read = async || world.send("GET", &format!("/trips/{trip}"), &[HTML, ("cookie", &cookie)], "").await;
    let private = read().await;
    assert!(private.text.contains("This trip is not shared.") && !private.text.contains("/s/"), "{}", private.text);
    assert!(private.text.contains("class=\"way c") && private.text.contains("class=\"ground c"));
    let path = shared(&world, &ann.id, &trip).await;
    let public = read().await;
    assert!(public.text.contains(&format!("<a href=\"{BASE}{path}\">")), "{}", public.text);
    assert!(public.text.contains(&format!("{path}/5.gpx")) && !public.text.contains("This trip is not shared."));
}

#[tokio::test]
async fn why_a_route_could_not_be_had_is_told_its_owner_alone() {
    let world = World::new().await;
    let (ann, cookie) = world.cookie("ann@example.org").await;
    let command = CreateTrip {
        source_url: "https://www.komoot.com/tour/404".to_owned(),
        title: None,
        settings: Settings::default(),
        key: None,
        arguments: String::new(),
    };
    let trip = world.planner.create_trip(&world.person(&ann.id), command).await.unwrap().trip;
    world.work().await;
    let path = shared(&world, &ann.id, &trip).await;
    let own = world.send("GET", &format!("/trips/{trip}"), &[HTML, ("cookie", &cookie)], "").await;
    assert!(own.text.contains("There is no route."), "{}", own.text);
    let public = get(&world, &path).await;
    assert!(public.text.contains("The route of this trip could not be read."), "{}", public.text);
    assert!(!public.text.contains("There is no route."), "{}", public.text);
    let french = world.send("GET", &path, &[HTML, FRENCH], "").await;
    assert!(french.text.contains("n’a pas pu être lu."), "{}", french.text);
    let list = world.send("GET", "/trips", &[HTML, ("cookie", &cookie)], "").await;
    for page in [own, public, list] {
        assert!(!page.text.contains("0 days") && !page.text.contains("0.0 km"), "unknown is not zero: {}", page.text);
    }
    world.accounts.set_locale(&ann.id, btp_accounts::Locale::Fr).await.unwrap();
    let own = world.send("GET", &format!("/trips/{trip}"), &[HTML, ("cookie", &cookie)], "").await;
    assert!(own.text.contains("puis supprimez le voyage et créez-le à nouveau."), "{}", own.text);
}
