//! What other servers' users ran into, as decided for ours.

use std::collections::BTreeMap;

use btp_oauth::store::{Client, GrantStore};
use serde_json::json;

use crate::world::{BASE, MODERN, Reply, World, modern, request};

const METADATA: &str = "/.well-known/oauth-protected-resource";
const SERVER: &str = "/.well-known/oauth-authorization-server";

/// A server with one client and ann's session.
async fn signed_in() -> (World, String) {
    let world = World::new().await;
    let client = Client {
        id: "agent".into(),
        name: "Agent".to_owned(),
        redirect_uris: vec!["http://127.0.0.1/callback".to_owned()],
        disabled: false,
        document: None,
        created_at: btp_kernel::Timestamp::from_seconds(0),
    };
    world.grants.put_client(&client).await.unwrap();
    let (_, cookie) = world.cookie("ann@example.org").await;
    (world, cookie)
}

/// An authorization request with these parameters, already encoded, beside the usual ones.
async fn authorize(world: &World, cookie: &str, parameters: &str) -> Reply {
    let usual = "response_type=code&client_id=agent&redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fcallback&state=s\
                 &code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256";
    world.send("GET", &format!("/oauth/authorize?{usual}{parameters}"), &[("cookie", cookie)], "").await
}

fn refusal(reply: &Reply) -> (u16, String) {
    (reply.status.as_u16(), reply.json()["error"].as_str().unwrap_or_default().to_owned())
}

/// Clients append scopes of other servers, or send none.
#[tokio::test]
async fn o13_unknown_scopes_are_dropped_beside_known_ones() {
    let (world, cookie) = signed_in().await;
    for scope in ["trips%3Aread%20offline_access", "trips%3Aread+trips%3Aread", "openid%20trips%3Awrite%20email"] {
        let reply = authorize(&world, &cookie, &format!("&scope={scope}")).await;
        assert!(reply.header("location").starts_with("/oauth/consent/"), "{scope}: {}", reply.text);
    }
    let endless = format!("&scope={}", "x%20".repeat(1000));
    for scope in ["&scope=openid%20email%20profile", "&scope=TRIPS%3AREAD", "&scope=", "", &endless] {
        let reply = authorize(&world, &cookie, scope).await;
        assert_eq!(refusal(&reply), (400, "invalid_scope".to_owned()), "{scope}");
        assert_eq!(reply.header("location"), "", "nothing goes to the client");
    }
}

/// A token that `/mcp` would refuse is never minted, and the refusal names the value that is accepted.
#[tokio::test]
async fn o14_the_resource_is_compared_exactly() {
    let (world, cookie) = signed_in().await;
    for resource in ["", "&resource=https%3A%2F%2Fwww.example.org%2Fmcp"] {
        let reply = authorize(&world, &cookie, &format!("&scope=trips%3Aread{resource}")).await;
        assert!(reply.header("location").starts_with("/oauth/consent/"), "{resource}: {}", reply.text);
    }
    for resource in [
        "https%3A%2F%2Fwww.example.org%2Fmcp%2F",
        "https%3A%2F%2Fwww.example.org",
        "https%3A%2F%2Fwww.example.org%2F",
        "HTTPS%3A%2F%2FWWW.EXAMPLE.ORG%3A443%2Fmcp",
        "https%3A%2F%2Fwww.example.org%2Fmcp%23x",
        "https%3A%2F%2Fwww.example.org%2Fmcp%3Fa%3D1",
    ] {
        let reply = authorize(&world, &cookie, &format!("&scope=trips%3Aread&resource={resource}")).await;
        assert_eq!(refusal(&reply), (400, "invalid_target".to_owned()), "{resource}");
        assert!(reply.json()["error_description"].as_str().unwrap().contains(&format!("{BASE}/mcp")), "{}", reply.text);
    }
    let other = "&resource=https%3A%2F%2Fwww.example.org%2Fmcp&resource=https%3A%2F%2Fother.example%2Fmcp";
    let reply = authorize(&world, &cookie, &format!("&scope=trips%3Aread{other}")).await;
    assert_eq!(refusal(&reply), (400, "invalid_target".to_owned()), "ours beside another's");
}

/// Documents where clients look, in JSON, with our address and no other's; and no redirect on the endpoint.
#[tokio::test]
async fn o15_discovery_is_where_clients_look_and_names_our_address() {
    let world = World::new().await;
    let behind: &[(&str, &str)] = &[("host", "127.0.0.1:8080"), ("x-forwarded-host", "evil.example")];
    for path in [METADATA, "/.well-known/oauth-protected-resource/mcp", SERVER] {
        for headers in [&[][..], behind, &[("host", "")]] {
            let reply = world.send("GET", path, headers, "").await;
            assert_eq!((reply.status.as_u16(), reply.header("access-control-allow-origin")), (200, "*"), "{path}");
            assert!(reply.text.contains(BASE) && !reply.text.contains("evil") && !reply.text.contains("8080"));
        }
        assert_eq!(world.send("HEAD", path, &[], "").await.status, 200, "{path}");
        assert_eq!(world.send("OPTIONS", path, &[("origin", "https://a.example")], "").await.status, 204, "{path}");
    }
    for nothing in [
        "/.well-known/oauth-protected-resource/",
        "/.well-known/oauth-protected-resource/mcp/",
        "/.well-known/oauth-authorization-server/",
        "/.well-known/oauth-authorization-server/mcp",
        "/.well-known/openid-configuration",
        "/mcp/.well-known/openid-configuration",
    ] {
        let reply = world.send("GET", nothing, &[("accept", "text/html")], "").await;
        assert_eq!((reply.status.as_u16(), reply.header("content-type")), (404, "application/json"), "{nothing}");
    }
    let got = world.send("GET", "/mcp", &[("authorization", "Bearer r")], "").await;
    assert_eq!((got.status.as_u16(), got.header("allow")), (405, "POST"));
    let slash = world.send("POST", "/mcp/", &[("authorization", "Bearer r")], "{}").await;
    assert_eq!((slash.status.as_u16(), slash.header("location")), (404, ""), "no redirect on a POST");
}

/// One spelling of the issuer everywhere.
#[tokio::test]
async fn o16_the_issuer_is_one_text() {
    let (world, cookie) = signed_in().await;
    let resource = world.send("GET", METADATA, &[], "").await.json();
    let server = world.send("GET", SERVER, &[], "").await.json();
    assert_eq!((&resource["authorization_servers"], &server["issuer"]), (&json!([BASE]), &json!(BASE)));
    assert_eq!(server["authorization_response_iss_parameter_supported"], true);
    let smuggled = "&scope=trips%3Aread&iss=https%3A%2F%2Fevil.example";
    let parked = authorize(&world, &cookie, smuggled).await;
    let address = parked.header("location").to_owned();
    let page = world.send("GET", &address, &[("cookie", &cookie), ("accept", "text/html")], "").await;
    let csrf = page.text.rsplit("name=\"csrf\" value=\"").next().unwrap().split('"').next().unwrap();
    let form = format!("csrf={csrf}&decision=refuse");
    let headers =
        [("cookie", cookie.as_str()), ("content-type", "application/x-www-form-urlencoded"), ("origin", BASE)];
    let answer = world.send("POST", &address, &headers, &form).await;
    let back = world.send("GET", answer.header("location"), &[("cookie", &cookie)], "").await;
    let location = back.header("location");
    assert!(location.contains("error=access_denied") && location.ends_with("&iss=https%3A%2F%2Fwww.example.org"));
    assert!(!location.contains("evil"), "{location}");
}

/// A token that is missing or dead is 401, one that may not is 403; both name where to go on.
#[tokio::test]
async fn o19_the_challenges_say_what_to_do_next() {
    let world = World::new().await;
    for token in ["expired", ""] {
        let reply = world.modern(token, "tools/call", "delete_trip", json!({"name": "delete_trip"})).await;
        assert_eq!(reply.status.as_u16(), 401, "never 403 for a token that is no longer alive");
        let parts = challenge(reply.header("www-authenticate"));
        assert_eq!(parts["scope"], "trips:read trips:write");
        assert_eq!(parts["resource_metadata"], format!("{BASE}{METADATA}/mcp"));
        assert_eq!(parts.len(), 2);
    }
    let reply = world.modern("r", "tools/call", "delete_trip", json!({"name": "delete_trip"})).await;
    let parts = challenge(reply.header("www-authenticate"));
    assert_eq!((reply.status.as_u16(), parts["error"].as_str()), (403, "insufficient_scope"));
    assert_eq!((parts["scope"].as_str(), parts.len()), ("trips:write", 3));
    let stepped_up = world.modern("rw", "tools/call", "delete_trip", json!({"name": "delete_trip"})).await;
    assert_ne!(stepped_up.status.as_u16(), 403);
}

/// The parameters of a Bearer challenge, by the grammar of RFC 9110 §11.2 (quoted strings only).
fn challenge(header: &str) -> BTreeMap<String, String> {
    let mut rest = header.strip_prefix("Bearer ").unwrap();
    let mut parts = BTreeMap::new();
    loop {
        let (name, after) = rest.split_once("=\"").unwrap();
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)), "{name}");
        let (value, after) = after.split_once('"').unwrap();
        assert!(!value.contains('\\') && parts.insert(name.to_owned(), value.to_owned()).is_none());
        match after.strip_prefix(", ") {
            Some(more) => rest = more,
            None => break assert_eq!(after, ""),
        }
    }
    parts
}

/// Any `Accept`, any session id, any known revision; a restart costs a client nothing, for there is nothing to lose.
#[tokio::test]
async fn o20_a_client_is_answered_in_a_form_it_accepts() {
    let world = World::new().await;
    let old = request(1, "tools/list", &json!({})).to_string();
    let new = modern(1, "tools/list", json!({})).to_string();
    for (accept, kind) in [
        ("application/json, text/event-stream", "application/json"),
        ("text/event-stream, application/json", "application/json"),
        ("application/json", "application/json"),
        ("*/*", "application/json"),
        ("", "application/json"),
        ("text/event-stream", "text/event-stream"),
    ] {
        for (version, body) in
            [("", &old), ("2025-03-26", &old), ("2025-06-18", &old), ("2025-11-25", &old), (MODERN, &new)]
        {
            let method = if version == MODERN { "tools/list" } else { "" };
            let headers = [
                ("accept", accept),
                ("mcp-protocol-version", version),
                ("mcp-method", method),
                ("mcp-session-id", "dead"),
            ];
            let reply = world.post("r", &headers, body).await;
            assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, kind), "{accept} {version}");
            assert_eq!(reply.header("mcp-session-id"), "");
        }
    }
    for (version, body, code) in [(MODERN, &old, -32602), ("1999-01-01", &old, -32022), ("2025-11-25", &new, -32020)] {
        let headers = [("mcp-protocol-version", version), ("mcp-method", "tools/list")];
        let reply = world.post("r", &headers, body).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (400, code), "{version}: {}", reply.text);
    }
}

/// A page of an allowed origin may ask first, and read what it needs; no other may.
#[tokio::test]
async fn o21_browsers_ask_first() {
    let world = World::new().await;
    let asks = (
        "access-control-request-headers",
        "authorization,content-type,mcp-protocol-version,mcp-session-id,mcp-method,mcp-name,traceparent",
    );
    let post = ("access-control-request-method", "POST");
    for (origin, status) in
        [(BASE, 204), ("https://app.example.org", 204), ("https://evil.example", 403), ("null", 403)]
    {
        let reply = world.send("OPTIONS", "/mcp", &[("origin", origin), post, asks], "").await;
        assert_eq!(reply.status.as_u16(), status, "{origin}");
        let allowed = reply.header("access-control-allow-headers").to_ascii_lowercase();
        let all = asks.1.split(',').all(|name| allowed.split(", ").any(|said| said == name));
        assert_eq!((all, reply.header("access-control-allow-origin") == origin), (status == 204, status == 204));
    }
    let limited = World::with(BTreeMap::from([("mcp_envelope", (0, 60))]), &[]).await;
    let reply = limited.post("r", &[("origin", "https://app.example.org")], "{}").await;
    let exposed = reply.header("access-control-expose-headers");
    assert!(reply.status == 429 && exposed.contains("Retry-After") && exposed.contains("WWW-Authenticate"));
}

/// Forty people behind one address stay within the published envelope; those it refuses wait as long as they are told.
#[tokio::test]
async fn o25_the_envelope_slides_and_tells_the_wait_exactly() {
    let world = World::new().await;
    let list = request(1, "tools/list", &json!({})).to_string();
    let second = std::time::Duration::from_secs(1);
    for _ in 0..30 {
        for _ in 0..10 {
            assert_eq!(world.post("rw", &[], &list).await.status, 200);
        }
        world.clock.advance(second);
    }
    let reply = world.post("rw", &[], &list).await;
    assert_eq!((reply.status.as_u16(), reply.header("retry-after")), (429, "30"));
    let other = world.send_from("198.51.100.7", "GET", "/mcp", &[("x-forwarded-for", "203.0.113.9")], "").await;
    assert_eq!(other.status, 401, "what a stranger says of his address counts for nothing");
    for _ in 0..29 {
        world.clock.advance(second);
        assert_eq!(world.post("rw", &[], &list).await.status, 429);
    }
    world.clock.advance(second);
    for _ in 0..10 {
        assert_eq!(world.post("rw", &[], &list).await.status, 200, "as many as came in the second that went by");
    }
    assert_eq!(world.post("rw", &[], &list).await.header("retry-after"), "1", "no new window begins at once");
}
