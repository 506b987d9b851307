//! Apps: signed in by a mailed link, at home on the API, strangers on the MCP endpoint; and what people take with them.

use std::time::Duration;

use btp_domain::{CreateTrip, Settings};
use btp_kernel::Principal;
use serde_json::{Value, json};

use crate::world::{BASE, Reply, World, request};

const JSON: (&str, &str) = ("content-type", "application/json");

async fn post(world: &World, path: &str, body: &Value) -> Reply {
    world.send("POST", path, &[JSON], &body.to_string()).await
}

async fn with_token(world: &World, method: &str, path: &str, token: &str) -> Reply {
    world.send(method, path, &[("authorization", &format!("Bearer {token}"))], "").await
}

fn tokens(reply: &Reply) -> (String, String) {
    assert_eq!((reply.status.as_u16(), reply.header("cache-control")), (200, "no-store"), "{}", reply.text);
    let text = |name: &str| reply.json()[name].as_str().unwrap().to_owned();
    (text("token"), text("refresh_token"))
}

/// Ann's app.
pub(crate) async fn app(world: &World) -> (String, String) {
    world.accounts.add("ann@example.org", btp_accounts::Locale::En).await.unwrap();
    let asked = post(world, "/api/auth/request-link", &json!({"email": "Ann@example.org"})).await;
    assert_eq!((asked.status.as_u16(), asked.json()), (202, json!({})));
    let letters = world.letters.take().await;
    let link = letters[0].link.as_ref().unwrap();
    let token = link.strip_prefix(BASE).unwrap().strip_prefix("/auth/verify?token=").unwrap();
    let signed = tokens(&post(world, "/api/auth/verify", &json!({"token": token})).await);
    let again = post(world, "/api/auth/verify", &json!({"token": token})).await;
    assert_eq!((again.status.as_u16(), again.header("content-type")), (401, "application/problem+json"));
    signed
}

// attack: 31, 32
#[tokio::test]
async fn an_app_is_at_home_on_the_api_and_nowhere_else() {
    let world = World::new().await;
    let (token, refresh) = app(&world).await;
    assert_eq!(with_token(&world, "GET", "/api/trips", &token).await.json(), json!({"total": 0, "trips": []}));
    for wrong in [&refresh, "rw", "", &token[1..]] {
        assert_eq!(with_token(&world, "GET", "/api/trips", wrong).await.status, 401, "{wrong}");
    }
    let cookie = format!("refresh_token={refresh}");
    let beside = [("authorization", "Bearer rw"), ("cookie", cookie.as_str())];
    assert_eq!(world.send("GET", "/api/trips", &beside, "").await.status, 401, "an agent's token beside a cookie");
    let list = request(1, "tools/list", &json!({})).to_string();
    for of_an_app in [&token, &refresh] {
        let reply = world.post(of_an_app, &[], &list).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["error"]), (401, &json!("invalid_token")));
    }
    assert_eq!(world.post("rw", &[], &list).await.status, 200);
}

#[tokio::test]
async fn tokens_change_and_end() {
    let world = World::new().await;
    let (token, refresh) = app(&world).await;
    world.clock.advance(Duration::from_secs(15 * 60));
    assert_eq!(with_token(&world, "GET", "/api/trips", &token).await.status, 401);
    let again = async |refresh: &str| post(&world, "/api/auth/refresh", &json!({"refresh_token": refresh})).await;
    let (token, second) = tokens(&again(&refresh).await);
    assert_ne!(second, refresh);
    assert_eq!(with_token(&world, "GET", "/api/trips", &token).await.status, 200);
    tokens(&again(&second).await);
    world.clock.advance(Duration::from_secs(30));
    assert_eq!(again(&refresh).await.status, 401, "a copy in other hands");
    assert_eq!(with_token(&world, "GET", "/api/trips", &token).await.status, 401, "ends the session at once");

    let link = world.accounts.sign_in_link("ann@example.org").await.unwrap().unwrap();
    let verify = json!({"token": link.rsplit_once('=').unwrap().1});
    let (token, refresh) = tokens(&post(&world, "/api/auth/verify", &verify).await);
    assert_eq!(with_token(&world, "POST", "/api/auth/logout", &token).await.status, 204);
    assert_eq!(with_token(&world, "POST", "/api/auth/logout", &token).await.status, 401);
    assert_eq!(again(&refresh).await.status, 401);
}

#[tokio::test]
async fn what_cannot_be_read_is_a_problem() {
    let world = World::new().await;
    for (path, name) in [("request-link", "email"), ("verify", "token"), ("refresh", "refresh_token")] {
        let path = format!("/api/auth/{path}");
        let (missing, no_text) = (format!("\"{name}\" is missing."), format!("\"{name}\" must be a text."));
        let (no_json, no_object) = ("The body is no JSON.", "The body must be a JSON object.");
        for (kind, body, status, said) in [
            ("text/plain", "{}", 415, "Send JSON, and say so."),
            ("", "{}", 415, "Send JSON, and say so."),
            ("application/json", "", 400, no_json),
            ("application/json", "{", 400, no_json),
            ("application/json", "{} {}", 400, no_json),
            ("application/json", "\"\\ud800\"", 400, no_json),
            ("application/json", &"[".repeat(60_000), 400, no_json),
            ("application/json; charset=utf-8", "[\"text\"]", 400, no_object),
            ("application/json", "null", 400, no_object),
            ("application/json", "{}", 400, &missing),
            ("application/json", &json!({name: ["text"]}).to_string(), 400, &no_text),
            ("application/json", &json!({name: null}).to_string(), 400, &no_text),
            ("application/json", &"x".repeat(70_000), 413, "The body is too large."),
        ] {
            let reply = world.send("POST", &path, &[("content-type", kind)], body).await;
            assert_eq!(
                (reply.status.as_u16(), reply.header("content-type"), reply.json()["detail"].as_str()),
                (status, "application/problem+json", Some(said)),
                "{path} {}",
                &body[..body.len().min(40)]
            );
        }
        let foreign = world.send("POST", &path, &[JSON, ("origin", "https://evil.example")], "{}").await;
        assert_eq!(foreign.status, 403);
    }
    for email in ["eve@example.org", "nonsense", ""] {
        let asked = post(&world, "/api/auth/request-link", &json!({"email": email})).await;
        assert_eq!(
            (asked.status.as_u16(), asked.json()),
            (202, json!({})),
            "{email}: nothing tells who has an account"
        );
    }
    assert_eq!(world.letters.take().await, []);
    for _ in 0..17 {
        post(&world, "/api/auth/request-link", &json!({"email": "eve@example.org"})).await;
    }
    let refused = post(&world, "/api/auth/request-link", &json!({"email": "eve@example.org"})).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "900"));
}

#[tokio::test]
async fn a_person_takes_everything_along_and_no_secret() {
    let world = World::new().await;
    let (token, _) = app(&world).await;
    let user = world.accounts.list().await.unwrap().remove(0);
    let scopes = world.authorization.every_scope();
    let principal = Principal { user: user.id.clone(), client: Principal::PERSON.into(), scopes };
    let command = CreateTrip {
        source_url: "https://www.komoot.com/tour/1?share_token=s3cret".to_owned(),
        title: Some("Round the lake".to_owned()),
        settings: Settings::default(),
        key: None,
        arguments: "1".to_owned(),
    };
    world.planner.create_trip(&principal, command).await.unwrap();
    let export = with_token(&world, "GET", "/api/account/export", &token).await;
    assert_eq!((export.status.as_u16(), export.header("cache-control")), (200, "no-store"), "{}", export.text);
    assert!(export.header("content-disposition").starts_with("attachment; "));
    let export = export.json();
    assert_eq!(export["account"]["email"], "ann@example.org");
    assert_eq!((&export["trips"][0]["title"], &export["trips"][0]["days"]), (&json!("Round the lake"), &json!([])));
    assert_eq!(export["trips"][0]["pacing"]["maxDistancePerDay"], 80.0);
    assert_eq!(export["trips"][0]["sourceUrl"], "https://www.komoot.com/tour/1");
    assert_eq!(export["applications"], json!([]));
    assert!(!export.to_string().contains("s3cret"));
    let (_, cookie) = world.cookie("bob@example.org").await;
    let bobs = world.send("GET", "/api/account/export", &[("cookie", &cookie)], "").await.json();
    assert_eq!((&bobs["account"]["email"], &bobs["trips"]), (&json!("bob@example.org"), &json!([])));
    assert_eq!(world.send("GET", "/api/account/export", &[], "").await.status, 401);
    for _ in 0..2 {
        with_token(&world, "GET", "/api/account/export", &token).await;
    }
    let refused = with_token(&world, "GET", "/api/account/export", &token).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "3600"));
}
