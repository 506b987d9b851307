//! The OAuth endpoints over HTTP: from discovery to a tool call, and what must not work.

use btp_oauth::store::{Client, GrantStore};
use http::StatusCode;
use serde_json::json;

use crate::world::{BASE, Reply, World};

const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const HTML: (&str, &str) = ("accept", "text/html,application/xhtml+xml");
const OURS: (&str, &str) = ("origin", BASE);

async fn world() -> World {
    let world = World::new().await;
    let client = Client {
        id: "agent".into(),
        name: "<b>Agent</b>".to_owned(),
        redirect_uris: vec!["http://127.0.0.1/callback".to_owned()],
        disabled: false,
        created_at: btp_kernel::Timestamp::from_seconds(0),
        document: None,
    };
    world.grants.put_client(&client).await.unwrap();
    world
}

fn query(state: &str) -> String {
    format!(
        "response_type=code&client_id=agent&redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fcallback&scope=trips%3Aread\
         &state={state}&code_challenge={CHALLENGE}&code_challenge_method=S256&resource=https%3A%2F%2Fwww.example.org%2Fmcp"
    )
}

async fn authorize(world: &World, cookie: &str, query: &str) -> Reply {
    world.send("GET", &format!("/oauth/authorize?{query}"), &[("cookie", cookie), HTML], "").await
}

/// The hidden field of the page's own form.
fn csrf(page: &str) -> &str {
    page.rsplit("name=\"csrf\" value=\"").next().unwrap().split('"').next().unwrap()
}

/// Parks a request and opens its consent page: the page's address and text.
async fn asked(world: &World, cookie: &str, state: &str) -> (String, String) {
    let parked = authorize(world, cookie, &query(state)).await;
    assert_eq!(parked.status, StatusCode::SEE_OTHER);
    let address = parked.header("location").to_owned();
    let page = world.send("GET", &address, &[("cookie", cookie), HTML], "").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    (address, page.text)
}

async fn answered(world: &World, cookie: &str, address: &str, form: &str) -> Reply {
    world.send("POST", address, &[("cookie", cookie), FORM, OURS, HTML], form).await
}

#[tokio::test]
async fn from_discovery_to_a_tool_call() {
    let world = world().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let (address, page) = asked(&world, &cookie, "s%26%20x").await;
    let answer = answered(&world, &cookie, &address, &format!("csrf={}&decision=authorize", csrf(&page))).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let back = world.send("GET", answer.header("location"), &[("cookie", &cookie), HTML], "").await;
    assert_eq!((back.status, back.header("cache-control")), (StatusCode::SEE_OTHER, "no-store"));
    assert_eq!(back.header("referrer-policy"), "no-referrer");
    let location = back.header("location");
    assert!(location.starts_with("http://127.0.0.1:4711/callback?code=btc_"), "{location}");
    assert!(location.ends_with("&state=s%26+x&iss=https%3A%2F%2Fwww.example.org"), "{location}");
    let code = location.split("code=").nth(1).unwrap().split('&').next().unwrap();

    let form = format!(
        "grant_type=authorization_code&client_id=agent&code={code}&code_verifier={VERIFIER}&redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fcallback"
    );
    let tokens = world.send("POST", "/oauth/token", &[FORM, ("origin", "https://any.example")], &form).await;
    assert_eq!((tokens.status, tokens.header("cache-control")), (StatusCode::OK, "no-store"));
    assert_eq!(tokens.header("access-control-allow-origin"), "*");
    assert_eq!(tokens.header("access-control-allow-credentials"), "");
    assert_eq!(tokens.json()["scope"], "trips:read");
    let access = tokens.json()["access_token"].as_str().unwrap().to_owned();
    let list = world.call_as(&access, "list_trips", &json!({})).await;
    assert_eq!((list.status.as_u16(), &list.json()["result"]["structuredContent"]["totalItems"]), (200, &json!(0)));
    assert_eq!(world.call_as(&access, "delete_trip", &json!({"id": "x"})).await.code(), -32000, "not granted");
    let elsewhere = world.post_to("/tests/mcp", &access, &[], "{}").await;
    assert_eq!(elsewhere.status, 401, "a token is for one resource");
    let refresh = tokens.json()["refresh_token"].as_str().unwrap().to_owned();
    assert_eq!(world.call_as(&refresh, "list_trips", &json!({})).await.status, 401);

    let form = format!("client_id=agent&token={refresh}");
    assert_eq!(world.send("POST", "/oauth/revoke", &[FORM], &form).await.status, 200);
    assert_eq!(world.call_as(&access, "list_trips", &json!({})).await.status, 401, "revoked at once");
}

// oauth row: 3.1-16
// attack: 63, 65
#[tokio::test]
async fn the_consent_page_says_who_asks_and_is_no_place_for_markup_or_frames() {
    let world = world().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let (address, page) = asked(&world, &cookie, "1").await;
    for said in ["&#60;b&#62;Agent&#60;/b&#62;", "127.0.0.1:4711", ">agent<", "ann@example.org", "<li>Do</li>"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert!(page.contains("your own computer"), "the loopback warning");
    assert!(!page.contains("<script") && !page.contains("<style") && !page.contains(" style="));
    let reply = world.send("GET", &address, &[("cookie", &cookie), HTML], "").await;
    let policy = reply.header("content-security-policy");
    for directive in ["default-src 'none'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
        assert!(policy.contains(directive), "{policy}");
    }
    assert!(!policy.contains("unsafe"));
    assert_eq!((reply.header("x-frame-options"), reply.header("cache-control")), ("DENY", "no-store"));
    assert_eq!(reply.header("referrer-policy"), "no-referrer");
}

#[tokio::test]
async fn refusing_reaches_the_client() {
    let world = world().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let (address, page) = asked(&world, &cookie, "1").await;
    let answer = answered(&world, &cookie, &address, &format!("csrf={}&decision=refuse", csrf(&page))).await;
    let back = world.send("GET", answer.header("location"), &[("cookie", &cookie)], "").await;
    let location = back.header("location");
    assert!(location.starts_with("http://127.0.0.1:4711/callback?error=access_denied"), "{location}");
    assert!(location.ends_with("&state=1&iss=https%3A%2F%2Fwww.example.org"));
}

// attack: 58, 66
#[tokio::test]
async fn a_decision_needs_the_session_its_form_and_our_origin() {
    let world = world().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let (_, bob) = world.cookie("bob@example.org").await;
    let (address, page) = asked(&world, &cookie, "1").await;
    let (_, bobs_page) = asked(&world, &bob, "1").await;
    let good = format!("csrf={}&decision=authorize", csrf(&page));
    let bobs = format!("csrf={}&decision=authorize", csrf(&bobs_page));
    let post = async |headers: &[(&str, &str)], form: &str| {
        let mut all = vec![FORM, HTML];
        all.extend(headers);
        world.send("POST", &address, &all, form).await.status.as_u16()
    };
    let ann = ("cookie", cookie.as_str());
    assert_eq!(post(&[OURS], &good).await, 303, "signed out: to the sign-in page");
    assert_eq!(post(&[ann, OURS], "decision=authorize").await, 403, "no csrf field");
    assert_eq!(post(&[ann, OURS], "csrf=&decision=authorize").await, 403);
    assert_eq!(post(&[ann, OURS], &bobs).await, 403, "the field of another session");
    assert_eq!(post(&[ann, ("origin", "https://evil.example")], &good).await, 403);
    assert_eq!(post(&[ann, ("origin", "null")], &good).await, 403);
    assert_eq!(post(&[ann, ("origin", "null"), ("sec-fetch-site", "cross-site")], &good).await, 403);
    assert_eq!(post(&[ann, OURS, ("host", "evil.example")], &good).await, 403);
    assert_eq!(post(&[ann, OURS], &good.replace("authorize", "yes")).await, 400);
    assert_eq!(post(&[("cookie", &bob), OURS], &bobs).await, 404, "another account");
    assert_eq!(post(&[ann, ("origin", "null"), ("sec-fetch-site", "same-origin")], &good).await, 303, "our own page");
    assert_eq!(post(&[ann, OURS], &good).await, 404, "answered once");
}

// attack: 60
#[tokio::test]
async fn what_cannot_be_answered_looks_the_same() {
    let world = world().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let (_, bob) = world.cookie("bob@example.org").await;
    let (foreign, page) = asked(&world, &cookie, "1").await;
    let (answered_one, own) = asked(&world, &bob, "2").await;
    let field = csrf(&own);
    answered(&world, &bob, &answered_one, &format!("csrf={field}&decision=refuse")).await;
    let mut texts = Vec::new();
    for address in [foreign.as_str(), answered_one.as_str(), "/oauth/consent/guessed", "/oauth/consent/%ff"] {
        let shown = world.send("GET", address, &[("cookie", &bob), HTML], "").await;
        let sent = answered(&world, &bob, address, &format!("csrf={field}&decision=authorize")).await;
        assert_eq!((shown.status.as_u16(), sent.status.as_u16()), (404, 404), "{address}");
        texts.extend([shown.text, sent.text]);
    }
    texts.dedup();
    assert_eq!(texts.len(), 1);
    assert!(page.contains("ann@example.org"));
    let signed_out = world.send("GET", &foreign, &[HTML], "").await;
    assert_eq!((signed_out.status.as_u16(), signed_out.header("location")), (303, "/login"));
}

// oauth row: 3.1-1
// attack: 5, 49
#[tokio::test]
async fn signed_out_nothing_goes_to_a_client() {
    let world = world().await;
    let broken = query("1").replace("code_challenge", "nothing");
    for query in ["", &query("1"), &broken, "client_id=nobody"] {
        let reply = world.send("GET", &format!("/oauth/authorize?{query}"), &[HTML], "").await;
        assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/login"));
    }
    let token =
        world.send("GET", &format!("/oauth/authorize?{}", query("1")), &[("authorization", "Bearer rw")], "").await;
    assert_eq!(token.header("location"), "/login", "the session is the only credential");
}

// oauth row: 3.1-2, 3.1-17
#[tokio::test]
async fn refusals_are_pages_for_people_and_json_for_programs() {
    let world = world().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let ann = ("cookie", cookie.as_str());
    for (broken, error) in [
        (query("1").replace("client_id=agent", "client_id=nobody"), "invalid_client"),
        (query("1").replace("scope=trips%3Aread", "scope=openid"), "invalid_scope"),
        (query("1").replace("%2Fmcp", "%2Fmcp%2F"), "invalid_target"),
        (query("1").replace("4711%2Fcallback", "4711%2Fother"), "invalid_request"),
        (format!("{}&client_id=agent", query("1")), "invalid_request"),
    ] {
        let path = format!("/oauth/authorize?{broken}");
        let page = world.send("GET", &path, &[ann, HTML], "").await;
        assert_eq!((page.status.as_u16(), page.header("content-type")), (400, "text/html; charset=utf-8"), "{error}");
        assert_eq!((page.header("location"), page.header("cache-control")), ("", "no-store"));
        let program = world.send("GET", &path, &[ann], "").await;
        assert_eq!((program.status.as_u16(), &program.json()["error"]), (400, &json!(error)));
        assert!(program.json()["error_description"].is_string());
    }
    let french = world.send("GET", "/login", &[HTML, ("accept-language", "fr-FR,fr;q=0.9,en;q=0.8")], "").await;
    assert!(french.text.contains("<html lang=\"fr\">") && french.text.contains("Se connecter"));
}

// attack: 18, 85
#[tokio::test]
async fn too_many_requests_say_when_to_come_back() {
    let world = world().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    for round in 0..30 {
        assert_eq!(authorize(&world, &cookie, &query(&round.to_string())).await.status, 303);
    }
    let refused = authorize(&world, &cookie, &query("more")).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "300"));
    for _ in 0..60 {
        assert_eq!(world.send("POST", "/oauth/token", &[FORM], "").await.status, 400);
    }
    let refused = world.send("POST", "/oauth/token", &[FORM], "").await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "60"));
    assert_eq!((&refused.json()["error"], refused.header("cache-control")), (&json!("rate_limited"), "no-store"));
    let other = world.send_from("198.51.100.7", "POST", "/oauth/token", &[FORM], "").await;
    assert_eq!(other.status, 400, "counted by address");
}

// oauth row: 3.2-1, 3.2-2, 3.2-4, 3.2-14
// attack: 69, 89, 90
#[tokio::test]
async fn the_token_endpoint_takes_forms_of_public_clients_by_post() {
    let world = world().await;
    let got = world.send("GET", "/oauth/token?code=x", &[], "").await;
    assert_eq!((got.status.as_u16(), got.header("allow")), (405, "POST,OPTIONS"));
    for header in ["x-http-method-override", "x-http-method", "x-method-override"] {
        let overridden = world.send("GET", "/oauth/token?_method=POST", &[(header, "POST"), FORM], "").await;
        assert_eq!(overridden.status, 405, "{header}");
    }
    for kind in ["application/json", "text/plain", "multipart/form-data; boundary=x", ""] {
        let reply = world.send("POST", "/oauth/token", &[("content-type", kind)], "grant_type=refresh_token").await;
        assert_eq!((reply.status.as_u16(), &reply.json()["error"]), (400, &json!("invalid_request")), "{kind}");
    }
    let large = world.send("POST", "/oauth/token", &[FORM], &"x".repeat(70_000)).await;
    assert_eq!((large.status.as_u16(), &large.json()["error"]), (400, &json!("invalid_request")));
    let basic = ("authorization", "Basic YWdlbnQ6c2VjcmV0");
    let tried = world.send("POST", "/oauth/token", &[FORM, basic], "grant_type=refresh_token").await;
    assert_eq!((tried.status.as_u16(), &tried.json()["error"]), (401, &json!("invalid_client")));
    assert_eq!(tried.header("www-authenticate"), "Basic realm=\"oauth\"");
    for refusal in [large, tried] {
        assert_eq!((refusal.header("cache-control"), refusal.header("pragma")), ("no-store", "no-cache"));
    }
    let url = world.send("POST", "/oauth/token?grant_type=refresh_token&client_id=agent", &[FORM], "").await;
    assert_eq!(url.json()["error_description"], "The parameter grant_type is missing.");
    let preflight = [("origin", "https://any.example"), ("access-control-request-method", "POST")];
    let allowed = world.send("OPTIONS", "/oauth/token", &preflight, "").await;
    assert_eq!((allowed.status.as_u16(), allowed.header("access-control-allow-origin")), (204, "*"));
    let denied = world.send("OPTIONS", "/oauth/authorize", &preflight, "").await;
    assert_eq!(denied.header("access-control-allow-origin"), "", "no site may call what reads the cookie");
    assert!(denied.status.is_client_error());
}

// oauth row: 3.4-1, 3.4-3, 3.4-5
// attack: 66
#[tokio::test]
async fn discovery_for_everyone_from_our_address_only() {
    let world = world().await;
    let well_known = "/.well-known/oauth-protected-resource";
    let trips = json!({
        "resource": format!("{BASE}/mcp"),
        "authorization_servers": [BASE],
        "scopes_supported": ["trips:read", "trips:write"],
        "bearer_methods_supported": ["header"],
    });
    let odd: &[(&str, &str)] = &[("host", "127.0.0.1:8080"), ("x-forwarded-host", "evil"), ("origin", "https://evil")];
    for headers in [&[][..], odd] {
        for path in [well_known, &format!("{well_known}/mcp")] {
            let reply = world.send("GET", path, headers, "").await;
            assert_eq!((reply.status.as_u16(), reply.json()), (200, trips.clone()), "{path}");
            assert_eq!(reply.header("content-type"), "application/json");
            assert_eq!(reply.header("cache-control"), "public, max-age=3600");
            assert_eq!(reply.header("access-control-allow-origin"), "*");
        }
        let server = world.send("GET", "/.well-known/oauth-authorization-server", headers, "").await;
        assert_eq!(server.json()["issuer"], BASE);
        assert_eq!(server.json().as_object().unwrap().len(), 9);
    }
    let head = world.send("HEAD", well_known, &[], "").await;
    assert_eq!(
        (head.status.as_u16(), head.text.as_str(), head.header("cache-control")),
        (200, "", "public, max-age=3600")
    );
    let options = world.send("OPTIONS", well_known, &[("origin", "https://any.example")], "").await;
    assert_eq!((options.status.as_u16(), options.header("access-control-allow-origin")), (204, "*"));
    assert_eq!(world.send("POST", well_known, &[], "").await.status, 405);
    for path in [
        "/.well-known/oauth-protected-resource/other",
        "/.well-known/oauth-protected-resource/mcp/",
        "/.well-known/oauth-authorization-server/mcp",
        "/.well-known/openid-configuration",
        "/.well-known/nothing",
    ] {
        for headers in [&[HTML][..], odd] {
            let reply = world.send("GET", path, headers, "").await;
            assert_eq!((reply.status.as_u16(), reply.header("content-type")), (404, "application/json"), "{path}");
            assert_eq!(reply.header("access-control-allow-origin"), "*", "{path}");
        }
    }
    assert_eq!(world.authorization.issuer().as_str(), BASE);
}
