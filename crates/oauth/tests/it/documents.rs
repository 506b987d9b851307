//! Clients that name themselves by the address of a document: when it is fetched, believed, forgotten.

use std::time::Duration;

use btp_kernel::UserId;
use btp_oauth::{
    AuthorizeError, Clients, Next, Person, Policy,
    presets::{PRESETS, Preset},
    redirect,
    store::{Decision, GrantStore},
};
use btp_testkit::SeededEntropy;
use futures_util::future::{join, join_all};
use serde_json::json;

use crate::house::{House, changed, parameter, query, redemption, refreshing};

const ID: &str = "https://agent.example.org/client.json";
const WEB: &str = "https://agent.example.org/cb";

fn document(name: &str, redirects: &[&str]) -> String {
    json!({"client_id": ID, "client_name": name, "redirect_uris": redirects}).to_string()
}

/// A house where the client publishes a document that may be kept for ten minutes.
async fn house() -> House {
    let house = House::new().await;
    house.documents.publish(ID, document("The agent", &[WEB, "http://127.0.0.1/callback"]), "max-age=600");
    house
}

fn asked(state: &str) -> String {
    query(&[("client_id", ID), ("redirect_uri", WEB), ("state", state)])
}

/// Ann's request reaches the consent page: its handle.
async fn parked(house: &House, state: &str) -> String {
    match house.authorize("ann", &asked(state)).await {
        Ok(Next::Consent(handle)) => handle,
        other => panic!("{other:?}"),
    }
}

async fn is_unknown(house: &House) -> bool {
    matches!(house.authorize("ann", &asked("x")).await, Err(AuthorizeError::UnknownClient))
}

#[tokio::test]
async fn fetched_once_and_believed_as_long_as_it_says() {
    let house = house().await;
    let handle = parked(&house, "1").await;
    assert_eq!(house.documents.asked(), [ID]);
    let consent = house.server.consent(&"ann".into(), &handle).await.unwrap().unwrap();
    assert_eq!((consent.client_host.as_deref(), consent.name.as_str()), (Some("agent.example.org"), "The agent"));
    assert_eq!((consent.redirect_host.as_str(), consent.loopback), ("agent.example.org", false));
    house.clock.advance(Duration::from_secs(599));
    parked(&house, "2").await;
    assert!(house.documents.asked().is_empty(), "kept");
    house.clock.advance(Duration::from_secs(1));
    parked(&house, "3").await;
    assert_eq!(house.documents.asked(), [ID], "fetched again");
}

// attack: 49
#[tokio::test]
async fn only_an_authorization_request_fetches() {
    let house = house().await;
    for form in [redemption("btc_x"), refreshing("btr_x")] {
        assert!(house.token(&changed(form, "client_id", ID)).await.is_err());
    }
    assert!(house.server.revoke(format!("client_id={ID}&token=x").as_bytes()).await.is_err());
    assert!(house.documents.asked().is_empty());
    let location = house.answered("ann", &asked("1"), Decision::Authorize).await;
    let code = parameter(&location, "code").unwrap();
    let mut form = changed(redemption(&code), "client_id", ID);
    form = changed(form, "redirect_uri", WEB);
    house.documents.asked();
    house.clock.advance(Duration::from_secs(100));
    house.documents.withdraw(ID);
    let tokens = house.token(&form).await.unwrap_or_else(|err| panic!("{err}"));
    house.clock.advance(Duration::from_secs(7 * 24 * 3600));
    let refreshed = house.token(&changed(refreshing(&tokens.refresh_token), "client_id", ID)).await;
    assert!(refreshed.is_ok(), "what is stored will do, whatever its age");
    assert!(house.documents.asked().is_empty());
}

// attack: 53
#[tokio::test]
async fn a_change_is_asked_about_anew_and_ends_no_grant() {
    for (name, redirects) in
        [("The agent", &["https://evil.example/cb"][..]), ("The bank", &[WEB, "http://127.0.0.1/callback"])]
    {
        let house = house().await;
        let location = house.answered("ann", &asked("granted"), Decision::Authorize).await;
        let code = parameter(&location, "code").unwrap();
        let form = changed(changed(redemption(&code), "client_id", ID), "redirect_uri", WEB);
        let tokens = house.token(&form).await.unwrap_or_else(|err| panic!("{err}"));
        let open = house.answered("ann", &asked("open"), Decision::Authorize).await;
        let shown = parked(&house, "shown").await;
        let decided = parked(&house, "decided").await;
        house.server.decide(&"ann".into(), &decided, Decision::Authorize).await.unwrap().unwrap();

        house.documents.publish(ID, document(name, redirects), "");
        parked(&house, "within its time").await;
        house.clock.advance(Duration::from_secs(600));
        let wanted = redirects[0];
        let fresh = query(&[("client_id", ID), ("redirect_uri", wanted), ("state", "fresh")]);
        assert!(matches!(house.authorize("bob", &fresh).await, Ok(Next::Consent(_))));

        let stale = house.authorize("ann", &asked("decided")).await;
        match redirects.contains(&WEB) {
            true => assert!(matches!(stale, Ok(Next::Consent(_))), "asked again, by the new name: {stale:?}"),
            false => assert!(matches!(stale, Err(AuthorizeError::RedirectUri)), "{stale:?}"),
        }
        assert_eq!(house.server.consent(&"ann".into(), &shown).await.unwrap(), None, "the old page is void");
        let open = parameter(&open, "code").unwrap();
        let late = changed(changed(redemption(&open), "client_id", ID), "redirect_uri", WEB);
        assert!(house.token(&late).await.is_err(), "a code that waited is void");
        assert!(house.token(&changed(refreshing(&tokens.refresh_token), "client_id", ID)).await.is_ok());
    }
}

#[tokio::test]
async fn an_answer_is_about_the_document_that_was_shown() {
    let house = house().await;
    house.documents.publish(ID, document("The agent", &[WEB]), "no-store");
    let handle = parked(&house, "1").await;
    house.documents.asked();
    house.clock.advance(Duration::from_secs(500));
    let back = house.server.decide(&"ann".into(), &handle, Decision::Authorize).await.unwrap().unwrap();
    house.documents.withdraw(ID);
    let answer = house.authorize("ann", &back).await.unwrap();
    assert!(matches!(answer, Next::Client(location) if location.starts_with("https://agent.example.org/cb?code=")));
    assert!(house.documents.asked().is_empty(), "five minutes have passed, but it is the second pass");
}

#[tokio::test]
async fn a_withdrawn_document_ends_what_waits() {
    let house = house().await;
    let location = house.answered("ann", &asked("open"), Decision::Authorize).await;
    let shown = parked(&house, "shown").await;
    house.documents.withdraw(ID);
    house.clock.advance(Duration::from_secs(600));
    assert!(is_unknown(&house).await, "404 and 410: the client says that it is no more");
    assert_eq!(house.server.consent(&"ann".into(), &shown).await.unwrap(), None);
    let code = parameter(&location, "code").unwrap();
    assert!(house.token(&changed(changed(redemption(&code), "client_id", ID), "redirect_uri", WEB)).await.is_err());
    house.documents.publish(ID, document("The agent", &[WEB]), "");
    parked(&house, "back").await;
}

// attack: 54
#[tokio::test]
async fn no_failure_is_remembered() {
    let house = House::new().await;
    house.documents.break_off(ID);
    assert!(is_unknown(&house).await);
    house.documents.publish(ID, "{}", "max-age=86400");
    assert!(is_unknown(&house).await);
    house.documents.publish(ID, document("The agent", &[WEB]), "");
    parked(&house, "1").await;
    assert_eq!(house.documents.asked().len(), 3);
    house.clock.advance(Duration::from_secs(300));
    house.documents.break_off(ID);
    assert!(is_unknown(&house).await, "a stale document is not served instead");
    house.documents.publish(ID, document("The agent", &[WEB]), "");
    parked(&house, "2").await;
}

// attack: 48
#[tokio::test]
async fn attempts_are_counted_before_the_fetch() {
    let house = House::new().await;
    let ask = async |who: &str, id: &str| house.authorize(who, &query(&[("client_id", id)])).await;
    for n in 0..20 {
        let refused = ask("ann", &format!("https://host{n}.example/c")).await;
        assert!(matches!(refused, Err(AuthorizeError::UnknownClient)));
    }
    assert_eq!(house.documents.asked().len(), 20);
    let limited = ask("ann", "https://host.example/c").await;
    assert!(matches!(&limited, Err(AuthorizeError::Limited(exceeded)) if exceeded.retry_after == 3600), "{limited:?}");
    assert!(house.documents.asked().is_empty(), "a refused attempt asks nobody");
    assert!(matches!(ask("bob", "https://host.example/c").await, Err(AuthorizeError::UnknownClient)));
    assert!(
        matches!(ask("ann", "agent").await, Ok(Next::Consent(_)) | Err(AuthorizeError::RedirectUri)),
        "stored clients"
    );
    // 60 an hour for a host, whatever the path and port and whoever asks
    house.clock.advance(Duration::from_secs(3600));
    for n in 0..60 {
        let refused = ask(&format!("p{n}"), &format!("https://scanned.example:{}/c{n}", 1000 + n)).await;
        assert!(matches!(refused, Err(AuthorizeError::UnknownClient)), "{n}: {refused:?}");
    }
    let limited = ask("bob", "https://scanned.example/c").await;
    assert!(
        matches!(&limited, Err(AuthorizeError::Limited(exceeded)) if exceeded.limit == "oauth_client_metadata_host")
    );
}

#[tokio::test]
async fn one_fetch_for_all_who_wait() {
    let house = house().await;
    let queries: Vec<_> = (0..50).map(|n| asked(&n.to_string())).collect();
    let (ann, bob) = (UserId::from("ann"), UserId::from("bob"));
    let requests = queries.iter().enumerate().map(|(n, query)| {
        let id = if n % 2 == 0 { &ann } else { &bob };
        house.server.authorize(Person { id, email: "x@example.org" }, query)
    });
    house.documents.answer(false);
    let (outcomes, ()) = join(join_all(requests), async { house.documents.answer(true) }).await;
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Ok(Next::Consent(_)))), "{outcomes:?}");
    assert_eq!(house.documents.asked(), [ID]);
    house.documents.withdraw(ID);
    house.clock.advance(Duration::from_secs(600));
    house.documents.answer(false);
    let waiting = join_all((0..8).map(|_| is_unknown(&house)));
    let (outcomes, ()) = join(waiting, async { house.documents.answer(true) }).await;
    assert!(outcomes.iter().all(|unknown| *unknown), "and one refusal");
    assert_eq!(house.documents.asked(), [ID]);
}

// attack: 50
#[tokio::test]
async fn refusals_never_differ_and_ask_nobody_they_need_not() {
    let house = House::new().await;
    let mut said = Vec::new();
    for id in [
        "http://agent.example.org/c",
        "https://agent.example.org",
        "https://www.example.org/c",
        "https://x.www.example.org/c",
        "https://127.0.0.1/c",
        "https://2130706433/c",
        "https://[::1]/c",
        "https://AGENT.example.org/c",
        "https://u@agent.example.org/c",
        "nobody",
    ] {
        said.push(house.authorize("ann", &query(&[("client_id", id)])).await.unwrap_err().to_string());
    }
    assert!(house.documents.asked().is_empty());
    said.push(house.authorize("ann", &asked("gone")).await.unwrap_err().to_string());
    house.documents.publish(ID, "{}", "");
    said.push(house.authorize("ann", &asked("illegal")).await.unwrap_err().to_string());
    said.dedup();
    assert_eq!(said, ["The application is not known here."]);
}

#[tokio::test]
async fn what_an_operator_decided_holds() {
    let house = house().await;
    let clients = operator(&house);
    parked(&house, "1").await;
    assert!(clients.disable(ID).await.unwrap(), "a client that came by itself");
    house.clock.advance(Duration::from_secs(3600));
    house.documents.asked();
    assert!(is_unknown(&house).await);
    assert!(house.documents.asked().is_empty(), "a disabled client is not even asked");

    let preset = Preset::named("claude-code").unwrap();
    house.documents.publish(preset.id, json!({"client_id": preset.id}).to_string(), "");
    clients.add_preset(preset).await.unwrap();
    house.clock.advance(Duration::from_secs(30 * 24 * 3600));
    let ask = query(&[("client_id", preset.id), ("redirect_uri", "http://localhost:53682/callback")]);
    assert!(matches!(house.authorize("ann", &ask).await, Ok(Next::Consent(_))));
    assert!(house.documents.asked().is_empty(), "and neither is one that an operator stored");
}

#[tokio::test]
async fn localhost_is_the_operators_choice_also_afterwards() {
    let house = House::with(Policy { localhost_redirects: true, ..Policy::default() }).await;
    house.documents.publish(
        ID,
        document("The agent", &["http://localhost/callback", "http://localhost:8080/cb"]),
        "max-age=86400",
    );
    let ask = |redirect: &str| query(&[("client_id", ID), ("redirect_uri", redirect)]);
    for good in ["http://localhost/callback", "http://localhost:4711/callback", "http://localhost:8080/cb"] {
        assert!(matches!(house.authorize("ann", &ask(good)).await, Ok(Next::Consent(_))), "{good}");
    }
    for bad in [
        "http://localhost:8081/cb",
        "http://127.0.0.1/callback",
        "http://localhost.evil.test/callback",
        "https://localhost/callback",
    ] {
        assert!(matches!(house.authorize("ann", &ask(bad)).await, Err(AuthorizeError::RedirectUri)), "{bad}");
    }
    let strict = house.with_policy(Policy::default());
    let ann = UserId::from("ann");
    let refused =
        strict.authorize(Person { id: &ann, email: "ann@example.org" }, &ask("http://localhost/callback")).await;
    assert!(matches!(refused, Err(AuthorizeError::UnknownClient)), "{refused:?}");
}

#[tokio::test]
async fn presets_are_what_an_operator_could_add_by_hand() {
    let house = House::new().await;
    let clients = operator(&house);
    for preset in PRESETS {
        assert_eq!(Preset::named(preset.name), Some(preset));
        assert!(preset.redirect_uris.iter().all(|uri| redirect::check_registered(uri).is_ok()), "{}", preset.name);
        let client = clients.add_preset(preset).await.unwrap();
        assert_eq!((client.id.as_str(), client.name.as_str(), client.document), (preset.id, preset.title, None));
    }
    assert_eq!(Preset::named("nothing"), None);
    let cursor = Preset::named("cursor").unwrap();
    clients.disable(cursor.id).await.unwrap();
    let refused = clients.add_preset(cursor).await.unwrap_err();
    assert_eq!(refused.to_string(), "the client cursor is disabled; `client enable cursor` brings it back");
    let stored = async || house.grants.client(&cursor.id.into()).await.unwrap().unwrap();
    assert!(stored().await.disabled, "adding does not undo what the operator decided");
    assert!(clients.enable(cursor.id).await.unwrap() && !stored().await.disabled);
    assert!(!clients.add_preset(cursor).await.unwrap().disabled, "brought up to date");
    assert_eq!(stored().await.redirect_uris.len(), 2);
}

fn operator(house: &House) -> Clients {
    let (grants, clock) = (house.grants.clone(), house.clock.clone());
    Clients::new(grants, clock, std::sync::Arc::new(SeededEntropy::new(3)))
}
