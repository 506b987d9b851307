//! A client may hold the body of a request back: what has ended by the time it comes does nothing any more.

use std::{convert::Infallible, time::Duration};

use axum::body::Body;
use btp_kernel::{Clock, secret};
use btp_oauth::store::{Client, Code, GrantStore};
use futures_util::stream;
use serde_json::json;

use crate::world::{BASE, FORM, HTML, OURS, World, request};

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
