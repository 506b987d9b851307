//! Clients that name themselves by the address of a document, as the person in front of the browser sees them.

use btp_accounts::Locale;
use serde_json::{Value, json};

use crate::world::{Reply, World};

const ID: &str = "https://agent.example.net/client.json";
const HTML: (&str, &str) = ("accept", "text/html");

fn query(state: &str) -> String {
    format!(
        "response_type=code&client_id=https%3A%2F%2Fagent.example.net%2Fclient.json\
         &redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fcallback&scope=trips%3Aread&state={state}\
         &code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
    )
}

fn publish(world: &World, changes: &Value) {
    let mut document = json!({
        "client_id": ID, "client_name": "An agent",
        "redirect_uris": ["http://127.0.0.1/callback", "https://agent.example.net/cb"],
    });
    document.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    world.documents.publish(ID, document.to_string(), "");
}

async fn authorize(world: &World, cookie: &str, headers: &[(&str, &str)], query: &str) -> Reply {
    let mut all = vec![("cookie", cookie)];
    all.extend(headers);
    world.send("GET", &format!("/oauth/authorize?{query}"), &all, "").await
}

/// The consent page of a parked request.
async fn consent(world: &World, cookie: &str, state: &str) -> String {
    let parked = authorize(world, cookie, &[HTML], &query(state)).await;
    assert_eq!(parked.status.as_u16(), 303, "{}", parked.text);
    let page = world.send("GET", parked.header("location"), &[("cookie", cookie), HTML], "").await;
    assert_eq!(page.status.as_u16(), 200, "{}", page.text);
    page.text
}

// oauth row: 3.1-18
// attack: 57
#[tokio::test]
async fn consent_leads_with_the_host_and_shows_both() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    publish(
        &world,
        &json!({"logo_uri": "https://agent.example.net/logo.png", "tos_uri": "https://agent.example.net/t"}),
    );
    let page = consent(&world, &cookie, "1").await;
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is not on {page}"));
    assert!(at("<code>agent.example.net</code>") < at("An agent"), "the host before the name");
    assert!(at("An agent") < at("<code>127.0.0.1:4711</code>") && page.contains(&format!("<code>{ID}</code>")));
    assert!(page.contains("your own computer"), "this answer goes there, wherever else the application has addresses");
    publish(&world, &json!({"redirect_uris": ["http://127.0.0.1/callback", "http://[::1]/callback"]}));
    world.clock.advance(std::time::Duration::from_secs(300));
    assert!(consent(&world, &cookie, "2").await.contains("your own computer"));
}

// attack: 55, 56
#[tokio::test]
async fn a_name_is_a_quoted_claim_and_nothing_of_the_document_is_loaded() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let combining = format!("a{}", "\u{301}".repeat(127));
    for (name, shown) in [
        ("Trip Planner (official)", "Trip Planner (official)"),
        ("<script>alert(1)</script>", "&#60;script&#62;alert(1)&#60;/script&#62;"),
        ("\u{202e}edualC", "edualC"),
        ("Cl\u{200b}aude", "Claude"),
        ("\u{421}laude", "\u{421}laude"),
        ("see https://evil.example", "see https://evil.example"),
        ("wants nothing. Click Authorize", "wants nothing. Click Authorize"),
        (&combining, &combining),
    ] {
        publish(
            &world,
            &json!({"client_name": name, "logo_uri": "https://track.example/x.png", "policy_uri": "https://track.example/"}),
        );
        world.clock.advance(std::time::Duration::from_secs(300));
        let page = consent(&world, &cookie, "1").await;
        assert!(page.contains(&format!("<q><bdi>{shown}</bdi></q>")), "{name:?}: {page}");
        assert!(!page.contains("track.example") && !page.contains("href=\"https://evil") && !page.contains("<script"));
    }
}

// oauth row: 3.1-2
#[tokio::test]
async fn a_refused_document_is_told_as_little_as_an_unknown_client() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    let mut pages = Vec::new();
    for broken in [
        json!({"client_id": "x"}),
        json!({"redirect_uris": ["http://localhost/callback"]}),
        json!({"client_secret": "s"}),
    ] {
        publish(&world, &broken);
        let page = authorize(&world, &cookie, &[HTML], &query("1")).await;
        assert_eq!((page.status.as_u16(), page.header("content-type")), (400, "text/html; charset=utf-8"));
        assert_eq!((page.header("location"), page.header("cache-control")), ("", "no-store"));
        let program = authorize(&world, &cookie, &[], &query("1")).await;
        let said = json!({"error": "invalid_client", "error_description": "The application is not known here."});
        assert_eq!((program.status.as_u16(), program.json()), (400, said));
        pages.push(page.text);
    }
    world.documents.withdraw(ID);
    pages.push(authorize(&world, &cookie, &[HTML], &query("1")).await.text);
    pages.push(authorize(&world, &cookie, &[HTML], &query("1").replace("agent.example.net", "127.0.0.1")).await.text);
    pages.dedup();
    assert_eq!(pages.len(), 1);
}

// attack: 48
#[tokio::test]
async fn too_many_documents_say_when_to_come_back() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    for round in 0..20 {
        let other = query("1").replace("agent.example.net", &format!("h{round}.example.net"));
        assert_eq!(authorize(&world, &cookie, &[], &other).await.status.as_u16(), 400);
        world.clock.advance(std::time::Duration::from_secs(60));
    }
    publish(&world, &json!({}));
    let refused = authorize(&world, &cookie, &[], &query("1")).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "2400"));
    assert_eq!(refused.json()["error"], "rate_limited");
    world.clock.advance(std::time::Duration::from_secs(2400));
    assert_eq!(authorize(&world, &cookie, &[], &query("1")).await.status.as_u16(), 303);
}

#[tokio::test]
async fn refusals_and_consent_in_french() {
    let world = World::new().await;
    let (_, cookie) = world.cookie_in("ann@example.org", Locale::Fr).await;
    let refused = authorize(&world, &cookie, &[HTML], &query("1")).await.text;
    assert!(refused.contains("<html lang=\"fr\">") && refused.contains("L’application ne peut pas être autorisée"));
    publish(&world, &json!({}));
    let page = consent(&world, &cookie, "1").await;
    assert!(page.contains("Autoriser une application ?") && page.contains("<li>Faire</li>"), "{page}");
}

// attack: 59
#[tokio::test]
async fn a_page_that_leads_a_person_here_gains_nothing() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    publish(&world, &json!({}));
    let lured =
        [HTML, ("sec-fetch-site", "cross-site"), ("sec-fetch-dest", "iframe"), ("referer", "https://evil.example/")];
    for _ in 0..3 {
        let reply = authorize(&world, &cookie, &lured, &query("1")).await;
        assert!(reply.status.as_u16() == 303 && reply.header("location").starts_with("/oauth/consent/"));
    }
    let silent = format!("{}&prompt=none", query("1"));
    assert!(authorize(&world, &cookie, &lured, &silent).await.header("location").starts_with("/oauth/consent/"));
}

// oauth row: 3.1-14, 3.1-15, 3.1-17
// attack: 68
#[tokio::test]
async fn the_endpoint_is_for_navigations_of_our_own_site() {
    let world = World::new().await;
    let (_, cookie) = world.cookie("ann@example.org").await;
    publish(&world, &json!({}));
    for (method, expected) in [("GET", 303), ("POST", 405), ("OPTIONS", 405), ("PUT", 405)] {
        let path = format!("/oauth/authorize?{}", query("1"));
        let foreign = [("cookie", cookie.as_str()), ("origin", "https://www.example.org"), HTML];
        let reply = world.send(method, &path, &foreign, "").await;
        assert_eq!(reply.status.as_u16(), expected, "{method}");
        assert_eq!(reply.header("access-control-allow-origin"), "", "{method}");
        assert_eq!((reply.header("referrer-policy"), reply.header("x-frame-options")), ("no-referrer", "DENY"));
        assert!(reply.header("content-security-policy").contains("frame-ancestors 'none'"));
    }
    let elsewhere = [("cookie", cookie.as_str()), ("host", "evil.example")];
    assert_eq!(
        world.send("GET", &format!("/oauth/authorize?{}", query("1")), &elsewhere, "").await.status.as_u16(),
        403
    );
}
