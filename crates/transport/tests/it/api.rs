//! The REST API: the same planner for people, closed to agents.

use btp_kernel::{Principal, Scopes};
use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn a_person_reads_their_trips_and_an_agent_does_not() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let signed = ("cookie", cookie.as_str());
    let list = world.send("GET", "/api/trips", &[signed], "").await;
    assert_eq!((list.status.as_u16(), list.json()), (200, json!({"total": 0, "trips": []})));
    assert_eq!(list.header("cache-control"), "no-store");
    let agent = ("authorization", "Bearer rw");
    for headers in [&[][..], &[agent], &[agent, signed], &[("cookie", "refresh_token=dead")]] {
        for path in ["/api/trips", "/api/trips/x"] {
            let reply = world.send("GET", path, headers, "").await;
            assert_eq!((reply.status.as_u16(), reply.header("content-type")), (401, "application/problem+json"));
        }
    }
    let on_mcp = world.send("GET", "/mcp", &[signed], "").await;
    assert_eq!(on_mcp.status, 401, "a session is no token");
}

#[tokio::test]
async fn trips_of_others_do_not_exist() {
    let world = World::new().await;
    let (ann, cookie) = world.cookie("ann@example.org").await;
    let (_, other) = world.cookie("bob@example.org").await;
    let principal = Principal { user: ann.id, client: "agent".into(), scopes: Scopes::parse("trips:read trips:write") };
    let command = btp_domain::CreateTrip {
        source_url: "https://www.komoot.com/tour/1".to_owned(),
        title: Some("Round the lake".to_owned()),
        settings: btp_domain::Settings::default(),
        key: None,
        arguments: "1".to_owned(),
    };
    let id = world.planner.create_trip(&principal, command).await.unwrap().trip;
    let trip = world.send("GET", &format!("/api/trips/{id}"), &[("cookie", &cookie)], "").await.json();
    assert_eq!(
        (&trip["title"], &trip["computing"], &trip["days"]),
        (&json!("Round the lake"), &json!(true), &json!([]))
    );
    assert_eq!(trip["pacing"]["maxDistancePerDay"], 80.0);
    assert!(trip.get("@id").is_none(), "the words of agents are not those of apps");
    let list = world.send("GET", "/api/trips?title=LAKE&itemsPerPage=1", &[("cookie", &cookie)], "").await.json();
    assert_eq!((&list["total"], &list["trips"][0]["id"]), (&json!(1), &json!(id.as_str())));
    let foreign = world.send("GET", &format!("/api/trips/{id}"), &[("cookie", &other)], "").await;
    for unknown in ["x", "%ff", "%00"] {
        let unknown = world.send("GET", &format!("/api/trips/{unknown}"), &[("cookie", &other)], "").await;
        assert_eq!((foreign.status.as_u16(), &foreign.text), (404, &unknown.text));
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_a_problem() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    for query in ["page=0", "page=x", "itemsPerPage=31", "startDate=soon"] {
        let reply = world.send("GET", &format!("/api/trips?{query}"), &[("cookie", &cookie)], "").await;
        assert_eq!((reply.status.as_u16(), &reply.json()["status"]), (400, &json!(400)), "{query}");
    }
    let reply = world.send("GET", "/api/trips", &[("cookie", &cookie), ("host", "evil.org")], "").await;
    assert_eq!(reply.status, 403);
    let reply = world.send("POST", "/api/trips", &[("cookie", &cookie), ("origin", "https://evil.org")], "").await;
    assert_eq!(reply.status, 403);
    let reply = world.send("POST", "/api/trips", &[("cookie", &cookie)], "").await;
    assert_eq!(reply.status, 405);
}
