//! The grace period: a refresh that is repeated gets the same answer, and whatever else is shown again is reuse.

use std::{sync::Arc, time::Duration};

use btp_kernel::{ClientId, Timestamp};
use btp_oauth::{Policy, TokenError, Tokens, store::GrantStore};
use tokio::task::JoinSet;

use crate::house::{GEAR, GRACE, House, TRIPS, changed, refreshing};

fn ok(outcome: Result<Tokens, TokenError>) -> Tokens {
    outcome.unwrap_or_else(|err| panic!("{err}"))
}

/// The code of a refusal; every one of a code or refresh token reads the same.
fn refusal(outcome: Result<Tokens, TokenError>) -> &'static str {
    let err = outcome.err().expect("a refusal");
    assert!(
        err.code() != "invalid_grant" || err.to_string() == "The code or refresh token is not valid for this request."
    );
    err.code()
}

/// Whether two answers are the same but for the seconds left.
fn same(one: &Tokens, other: &Tokens) -> bool {
    let unlike = |tokens: &Tokens| Tokens { expires_in: 0, ..tokens.clone() };
    unlike(one) == unlike(other)
}

// oauth row: 3.3-3
#[tokio::test]
async fn a_repeated_refresh_gets_the_same_answer() {
    let house = House::new().await;
    let first = house.tokens().await;
    let second = ok(house.refresh(&first.refresh_token).await);
    house.clock.advance(GRACE - Duration::from_millis(1));
    let again = ok(house.refresh(&first.refresh_token).await);
    assert!(same(&second, &again));
    assert_eq!(again.expires_in, 870, "counted from when the token was signed");
    let with_resource = changed(refreshing(&first.refresh_token), "resource", TRIPS);
    assert!(same(&second, &ok(house.token(&with_resource).await)), "the resource it is for, named");
    let with_scope = changed(refreshing(&first.refresh_token), "scope", "trips:write trips:read openid");
    assert!(same(&second, &ok(house.token(&with_scope).await)), "the scopes it has, named");
    assert!(house.scopes(&again.access_token).await.is_some());
    assert!(house.refresh(&again.refresh_token).await.is_ok(), "one chain goes on");
}

// attack: 22
#[tokio::test]
async fn after_the_grace_it_is_reuse() {
    let house = House::new().await;
    let first = house.tokens().await;
    let second = ok(house.refresh(&first.refresh_token).await);
    house.clock.advance(GRACE);
    assert_eq!(refusal(house.refresh(&first.refresh_token).await), "invalid_grant");
    assert_eq!(house.scopes(&second.access_token).await, None, "on the next call");
    assert_eq!(refusal(house.refresh(&second.refresh_token).await), "invalid_grant");
    let applications = house.server.applications(&"ann".into()).await.unwrap();
    assert_eq!((applications.live.len(), applications.reused.len()), (0, 1), "the person is told");
    assert_eq!(applications.reused[0].name, "The agent");
}

// attack: 24
#[tokio::test]
async fn a_token_whose_successor_was_rotated_is_reuse_at_once() {
    let house = House::new().await;
    let first = house.tokens().await;
    let second = ok(house.refresh(&first.refresh_token).await);
    let third = ok(house.refresh(&second.refresh_token).await);
    assert_eq!(refusal(house.refresh(&first.refresh_token).await), "invalid_grant");
    assert_eq!(house.scopes(&third.access_token).await, None);
    assert_eq!(refusal(house.refresh(&third.refresh_token).await), "invalid_grant");
}

// attack: 23
#[tokio::test]
async fn a_thief_within_the_grace_is_exposed_by_the_next_rotation() {
    for thief_goes_on_first in [true, false] {
        let house = House::new().await;
        let first = house.tokens().await;
        let owners = ok(house.refresh(&first.refresh_token).await);
        let stolen = ok(house.refresh(&first.refresh_token).await);
        assert!(same(&owners, &stolen));
        let (quick, slow) = if thief_goes_on_first { (&stolen, &owners) } else { (&owners, &stolen) };
        let next = ok(house.refresh(&quick.refresh_token).await);
        house.clock.advance(GRACE);
        assert_eq!(refusal(house.refresh(&slow.refresh_token).await), "invalid_grant");
        assert_eq!(house.scopes(&next.access_token).await, None);
    }
}

// oauth row: 3.3-4
// attack: 21, 27, 29
#[tokio::test]
async fn anything_but_the_same_request_is_reuse_also_within_the_grace() {
    for (name, value) in [
        ("client_id", "other"),
        ("scope", "trips:read"),
        ("scope", "trips:read trips:write gear:read"),
        ("scope", "openid"),
        ("resource", GEAR),
    ] {
        let house = House::new().await;
        let first = house.tokens().await;
        let second = ok(house.refresh(&first.refresh_token).await);
        let other = changed(refreshing(&first.refresh_token), name, value);
        let repeated = house.token(&other).await;
        if value.contains("gear:read") {
            assert!(
                same(&second, &ok(repeated)),
                "scopes of other resources are dropped, and what is left is the same"
            );
        } else {
            assert_eq!(refusal(repeated), "invalid_grant", "{name}={value}");
            assert_eq!(house.scopes(&second.access_token).await, None, "{name}={value}");
        }
    }
}

#[tokio::test]
async fn a_narrowed_refresh_is_repeated_narrow() {
    let house = House::new().await;
    let first = house.tokens().await;
    let narrow = changed(refreshing(&first.refresh_token), "scope", "trips:read");
    let second = ok(house.token(&narrow).await);
    assert!(same(&second, &ok(house.token(&narrow).await)));
    assert_eq!(refusal(house.refresh(&first.refresh_token).await), "invalid_grant", "all of it is another request");
}

#[tokio::test]
async fn without_a_grace_every_repetition_is_reuse() {
    let house = House::with(Policy { refresh_grace: Duration::ZERO, ..Policy::default() }).await;
    let first = house.tokens().await;
    let second = ok(house.refresh(&first.refresh_token).await);
    assert_eq!(refusal(house.refresh(&first.refresh_token).await), "invalid_grant");
    assert_eq!(house.scopes(&second.access_token).await, None);
}

// oauth row: 3.3-1
#[tokio::test]
async fn nothing_is_repeated_of_what_was_revoked() {
    let house = House::new().await;
    let first = house.tokens().await;
    ok(house.refresh(&first.refresh_token).await);
    assert!(house.server.revoke_application(&"ann".into(), &"agent".into()).await.unwrap());
    assert_eq!(refusal(house.refresh(&first.refresh_token).await), "invalid_grant");
    let applications = house.server.applications(&"ann".into()).await.unwrap();
    assert_eq!(applications.reused, [], "a client that does not know yet is no thief");
}

// oauth row: 3.3-2
// attack: 87
#[tokio::test]
async fn what_is_kept_opens_only_for_who_shows_the_token() {
    let house = House::new().await;
    let first = house.tokens().await;
    let second = ok(house.refresh(&first.refresh_token).await);
    let kept = house.grants.refresh(&btp_kernel::secret::digest(&first.refresh_token)).await.unwrap().unwrap();
    let kept = kept.rotated.unwrap().kept.expect("an answer is kept");
    for secret in [&second.refresh_token, &second.access_token] {
        assert!(!kept.windows(16).any(|bytes| secret.as_bytes().windows(16).any(|part| part == bytes)));
    }
}

// attack: 25
#[tokio::test(flavor = "multi_thread")]
async fn fifty_that_refresh_at_once_get_one_answer() {
    let house = Arc::new(House::new().await);
    let first = house.tokens().await;
    let mut race = JoinSet::new();
    for _ in 0..50 {
        let (house, token) = (Arc::clone(&house), first.refresh_token.clone());
        race.spawn(async move { ok(house.refresh(&token).await) });
    }
    let answers = race.join_all().await;
    assert!(answers.iter().all(|answer| same(answer, &answers[0])));
    assert!(house.refresh(&answers[0].refresh_token).await.is_ok());
}

#[tokio::test]
async fn an_application_is_listed_and_revoked_by_its_person() {
    let house = House::new().await;
    let (ann, agent) = ("ann".into(), ClientId::from("agent"));
    assert_eq!(house.server.applications(&ann).await.unwrap(), btp_oauth::Applications::default());
    let tokens = house.tokens().await;
    let began = btp_kernel::Clock::now(&*house.clock);
    house.clock.advance(Duration::from_secs(60));
    let more = house.tokens().await;
    let listed = house.server.applications(&ann).await.unwrap().live;
    assert_eq!(listed.len(), 1, "two sign-ins of one application");
    assert_eq!((listed[0].client.clone(), listed[0].name.as_str()), (agent.clone(), "The agent"));
    assert_eq!((listed[0].host.as_str(), listed[0].since), ("127.0.0.1", began));
    assert_eq!((listed[0].last_used, listed[0].scopes.to_string()), (None, "trips:read trips:write".to_owned()));
    house.scopes(&tokens.access_token).await.unwrap();
    let used: Option<Timestamp> = house.server.applications(&ann).await.unwrap().live[0].last_used;
    assert_eq!(used, Some(btp_kernel::Clock::now(&*house.clock)));

    assert!(!house.server.revoke_application(&"bob".into(), &agent).await.unwrap(), "nothing of bob's");
    assert!(!house.server.revoke_application(&ann, &"other".into()).await.unwrap());
    assert!(house.scopes(&more.access_token).await.is_some());
    assert!(house.server.revoke_application(&ann, &agent).await.unwrap());
    for tokens in [tokens, more] {
        assert_eq!(house.scopes(&tokens.access_token).await, None);
        assert_eq!(refusal(house.refresh(&tokens.refresh_token).await), "invalid_grant");
    }
    assert_eq!(house.server.applications(&ann).await.unwrap().live, []);
    house.tokens().await;
    let anew = house.server.applications(&ann).await.unwrap().live;
    assert_eq!((anew.len(), anew[0].last_used), (1, None), "begins anew");
    house.server.revoke_all(&ann).await.unwrap();
    assert_eq!(house.server.applications(&ann).await.unwrap().live, []);
}

// oauth row: 3.5-8
// attack: 83
#[tokio::test]
async fn an_address_that_became_too_long_ends_nothing_and_grants_nothing_more() {
    let house = House::new().await;
    let tokens = house.tokens().await;
    let email = format!("{}@example.org", "x".repeat(117));
    assert_eq!(email.len(), 129);
    let person = btp_oauth::Person { id: &"ann".into(), email: &email };
    let refused = house.server.authorize(person, &crate::house::query(&[])).await.unwrap_err();
    assert_eq!(refused.code(), "server_error");
    assert!(house.scopes(&tokens.access_token).await.is_some());
    assert!(house.refresh(&tokens.refresh_token).await.is_ok());
}

// oauth row: 3.2-13
#[test]
fn descriptions_are_plain_ascii() {
    let source = || std::io::Error::other("the database at 10.0.0.5").into();
    for err in [
        TokenError::Missing("code"),
        TokenError::Repeated("scope"),
        TokenError::GrantType,
        TokenError::UnknownClient,
        TokenError::Grant(btp_oauth::Reason::Reused),
        TokenError::Scope,
        TokenError::Resource(TRIPS.to_owned()),
        TokenError::Busy(source()),
        TokenError::Failed(source()),
    ] {
        // RFC 6749 §5.2
        let legal = |byte| matches!(byte, 0x20..=0x21 | 0x23..=0x5b | 0x5d..=0x7e);
        let words = err.to_string();
        assert!(words.bytes().all(legal) && !words.contains("10.0.0.5") && !words.contains("reused"), "{words}");
        assert!(err.code().bytes().all(legal));
    }
}
