//! Requests to the authorization endpoint: legal ones, those shown to the person, those sent back to the client.

use std::time::Duration;

use btp_oauth::{AuthorizeError, Next, Person, Policy, store::Decision};
use url::Url;

use crate::house::{BASE, CALLBACK, CHALLENGE, GEAR, House, TRIPS, changed, parameter, query, redemption, refreshing};

// oauth row: 3.1-11, 3.1-13
// attack: 11
#[tokio::test]
async fn the_person_authorizes() {
    let house = House::new().await;
    let location = house.answered("ann", &query(&[]), Decision::Authorize).await;
    assert!(location.as_str().starts_with("http://127.0.0.1:4711/callback?code=btc_"), "{location}");
    assert_eq!(parameter(&location, "state").as_deref(), Some("a&b%00é"), "the state as it was");
    assert_eq!(parameter(&location, "iss").as_deref(), Some(BASE));
    assert_eq!(parameter(&location, "error"), None);
}

#[tokio::test]
async fn the_person_refuses() {
    let house = House::new().await;
    let location = house.answered("ann", &query(&[]), Decision::Refuse).await;
    assert_eq!(parameter(&location, "error").as_deref(), Some("access_denied"));
    assert_eq!(parameter(&location, "state").as_deref(), Some("a&b%00é"));
    assert_eq!(parameter(&location, "iss").as_deref(), Some(BASE));
    assert_eq!(parameter(&location, "code"), None);
}

#[tokio::test]
async fn the_consent_page_shows_who_asks_for_what() {
    let house = House::new().await;
    let Next::Consent(handle) = house.authorize("ann", &query(&[("scope", "trips:write")])).await.unwrap() else {
        panic!("no consent")
    };
    let consent = house.server.consent(&"ann".into(), &handle).await.unwrap().unwrap();
    assert_eq!((consent.client.as_str(), consent.name.as_str()), ("agent", "The agent"));
    assert_eq!((consent.redirect_host.as_str(), consent.loopback), ("127.0.0.1:4711", true));
    assert_eq!(consent.scopes.iter().map(|words| words.en.as_str()).collect::<Vec<_>>(), ["Do trips:write"]);
    let web = query(&[("client_id", "web"), ("redirect_uri", "https://web.example.org/other")]);
    let Next::Consent(handle) = house.authorize("ann", &web).await.unwrap() else { panic!("no consent") };
    let consent = house.server.consent(&"ann".into(), &handle).await.unwrap().unwrap();
    assert_eq!((consent.redirect_host.as_str(), consent.loopback), ("web.example.org", false));
}

// attack: 60
#[tokio::test]
async fn an_answer_is_given_once_in_time_and_by_whom_it_was_asked() {
    let house = House::new().await;
    let (ann, bob) = ("ann".into(), "bob".into());
    let ask = async |state: &str| match house.authorize("ann", &query(&[("state", state)])).await.unwrap() {
        Next::Consent(handle) => handle,
        Next::Client(location) => panic!("answered: {location}"),
    };
    let decide = async |who, handle: &str| house.server.decide(who, handle, Decision::Authorize).await.unwrap();
    let one = ask("1").await;
    assert_eq!(ask("1").await, one, "the page may be loaded again");
    assert_eq!(decide(&bob, &one).await, None, "another account");
    assert_eq!(house.server.consent(&bob, &one).await.unwrap(), None);
    assert_eq!(decide(&ann, "guessed").await, None);
    assert!(decide(&ann, &one).await.is_some());
    assert_eq!(decide(&ann, &one).await, None, "twice");
    assert_eq!(house.server.consent(&ann, &one).await.unwrap(), None);
    let late = ask("2").await;
    house.clock.advance(Duration::from_secs(600));
    assert_eq!(decide(&ann, &late).await, None, "after ten minutes");
}

// oauth row: 3.1-19
// attack: 61, 62
#[tokio::test]
async fn a_recorded_answer_is_spent_once_and_only_by_the_same_request() {
    let house = House::new().await;
    let asked = query(&[]);
    let Next::Consent(handle) = house.authorize("ann", &asked).await.unwrap() else { panic!("no consent") };
    house.server.decide(&"ann".into(), &handle, Decision::Authorize).await.unwrap().unwrap();
    for other in [
        query(&[("state", "other")]),
        query(&[("scope", "trips:read")]),
        query(&[("redirect_uri", "http://127.0.0.1:4712/callback")]),
        query(&[("client_id", "other")]),
        format!("{asked}&more=1"),
    ] {
        assert!(matches!(house.authorize("ann", &other).await.unwrap(), Next::Consent(_)), "{other}");
    }
    assert!(matches!(house.authorize("bob", &asked).await.unwrap(), Next::Consent(_)), "accounts do not mix");
    assert!(matches!(house.authorize("ann", &asked).await.unwrap(), Next::Client(_)));
    assert!(matches!(house.authorize("ann", &asked).await.unwrap(), Next::Consent(_)), "and then asks anew");
}

// oauth row: 3.1-2, 3.1-4, 3.1-8, 3.1-9
// attack: 1, 6, 8, 9, 10
#[tokio::test]
async fn what_is_shown_to_the_person() {
    let house = House::new().await;
    house.client("off", &[CALLBACK]).await;
    btp_oauth::store::GrantStore::disable_client(&*house.grants, &"off".into(), btp_kernel::Timestamp::from_seconds(0))
        .await
        .unwrap();
    let twice = |name: &str, value: &str| format!("{}&{name}={value}", query(&[]));
    for (asked, code) in [
        (String::new(), "invalid_request"),
        (query(&[("client_id", "")]), "invalid_request"),
        (twice("client_id", "agent"), "invalid_request"),
        (query(&[("client_id", "nobody")]), "invalid_client"),
        (query(&[("client_id", "AGENT")]), "invalid_client"),
        (query(&[("client_id", "off")]), "invalid_client"),
        (query(&[("client_id", "https://never.example.org/client.json")]), "invalid_client"),
        (twice("redirect_uri", "x"), "invalid_request"),
        (query(&[("redirect_uri", "https://evil.example.org/")]), "invalid_request"),
        (query(&[("redirect_uri", "not an address")]), "invalid_request"),
        (query(&[("client_id", "web"), ("redirect_uri", "")]), "invalid_request"),
        (query(&[("resource", "https://www.example.org/mcp/")]), "invalid_target"),
        (query(&[("resource", "https://www.example.org")]), "invalid_target"),
        (query(&[("resource", "https://www.example.org/MCP")]), "invalid_target"),
        (query(&[("resource", "https://WWW.example.org/mcp")]), "invalid_target"),
        (query(&[("resource", "https://www.example.org:443/mcp")]), "invalid_target"),
        (query(&[("resource", "https://www.example.org/mcp#x")]), "invalid_target"),
        (twice("resource", "https%3A%2F%2Fevil.example.org%2F"), "invalid_target"),
        (twice("resource", "https%3A%2F%2Fwww.example.org%2Fgear"), "invalid_target"),
        (query(&[("scope", "")]), "invalid_scope"),
        (query(&[("scope", "   ")]), "invalid_scope"),
        (query(&[("scope", "openid offline_access")]), "invalid_scope"),
        (query(&[("scope", "TRIPS:READ")]), "invalid_scope"),
        (query(&[("scope", "gear:read")]), "invalid_scope"),
        (format!("{}&filler={}", query(&[]), "x".repeat(20_000)), "invalid_request"),
    ] {
        let refusal = house.authorize("ann", &asked).await;
        assert_eq!(refusal.as_ref().map_err(AuthorizeError::code), Err(code), "{asked}");
    }
    let refusal = house.authorize("ann", &query(&[("resource", "https://x.example")])).await.unwrap_err();
    assert_eq!(refusal.to_string(), format!("The resource must be {TRIPS} or {GEAR}."));
}

// oauth row: 3.1-5, 3.1-6, 3.1-7, 3.1-20
// attack: 15, 71, 91
#[tokio::test]
async fn what_is_sent_to_the_client() {
    let house = House::new().await;
    let twice = |name: &str| format!("{}&{name}=x", query(&[]));
    for (asked, code) in [
        (query(&[("response_type", "")]), "unsupported_response_type"),
        (query(&[("response_type", "token")]), "unsupported_response_type"),
        (query(&[("response_type", "code id_token")]), "unsupported_response_type"),
        (query(&[("code_challenge", "")]), "invalid_request"),
        (query(&[("code_challenge", "!!")]), "invalid_request"),
        (query(&[("code_challenge", &CHALLENGE[1..])]), "invalid_request"),
        (query(&[("code_challenge", &format!("{CHALLENGE}A"))]), "invalid_request"),
        (query(&[("code_challenge_method", "")]), "invalid_request"),
        (query(&[("code_challenge_method", "plain")]), "invalid_request"),
        (query(&[("code_challenge_method", "s256")]), "invalid_request"),
        (query(&[("request", "e30")]), "request_not_supported"),
        (query(&[("request_uri", "https://x.example")]), "request_uri_not_supported"),
        (query(&[("response_mode", "fragment")]), "invalid_request"),
        (twice("scope"), "invalid_request"),
        (twice("code_challenge"), "invalid_request"),
        (twice("code_challenge_method"), "invalid_request"),
        (twice("response_type"), "invalid_request"),
    ] {
        let Ok(Next::Client(location)) = house.authorize("ann", &asked).await else { panic!("not sent: {asked}") };
        let location: Url = location.parse().unwrap();
        assert!(location.as_str().starts_with(&format!("{CALLBACK}?")), "{location}");
        assert_eq!(parameter(&location, "error").as_deref(), Some(code), "{asked}");
        assert_eq!(parameter(&location, "iss").as_deref(), Some(BASE));
        assert_eq!(parameter(&location, "state").as_deref(), Some("a&b%00é"));
        let description = parameter(&location, "error_description").unwrap();
        assert!(description.bytes().all(|byte| matches!(byte, 0x20..=0x7e) && byte != b'"' && byte != b'\\'));
    }
    let Ok(Next::Client(location)) = house.authorize("ann", &twice("state")).await else { panic!("not sent") };
    assert_eq!(parameter(&location.parse().unwrap(), "state"), None, "which of two nobody knows");
}

// oauth row: 3.1-5, 3.1-8
// attack: 91
#[tokio::test]
async fn what_may_be_left_out_or_added() {
    let house = House::new().await;
    for asked in [
        query(&[("state", "")]),
        query(&[("redirect_uri", "")]),
        query(&[("resource", "")]),
        format!("{}&resource=https%3A%2F%2Fwww.example.org%2Fmcp", query(&[])),
        query(&[("scope", "trips:read offline_access openid")]),
        query(&[("scope", "trips:read trips:read")]),
        query(&[("scope", &format!("trips:read {}", "other ".repeat(700)))]),
        query(&[("prompt", "none"), ("max_age", "0"), ("id_token_hint", "x"), ("response_mode", "query")]),
        query(&[("resource", GEAR), ("scope", "gear:read")]),
    ] {
        assert!(matches!(house.authorize("ann", &asked).await, Ok(Next::Consent(_))), "{asked}");
    }
    let location = house.answered("ann", &query(&[("state", "")]), Decision::Authorize).await;
    assert_eq!(parameter(&location, "state"), None, "returned only when it was sent");
}

// oauth row: 3.1-21
// attack: 83
#[tokio::test]
async fn an_address_of_more_than_128_characters_cannot_be_granted() {
    let house = House::new().await;
    let id = "ann".into();
    for (length, granted) in [(128, true), (129, false)] {
        let email = "é".repeat(length);
        let answer = house.server.authorize(Person { id: &id, email: &email }, &query(&[])).await;
        assert_eq!(answer.is_ok(), granted, "{answer:?}");
        if !granted {
            assert_eq!(answer.unwrap_err().code(), "server_error");
        }
    }
}

// attack: 85
#[tokio::test]
async fn thirty_requests_in_five_minutes_the_second_pass_uncounted() {
    let house = House::new().await;
    for round in 0..30 {
        house.answered("ann", &query(&[("state", &round.to_string())]), Decision::Authorize).await;
    }
    let refusal = house.authorize("ann", &query(&[("state", "one more")])).await.unwrap_err();
    assert!(matches!(&refusal, AuthorizeError::Limited(exceeded) if exceeded.retry_after == 300), "{refusal}");
    assert!(house.authorize("bob", &query(&[])).await.is_ok(), "people are counted apart");
    house.clock.advance(Duration::from_secs(300));
    assert!(house.authorize("ann", &query(&[])).await.is_ok());
}

// oauth row: 3.1-10
#[tokio::test]
async fn a_code_is_opaque_and_unlike_any_other() {
    let house = House::new().await;
    let mut codes = Vec::new();
    for state in 0..20 {
        let location = house.answered("ann", &query(&[("state", &state.to_string())]), Decision::Authorize).await;
        codes.push(parameter(&location, "code").unwrap());
    }
    codes.sort();
    codes.dedup();
    assert_eq!(codes.len(), 20);
    for code in codes {
        let random = code.strip_prefix("btc_").unwrap();
        assert!(
            random.len() == 43 && random.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b)),
            "{code}"
        );
    }
}

#[tokio::test]
async fn a_resource_has_other_spellings_where_the_operator_allows_them() {
    let lenient = House::with(Policy { resource_aliases: true, ..Policy::default() }).await;
    let strict = House::new().await;
    let one = |resource: &str| query(&[("resource", resource)]);
    let two = |a: &str, b: &str| format!("{}&resource={b}", one(a));
    for alias in [one("https://www.example.org/mcp/"), one(BASE), one("https://www.example.org/"), two(TRIPS, BASE)] {
        let refused = strict.authorize("ann", &alias).await;
        assert!(matches!(refused, Err(AuthorizeError::Resource(_))), "{alias}");
        let location = lenient.answered("ann", &alias, Decision::Authorize).await;
        let code = parameter(&location, "code").unwrap();
        let exchange = changed(redemption(&code), "resource", "https://www.example.org/mcp/");
        let tokens = lenient.token(&exchange).await.unwrap_or_else(|err| panic!("{err}"));
        assert!(lenient.scopes(&tokens.access_token).await.is_some(), "the token is for the one canonical address");
        for form in [changed(refreshing(&tokens.refresh_token), "resource", GEAR), refreshing("btr_x")] {
            assert!(lenient.token(&form).await.is_err());
        }
        let refreshed = lenient.token(&changed(refreshing(&tokens.refresh_token), "resource", BASE)).await;
        assert!(refreshed.is_ok());
    }
    let gear = query(&[("resource", "https://www.example.org/gear/"), ("scope", "gear:read")]);
    assert!(matches!(lenient.authorize("ann", &gear).await, Ok(Next::Consent(_))));
    for other in [
        one("https://www.example.org/mcp//"),
        one("https://www.example.org/mcp?a=1"),
        one("https://www.example.org/mcp#x"),
        one("https://www.example.org/other"),
        one("HTTPS://WWW.example.org:443/mcp"),
        one("https://example.org"),
        two(BASE, GEAR),
    ] {
        assert!(matches!(lenient.authorize("ann", &other).await, Err(AuthorizeError::Resource(_))), "{other}");
    }
}

// attack: 88
#[tokio::test]
async fn no_query_is_too_strange() {
    let house = House::new().await;
    let base = query(&[]);
    let many: String = (0..4_000).map(|n| format!("&{n}")).collect();
    for asked in [
        format!("{base}{many}"),
        "&".repeat(16_000),
        "=".repeat(16_000),
        "%".repeat(5_000),
        format!("{base}&%ff%fe=%zz&%00=%00"),
        "client_id=%00&redirect_uri=%0d%0aX:y".to_owned(),
        "client_id='%3B DROP TABLE oauth_clients--".to_owned(),
        format!("client_id=https://a.example/{}", "x".repeat(10_000)),
        query(&[("scope", &"trips:read ".repeat(1_000))]),
        query(&[("state", &"x".repeat(10_000))]),
        query(&[("redirect_uri", "http://127.0.0.1:4711/callback\r\nSet-Cookie: a=b")]),
    ] {
        match house.authorize("ann", &asked).await {
            Ok(Next::Client(location)) => assert!(location.bytes().all(|byte| byte.is_ascii_graphic()), "{location}"),
            Ok(Next::Consent(_)) => {}
            Err(refused) => assert!(refused.code().starts_with("invalid_"), "{}: {refused}", &asked[..40]),
        }
    }
}
