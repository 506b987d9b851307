//! Every route and every tool against every credential. One that has no line here fails: whoever adds it says who may.

use std::collections::{BTreeMap, BTreeSet};

use btp_kernel::UserId;
use btp_transport::ROUTES;
use serde_json::{Value, json};

use crate::world::{BASE, Reply, World, call, modern, request};

/// What stands before a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Door {
    /// Nothing: credentials change nothing.
    Open,
    /// Nothing, and nothing in the header: public clients name themselves in the form.
    Client,
    /// Our own host and origin; no session.
    Site,
    /// A session, else the sign-in page.
    Page,
    /// A session and nothing beside it, else 401.
    Api,
}
use Door::{Api, Client, Open, Page, Site};

const DOORS: &[(&str, &str, Door)] = &[
    ("GET", "/.well-known/oauth-protected-resource", Open),
    ("GET", "/.well-known/{*document}", Open),
    ("GET", "/.well-known/oauth-authorization-server", Open),
    ("GET", "/oauth/authorize", Page),
    ("POST", "/oauth/token", Client),
    ("POST", "/oauth/revoke", Client),
    ("GET", "/oauth/consent/{handle}", Page),
    ("POST", "/oauth/consent/{handle}", Page),
    ("GET", "/login", Site),
    ("POST", "/login", Site),
    ("GET", "/auth/verify", Site),
    ("POST", "/auth/verify", Site),
    ("POST", "/auth/logout", Site),
    ("GET", "/", Page),
    ("GET", "/style.css", Site),
    ("GET", "/account", Page),
    ("POST", "/account/applications/revoke", Page),
    ("POST", "/account/language", Page),
    ("GET", "/account/email", Page),
    ("POST", "/account/email", Page),
    ("POST", "/account/email/confirm", Page),
    ("GET", "/account/delete", Page),
    ("POST", "/account/delete", Page),
    ("GET", "/trips", Page),
    ("POST", "/trips", Page),
    ("GET", "/trips/{id}", Page),
    ("GET", "/s/{code}", Site),
    ("GET", "/s/{code}/{day}", Site),
    ("POST", "/api/auth/request-link", Site),
    ("POST", "/api/auth/verify", Site),
    ("POST", "/api/auth/refresh", Site),
    ("POST", "/api/auth/logout", Api),
    ("GET", "/api/account/export", Api),
    ("GET", "/api/trips", Api),
    ("POST", "/api/trips/gpx-upload", Api),
    ("GET", "/api/trips/{id}", Api),
    ("GET", "/contexts/{type}", Open),
    ("GET", "/healthz", Open),
    ("GET", "/readyz", Open),
];

/// Each tool with its scope and arguments about the trip `TRIP`, none when it is about no trip in particular.
const TOOLS: &[(&str, &str, &str)] = &[
    ("list_trips", "trips:read", ""),
    ("get_trip", "trips:read", r#"{"id":"TRIP"}"#),
    ("get_stage", "trips:read", r#"{"tripId":"TRIP","stageId":"x"}"#),
    ("search_places", "trips:read", ""),
    ("create_trip", "trips:write", ""),
    ("update_trip_settings", "trips:write", r#"{"id":"TRIP","version":1}"#),
    ("edit_stages", "trips:write", r#"{"tripId":"TRIP","version":1,"action":"delete","stageId":"x"}"#),
    ("add_waypoint", "trips:write", r#"{"tripId":"TRIP","stageId":"x","waypointLat":0,"waypointLon":0}"#),
    ("choose_accommodation", "trips:write", r#"{"tripId":"TRIP","version":1,"stageId":"x"}"#),
    ("analyze_trip", "trips:write", r#"{"id":"TRIP"}"#),
    ("share_trip", "trips:write", r#"{"tripId":"TRIP"}"#),
    ("unshare_trip", "trips:write", r#"{"tripId":"TRIP"}"#),
    ("delete_trip", "trips:write", r#"{"id":"TRIP"}"#),
];

const UNKNOWN: &str = "0198c0de-0000-7000-8000-000000000000";
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

fn address(path: &str, id: &str) -> String {
    path.replace("{*document}", "other").replace("{type}", "Trip").replace("{id}", id).replace(['{', '}'], "")
}

/// A trip of this person, as its id.
async fn trip_of(world: &World, user: UserId) -> String {
    let principal = btp_kernel::Principal { user, client: "agent".into(), scopes: world.authorization.every_scope() };
    let command = btp_domain::CreateTrip {
        source_url: "https://www.komoot.com/tour/1".to_owned(),
        title: None,
        settings: btp_domain::Settings::default(),
        key: None,
        arguments: String::new(),
    };
    world.planner.create_trip(&principal, command).await.unwrap().trip.to_string()
}

#[test]
fn every_route_has_its_line() {
    let lines: BTreeSet<_> = DOORS.iter().map(|(method, path, _)| (*method, *path)).collect();
    let routes: BTreeSet<_> = ROUTES.iter().map(|route| (route.method, route.path)).collect();
    assert_eq!(lines, routes);
}

#[tokio::test]
async fn every_route_against_every_credential() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let session = format!("Bearer {}", cookie.rsplit_once('=').unwrap().1);
    let agent = ("authorization", "Bearer rw");
    let (signed, dead) = (("cookie", cookie.as_str()), ("cookie", "refresh_token=bts_dead"));
    let knocks: [&[(&str, &str)]; 7] = [
        &[],
        &[dead],
        &[agent],
        &[("authorization", "Bearer t")],
        &[("authorization", &session)],
        &[agent, dead],
        &[signed, agent],
    ];
    for (method, path, door) in DOORS {
        let path = address(path, UNKNOWN);
        let mut bare = BTreeSet::new();
        for knock in knocks {
            let headers = [&[FORM, ("origin", BASE)], knock].concat();
            let reply = world.send(method, &path, &headers, "").await;
            let (status, to) = (reply.status.as_u16(), reply.header("location"));
            let turned_away = (status, to) == (303, "/login");
            let place = format!("{method} {path} with {knock:?}: {status} {to}");
            let has_session = knock.contains(&signed);
            match door {
                Open => assert!(![401, 403].contains(&status) && !turned_away, "{place}"),
                Client => assert_eq!(status == 401, knock.iter().any(|(name, _)| *name == "authorization"), "{place}"),
                Site => assert!(status != 401, "{place}"),
                Page => assert_eq!(turned_away, !has_session, "{place}"),
                Api => assert_eq!(status, 401, "{place}"),
            }
            if !has_session && *door != Client {
                bare.insert((status, to.to_owned()));
            }
        }
        assert!(bare.len() <= 1, "{method} {path}: without a session every knock is answered the same: {bare:?}");
        let foreign = world.send(method, &path, &[("host", "evil.example"), signed], "").await;
        let open = matches!(door, Open | Client);
        assert_eq!(foreign.status == 403, !open, "{method} {path} on a foreign host");
        if *method != "GET" {
            let foreign = world.send(method, &path, &[FORM, ("origin", "https://evil.example"), signed], "").await;
            assert_eq!(foreign.status == 403, !open, "{method} {path} from a foreign origin");
        }
    }
}

#[tokio::test]
async fn a_session_opens_its_own_trips_and_no_others() {
    let world = World::new().await;
    let (ann, own) = world.cookie("ann@example.org").await;
    let (_, other) = world.cookie("bob@example.org").await;
    let trip = trip_of(&world, ann.id).await;
    for (method, path, door) in DOORS.iter().filter(|(_, path, _)| path.contains("{id}")) {
        let ask = async |cookie: &str, id: &str| {
            let headers = [FORM, ("origin", BASE), ("cookie", cookie)];
            let reply = world.send(method, &address(path, id), &headers, "").await;
            (reply.status.as_u16(), reply.text)
        };
        let (status, foreign) = ask(&other, &trip).await;
        assert_eq!(status, 404, "{method} {path} {door:?}");
        assert_eq!((404, foreign), ask(&other, UNKNOWN).await, "{method} {path}: foreign and unknown are the same");
        assert_ne!(ask(&own, &trip).await.0, 404, "{method} {path}");
    }
}

#[tokio::test]
async fn every_tool_has_its_line() {
    let world = World::new().await;
    let list = request(1, "tools/list", &json!({})).to_string();
    let published = |reply: &Reply| -> Vec<String> {
        let tools = reply.json()["result"]["tools"].clone();
        tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    for (token, scopes) in [("rw", &["trips:read", "trips:write"][..]), ("r", &["trips:read"]), ("w", &["trips:write"])]
    {
        let lines: Vec<_> =
            TOOLS.iter().filter(|(_, scope, _)| scopes.contains(scope)).map(|(name, ..)| (*name).to_owned()).collect();
        let reply = world.post(token, &[], &list).await;
        assert_eq!(published(&reply), lines, "{token}: those it may call, in published order");
        assert_eq!(reply.text, world.post(token, &[], &list).await.text, "byte for byte the same");
    }
}

#[tokio::test]
async fn every_tool_against_every_credential() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let session = cookie.rsplit_once('=').unwrap().1.to_owned();
    let trip = trip_of(&world, "ann".into()).await;
    let about = |arguments: &str, trip: &str| -> Value {
        if arguments.is_empty() { json!({}) } else { serde_json::from_str(&arguments.replace("TRIP", trip)).unwrap() }
    };
    for (tool, scope, arguments) in TOOLS {
        world.clock.advance(std::time::Duration::from_secs(60));
        let body = call(1, tool, &about(arguments, &trip));
        for token in ["", "unknown", "t", &session] {
            let reply = world.post(token, &[], &body).await;
            assert_eq!((reply.status.as_u16(), &reply.json()["error"]), (401, &json!("invalid_token")), "{tool}");
            assert!(reply.header("www-authenticate").starts_with("Bearer resource_metadata="), "{tool}");
        }
        let narrow = if *scope == "trips:read" { "w" } else { "r" };
        let reply = world.post(narrow, &[], &body).await;
        let data = json!({"error": "insufficient_scope", "scope": scope});
        assert_eq!((reply.code(), &reply.json()["error"]["data"]), (-32000, &data), "{tool}");
        let named = world.modern(narrow, "tools/call", tool, json!({"name": tool})).await;
        assert_eq!((named.status.as_u16(), &named.json()["error"]), (403, &json!("insufficient_scope")), "{tool}");
        assert!(named.header("www-authenticate").contains(&format!("scope=\"{scope}\"")), "{tool}");
        if !arguments.is_empty() {
            let mut answers = BTreeMap::new();
            for id in [trip.as_str(), UNKNOWN, "x"] {
                let reply = world.call_as("bob", tool, &about(arguments, id)).await;
                answers.insert(reply.text, id);
            }
            let [(only, _)] = answers.iter().collect::<Vec<_>>()[..] else { panic!("{tool}: {answers:?}") };
            assert!(only.contains("\"message\":\"This trip does not exist.\""), "{tool}: {only}");
        }
    }
    let stateless = modern(1, "tools/list", json!({})).to_string();
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list")];
    assert_eq!(world.post("unknown", &headers, &stateless).await.status, 401, "the list is no exception");
}
