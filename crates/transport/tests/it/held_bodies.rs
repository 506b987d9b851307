//! A client may hold the body of a request back: what has ended by the time it comes does nothing any more.

use std::{convert::Infallible, time::Duration};

use axum::body::Body;
use btp_kernel::{Clock, secret};
use btp_oauth::store::{Client, Code, GrantStore};
use futures_util::stream;
use http::Request;
use serde_json::json;
use tower::ServiceExt;

use crate::{
    apps, uploads,
    world::{BASE, FORM, HOST, HTML, OURS, World, request},
};

/// Challenge and verifier of RFC 7636 appendix B.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const PEER: &str = "203.0.113.9";

/// A body that comes once something has happened.
fn after(happens: impl Future<Output = ()> + Send + 'static, body: String) -> Body {
    Body::from_stream(stream::once(async move {
        happens.await;
        Ok::<_, Infallible>(body)
    }))
}

// attack: 96
#[tokio::test]
async fn a_session_that_ended_does_nothing() {
    let world = World::new().await;
    for (number, (path, field)) in [
        ("/account/delete", "email=person0%40example.org"),
        ("/account/email", "email=eve%40example.org"),
        ("/account/language", "locale=fr"),
        ("/oauth/consent/x", "decision=authorize"),
    ]
    .into_iter()
    .enumerate()
    {
        let email = format!("person{number}@example.org");
        let (user, cookie) = world.cookie(&email).await;
        let page = world.send("GET", "/account", &[("cookie", &cookie), HTML], "").await.text;
        let csrf = page.rsplit("name=\"csrf\" value=\"").next().unwrap().split('"').next().unwrap();
        let (accounts, id) = (world.accounts.clone(), user.id.clone());
        let body = after(async move { accounts.sign_out(&id).await.unwrap() }, format!("csrf={csrf}&{field}"));
        let reply = world.send_from(PEER, "POST", path, &[("cookie", &cookie), FORM, OURS, HTML], body).await;
        assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/login"), "{path}");
        assert_eq!(world.accounts.user(&user.id).await.unwrap(), Some(user), "{path}");
        assert_eq!(world.letters.take().await, [], "{path}");
    }
}

// attack: 96
#[tokio::test]
async fn a_session_that_ended_adds_no_trip() {
    let world = World::new().await;
    let cases = ["/trips", "/api/trips/gpx-upload"].map(|path| [(path, false), (path, true)]).concat();
    for (number, (path, leaves)) in cases.into_iter().enumerate() {
        let email = format!("person{number}@example.org");
        let (user, cookie) = world.cookie(&email).await;
        let page = world.send("GET", "/trips", &[("cookie", &cookie), HTML], "").await.text;
        let csrf = page.rsplit("name=\"csrf\" value=\"").next().unwrap().split('"').next().unwrap();
        let fields = if path == "/trips" { &[("csrf", csrf)][..] } else { &[] };
        let (accounts, id) = (world.accounts.clone(), user.id.clone());
        let ends = async move {
            match leaves {
                true => assert!(accounts.delete(&email).await.unwrap()),
                false => accounts.sign_out(&id).await.unwrap(),
            }
        };
        let headers = [("cookie", cookie.as_str()), ("content-type", uploads::FORM), OURS, HTML];
        let body = after(ends, uploads::form(fields, Some(&uploads::gpx(20))));
        let reply = world.send_from(PEER, "POST", path, &headers, body).await;
        let status = if path == "/trips" { 303 } else { 401 };
        assert_eq!(reply.status, status, "{path} {}", reply.text);
        assert!(path != "/trips" || reply.header("location") == "/login");
        assert_eq!(world.planner.export_trips(&world.person(&user.id)).await.unwrap(), [], "{path}");
    }
}

// attack: 96
#[tokio::test]
async fn an_app_whose_session_ended_adds_no_trip() {
    let world = World::new().await;
    let (token, _) = apps::app(&world).await;
    let ann = world.accounts.list().await.unwrap().remove(0);
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str()), ("content-type", uploads::FORM)];
    let send = async |happens: Body| world.send_from(PEER, "POST", "/api/trips/gpx-upload", &headers, happens).await;
    let body = uploads::form(&[], Some(&uploads::gpx(20)));
    let (accounts, id) = (world.accounts.clone(), ann.id.clone());
    assert_eq!(send(after(async move { accounts.sign_out(&id).await.unwrap() }, body)).await.status, 401);
    assert_eq!(world.planner.export_trips(&world.person(&ann.id)).await.unwrap(), []);
}

/// The browser may have gone on to another token meanwhile: the one that the request began with is then nobody's to
/// present any more, and would end the session.
#[tokio::test]
async fn a_file_that_takes_long_ends_no_session() {
    let world = World::new().await;
    let (user, cookie) = world.cookie("ann@example.org").await;
    world.pass(2 * 3600);
    let (router, clock, before) = (world.router.clone(), world.clock.clone(), cookie.clone());
    let goes_on = async move {
        let visit = async |cookie: &str| {
            let request = Request::get("/trips").header("host", HOST).header("cookie", cookie);
            router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
        };
        let renewed = visit(&before).await.headers()["set-cookie"].to_str().unwrap().to_owned();
        assert_eq!(visit(renewed.split(';').next().unwrap()).await.status(), 200);
        clock.advance(Duration::from_secs(120));
    };
    let headers = [("cookie", cookie.as_str()), ("content-type", uploads::FORM), OURS];
    let body = after(goes_on, uploads::form(&[], Some(&uploads::gpx(20))));
    assert_eq!(world.send_from(PEER, "POST", "/api/trips/gpx-upload", &headers, body).await.status, 202);
    assert_eq!(world.planner.export_trips(&world.person(&user.id)).await.unwrap().len(), 1);
}

/// Time is paused and moves on by itself when nothing else can.
#[tokio::test(start_paused = true)]
async fn a_body_that_never_comes_is_answered_in_words() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let late = "The request did not arrive in time, or took too long. Try again.";
    for (path, content, accepted, told) in [
        (
            "/oauth/token",
            FORM,
            ("accept", "*/*"),
            format!("{{\"error\":\"timeout\",\"error_description\":\"{late}\"}}"),
        ),
        ("/login", FORM, HTML, "La demande n’est pas arrivée à temps".to_owned()),
        ("/trips", ("content-type", uploads::FORM), ("accept", "text/html"), "La demande n’est pas".to_owned()),
        ("/api/trips/gpx-upload", ("content-type", uploads::FORM), HTML, format!("\"detail\":\"{late}\"")),
        ("/api/auth/verify", ("content-type", "application/json"), HTML, format!("\"detail\":\"{late}\"")),
    ] {
        let headers = [("cookie", cookie.as_str()), ("accept-language", "fr"), content, accepted, OURS];
        let body = Body::from_stream(stream::pending::<Result<String, Infallible>>());
        let reply = world.send_from(PEER, "POST", path, &headers, body).await;
        assert_eq!(reply.status, 408, "{path}");
        assert!(reply.text.contains(&told), "{path}: {}", reply.text);
    }
}

// oauth row: 3.5-1
// attack: 96
#[tokio::test(start_paused = true)]
async fn a_token_that_was_revoked_calls_nothing() {
    let world = World::new().await;
    let ann = world.accounts.add("ann@example.org", btp_accounts::Locale::En).await.unwrap();
    let client = Client {
        id: "agent".into(),
        name: "An agent".to_owned(),
        redirect_uris: vec!["http://127.0.0.1/callback".to_owned()],
        disabled: false,
        created_at: world.clock.now(),
        document: None,
    };
    world.grants.put_client(&client).await.unwrap();
    let code = Code {
        digest: secret::digest("btc_code"),
        user: ann.id.clone(),
        client: client.id.clone(),
        resource: format!("{BASE}/mcp"),
        scopes: btp_kernel::Scopes::parse("trips:read"),
        redirect_uri: client.redirect_uris[0].clone(),
        challenge: CHALLENGE.to_owned(),
        expires: world.clock.now().plus(Duration::from_secs(60)),
        used: false,
        details: None,
    };
    btp_testkit::conformance::authorized(&*world.grants, &code).await;
    let form = format!("grant_type=authorization_code&client_id=agent&code=btc_code&code_verifier={VERIFIER}");
    let tokens = world.send("POST", "/oauth/token", &[FORM], &form).await.json();
    let bearer = format!("Bearer {}", tokens["access_token"].as_str().unwrap());
    let call = async |happens: Body| {
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        world.send_from(PEER, "POST", "/mcp", &headers, happens).await.status.as_u16()
    };
    let list = request(1, "tools/list", &json!({})).to_string();
    let wait = || tokio::time::sleep(Duration::from_secs(2));
    assert_eq!(call(after(wait(), list.clone())).await, 200, "slow is not wrong");
    let authorization = world.authorization.clone();
    let revoked = async move {
        wait().await;
        assert!(authorization.revoke_application(&ann.id, &client.id).await.unwrap());
    };
    assert_eq!(call(after(revoked, list)).await, 401);
}
