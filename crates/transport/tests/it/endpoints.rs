//! Health, contexts, and addresses where there is nothing.

use btp_transport::{ROUTES, Who};
use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn health_is_told_to_any_host() {
    let world = World::new().await;
    let foreign = [("host", "10.0.0.5"), ("origin", "https://evil.org")];
    let alive = world.send("GET", "/healthz", &foreign, "").await;
    assert_eq!((alive.status.as_u16(), alive.json()), (200, json!({"status": "ok"})));
    let ready = world.send("GET", "/readyz", &foreign, "").await;
    assert_eq!((ready.status.as_u16(), ready.json()), (200, json!({"status": "ready", "checks": {"database": "ok"}})));
}

#[tokio::test]
async fn contexts_are_for_everyone() {
    let world = World::new().await;
    let reply = world.send("GET", "/contexts/Trip", &[("host", "10.0.0.5")], "").await;
    assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "application/ld+json"));
    assert_eq!(
        (reply.header("access-control-allow-origin"), &reply.json()["@context"]["@version"]),
        ("*", &json!(1.1))
    );
    for nothing in ["/contexts/Nothing", "/contexts/%ff"] {
        assert_eq!(world.send("GET", nothing, &[], "").await.json()["error"], "not_found", "{nothing}");
    }
}

#[tokio::test]
async fn nothing_is_a_json_404() {
    let world = World::new().await;
    for path in ["/.well-known/openid-configuration", "/.well-known/mcp.json", "/api/nothing", "/nothing", "/mcp/x"] {
        let reply = world.send("GET", path, &[], "").await;
        assert_eq!((reply.status.as_u16(), reply.header("content-type")), (404, "application/json"), "{path}");
        assert_eq!(reply.json()["error"], "not_found");
    }
}

#[tokio::test]
async fn every_answer_has_the_careful_headers() {
    let world = World::new().await;
    for path in ["/healthz", "/nothing", "/mcp", "/api/trips"] {
        let reply = world.send("GET", path, &[], "").await;
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(reply.header("referrer-policy"), "no-referrer", "{path}");
        assert!(reply.header("content-security-policy").contains("frame-ancestors 'none'"), "{path}");
        assert!(reply.header("strict-transport-security").starts_with("max-age="), "{path}");
    }
    assert_eq!(world.send("GET", "/mcp", &[], "").await.header("cache-control"), "no-store");
}

#[tokio::test]
async fn the_table_of_routes_is_what_is_served() {
    let world = World::new().await;
    for route in ROUTES {
        let path = route.path.replace("{*document}", "other").replace("{type}", "Trip").replace(['{', '}'], "");
        let reply = world.send(route.method, &path, &[], "").await;
        let nothing = reply.text.contains("There is nothing at this address.");
        assert!(!nothing && reply.status != 405, "{} {}: {}", route.method, route.path, reply.status);
        let foreign = world.send(route.method, &path, &[("host", "evil.org")], "").await;
        assert_eq!(foreign.status == 403, route.who != Who::Anyone, "{} {}", route.method, route.path);
    }
}
