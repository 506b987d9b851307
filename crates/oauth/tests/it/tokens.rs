//! The token endpoint: codes, refresh tokens, revocation.

use std::{sync::Arc, time::Duration};

use btp_accounts::store::AccountStore;
use btp_kernel::Timestamp;
use btp_oauth::{TokenError, Tokens, store::GrantStore};
use tokio::task::JoinSet;

use crate::house::{GEAR, GRACE, House, TRIPS, changed, encoded, redemption, refreshing};

fn code(outcome: Result<Tokens, TokenError>) -> &'static str {
    outcome.map_or_else(|err| err.code(), |_| "tokens")
}

// oauth row: 3.2-12
#[tokio::test]
async fn a_code_buys_tokens_once() {
    let house = House::new().await;
    let tokens = house.tokens().await;
    assert_eq!((tokens.token_type, tokens.expires_in), ("Bearer", 900));
    assert_eq!(tokens.scope, "trips:read trips:write");
    assert!(tokens.refresh_token.starts_with("btr_") && tokens.refresh_token.len() == 47);
    let json = serde_json::to_value(&tokens).unwrap();
    assert_eq!(json.as_object().unwrap().len(), 5);
    assert_eq!(house.scopes(&tokens.access_token).await.as_deref(), Some("trips:read trips:write"));
}

// oauth row: 3.2-3, 3.2-5, 3.2-6, 3.2-7, 3.2-11
// attack: 9, 10, 12, 13, 14, 49
#[tokio::test]
async fn a_request_that_is_not_right_neither_buys_nor_burns() {
    let house = House::new().await;
    let bought = house.code("trips:read").await;
    let long = "x".repeat(129);
    let wrong = "x".repeat(43);
    for (name, value, expected) in [
        ("grant_type", "", "invalid_request"),
        ("grant_type", "password", "unsupported_grant_type"),
        ("grant_type", "client_credentials", "unsupported_grant_type"),
        ("grant_type", "urn:ietf:params:oauth:grant-type:device_code", "unsupported_grant_type"),
        ("client_id", "", "invalid_request"),
        ("client_id", "other", "invalid_grant"),
        ("client_id", "nobody", "invalid_client"),
        ("client_id", "https://never.example.org/client.json", "invalid_client"),
        ("code", "", "invalid_request"),
        ("code", "btc_guessed", "invalid_grant"),
        ("code_verifier", "", "invalid_grant"),
        ("code_verifier", "short", "invalid_grant"),
        ("code_verifier", &wrong, "invalid_grant"),
        ("code_verifier", &long, "invalid_grant"),
        ("redirect_uri", "http://127.0.0.1:4711/callback/", "invalid_grant"),
        ("redirect_uri", "http://127.0.0.1:4712/callback", "invalid_grant"),
        ("resource", "https://www.example.org/mcp/", "invalid_target"),
        ("resource", GEAR, "invalid_target"),
    ] {
        let form = changed(redemption(&bought), name, value);
        assert_eq!(code(house.token(&form).await), expected, "{name}={value}");
    }
    for name in ["grant_type", "client_id", "code", "code_verifier", "redirect_uri"] {
        let mut form = redemption(&bought);
        form.push((name, "again"));
        assert_eq!(code(house.token(&form).await), "invalid_request", "{name} twice");
    }
    let mut form = redemption(&bought);
    form.push(("resource", "https://evil.example.org/"));
    assert_eq!(code(house.token(&form).await), "invalid_target", "one of two resources is not ours");
    let form = changed(changed(redemption(&bought), "redirect_uri", ""), "resource", "");
    assert_eq!(code(house.token(&form).await), "tokens", "neither must be sent");
}

// attack: 19
#[tokio::test]
async fn a_code_lives_two_minutes() {
    let house = House::new().await;
    let (first, second) = (house.code("trips:read").await, house.code("trips:read trips:write").await);
    house.clock.advance(Duration::from_secs(119));
    assert_eq!(code(house.redeem(&first).await), "tokens");
    house.clock.advance(Duration::from_secs(1));
    assert_eq!(code(house.redeem(&second).await), "invalid_grant");
}

// oauth row: 3.2-8
// attack: 17
#[tokio::test]
async fn only_a_right_request_shows_that_a_code_was_stolen() {
    let house = House::new().await;
    let bought = house.code("trips:read").await;
    let tokens = house.redeem(&bought).await.unwrap_or_else(|err| panic!("{err}"));
    let wrong = "x".repeat(43);
    assert_eq!(code(house.token(&changed(redemption(&bought), "code_verifier", &wrong)).await), "invalid_grant");
    assert!(house.scopes(&tokens.access_token).await.is_some(), "a wrong replay changes nothing");
    house.clock.advance(Duration::from_secs(600));
    assert_eq!(code(house.redeem(&bought).await), "invalid_grant");
    assert_eq!(house.scopes(&tokens.access_token).await, None, "a right one, however late, ends the family");
    assert_eq!(code(house.refresh(&tokens.refresh_token).await), "invalid_grant");
}

// attack: 16
#[tokio::test(flavor = "multi_thread")]
async fn of_a_hundred_redeemers_at_most_one_wins() {
    let house = Arc::new(House::new().await);
    let bought = house.code("trips:read").await;
    let mut race = JoinSet::new();
    for _ in 0..100 {
        let (house, bought) = (Arc::clone(&house), bought.clone());
        race.spawn(async move { house.redeem(&bought).await.ok() });
    }
    let won: Vec<_> = race.join_all().await.into_iter().flatten().collect();
    assert_eq!(won.len(), 1);
    assert_eq!(house.scopes(&won[0].access_token).await, None, "and the others gave it away");
}

// oauth row: 3.2-9
// attack: 28
#[tokio::test]
async fn refreshing_rotates_and_keeps_the_grant() {
    let house = House::new().await;
    let first = house.tokens().await;
    let narrow = changed(refreshing(&first.refresh_token), "scope", "trips:read trips:read offline_access");
    let second = house.token(&narrow).await.unwrap_or_else(|err| panic!("{err}"));
    assert_eq!(second.scope, "trips:read");
    assert_eq!(house.scopes(&second.access_token).await.as_deref(), Some("trips:read"));
    assert_ne!(second.refresh_token, first.refresh_token);
    let third = house.refresh(&second.refresh_token).await.unwrap_or_else(|err| panic!("{err}"));
    assert_eq!(third.scope, "trips:read trips:write", "the refresh token keeps the grant");
    assert!(house.scopes(&first.access_token).await.is_some(), "earlier access tokens live out their time");
}

// oauth row: 3.2-9, 3.2-11
// attack: 21, 27, 29, 30
#[tokio::test]
async fn refreshing_never_widens() {
    let house = House::new().await;
    let bought = house.code("trips:read").await;
    let tokens = house.redeem(&bought).await.unwrap_or_else(|err| panic!("{err}"));
    for (name, value, expected) in [
        ("scope", "trips:read trips:write", "invalid_scope"),
        ("scope", "trips:write", "invalid_scope"),
        ("scope", "TRIPS:READ", "invalid_scope"),
        ("scope", "openid", "invalid_scope"),
        ("resource", GEAR, "invalid_target"),
        ("resource", "https://www.example.org", "invalid_target"),
        ("client_id", "other", "invalid_grant"),
        ("client_id", "nobody", "invalid_client"),
        ("client_id", "", "invalid_request"),
        ("refresh_token", "", "invalid_request"),
        ("refresh_token", &tokens.access_token, "invalid_grant"),
        ("refresh_token", &bought, "invalid_grant"),
    ] {
        let form = changed(refreshing(&tokens.refresh_token), name, value);
        assert_eq!(code(house.token(&form).await), expected, "{name}={value}");
    }
    let form = changed(refreshing(&tokens.refresh_token), "resource", TRIPS);
    assert_eq!(code(house.token(&form).await), "tokens", "none of these rotated it");
}

// oauth row: 3.3-6
#[tokio::test]
async fn a_refresh_token_lives_a_month_from_its_last_use() {
    let house = House::new().await;
    let mut tokens = house.tokens().await;
    for _ in 0..3 {
        house.clock.advance(Duration::from_secs(30 * 24 * 3600 - 1));
        tokens = house.refresh(&tokens.refresh_token).await.unwrap_or_else(|err| panic!("{err}"));
    }
    house.clock.advance(Duration::from_secs(30 * 24 * 3600));
    assert_eq!(code(house.refresh(&tokens.refresh_token).await), "invalid_grant");
}

// oauth row: 3.2-10, 3.5-4
// attack: 22
#[tokio::test]
async fn a_rotated_token_shown_again_ends_the_family() {
    let house = House::new().await;
    for by in ["agent", "other"] {
        let first = house.tokens().await;
        let elsewhere = house.tokens().await;
        let second = house.refresh(&first.refresh_token).await.unwrap_or_else(|err| panic!("{err}"));
        house.clock.advance(GRACE);
        let again = changed(refreshing(&first.refresh_token), "client_id", by);
        assert_eq!(code(house.token(&again).await), "invalid_grant");
        assert_eq!(house.scopes(&second.access_token).await, None, "{by}");
        assert_eq!(code(house.refresh(&second.refresh_token).await), "invalid_grant");
        assert!(house.scopes(&elsewhere.access_token).await.is_some(), "another sign-in of the client lives on");
    }
}

// oauth row: 3.2-15, 3.5-3, 3.5-5
// attack: 20, 38, 81
#[tokio::test]
async fn nothing_outlives_person_or_client() {
    let house = House::new().await;
    let tokens = house.tokens().await;
    let open = house.code("trips:read").await;
    house.grants.disable_client(&"agent".into(), Timestamp::from_seconds(0)).await.unwrap();
    assert_eq!(house.scopes(&tokens.access_token).await, None);
    assert_eq!(code(house.refresh(&tokens.refresh_token).await), "invalid_client");
    assert!(house.grants.enable_client(&"agent".into()).await.unwrap());
    assert_eq!(code(house.redeem(&open).await), "invalid_grant");
    assert_eq!(code(house.refresh(&tokens.refresh_token).await), "invalid_grant");

    let tokens = house.tokens().await;
    let open = house.code("trips:read").await;
    house.people.delete_user(&"ann".into()).await.unwrap();
    assert_eq!(house.scopes(&tokens.access_token).await, None);
    assert_eq!(code(house.refresh(&tokens.refresh_token).await), "invalid_grant");
    assert_eq!(code(house.redeem(&open).await), "invalid_grant");
}

// oauth row: 3.4-12
#[tokio::test]
async fn a_client_revokes_its_own_tokens_only() {
    let house = House::new().await;
    let revoke = async |token: &str, client: &str| {
        house.server.revoke(encoded(&[("token", token), ("client_id", client)]).as_bytes()).await
    };
    let tokens = house.tokens().await;
    revoke(&tokens.refresh_token, "other").await.unwrap();
    revoke(&tokens.access_token, "other").await.unwrap();
    revoke("unknown", "agent").await.unwrap();
    assert!(house.scopes(&tokens.access_token).await.is_some());
    assert_eq!(revoke(&tokens.access_token, "nobody").await.unwrap_err().code(), "invalid_client");
    assert_eq!(revoke("", "agent").await.unwrap_err().code(), "invalid_request");
    revoke(&tokens.refresh_token, "agent").await.unwrap();
    assert_eq!(house.scopes(&tokens.access_token).await, None);
    let tokens = house.tokens().await;
    revoke(&tokens.access_token, "agent").await.unwrap();
    assert_eq!(code(house.refresh(&tokens.refresh_token).await), "invalid_grant");
}

// attack: 88
#[tokio::test]
async fn hostile_forms_are_refused_calmly() {
    let house = House::new().await;
    let many: String = (0..10_000).map(|index| format!("p{index}=x&")).collect();
    for form in ["", "&&&", "%", "grant_type=%00", "code=%ff%fe&grant_type=authorization_code", "'; DROP TABLE", &many]
    {
        assert!(house.server.token(form.as_bytes()).await.is_err());
    }
}
