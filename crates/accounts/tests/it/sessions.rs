//! Sessions: their life, their turns, and copies in other hands.

use std::time::Duration;

use crate::house::{House, house};

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3600);
const MONTH: Duration = Duration::from_secs(30 * 24 * 3600);

/// The token that follows this one after an hour.
async fn renewed(house: &House, token: &str) -> String {
    house.clock.advance(HOUR);
    let session = house.session(token).await.unwrap();
    assert!(session.is_renewed() && session.token() != token);
    session.token()
}

#[tokio::test]
async fn a_session_lives_thirty_days_or_until_its_person_signs_out() {
    let house = house();
    let (laptop, phone) = (house.signed_in("ann@example.org").await, house.signed_in("ann@example.org").await);
    assert!(laptop.token().starts_with("bts_") && laptop.token() != phone.token());
    let found = house.session(&laptop.token()).await.unwrap();
    assert!(found == laptop && !found.is_renewed() && found.is_own_form(&laptop.csrf()));
    assert!(!found.is_own_form(&phone.csrf()) && !found.is_own_form("") && !found.is_own_form(&laptop.token()));
    assert!(!laptop.token().contains(&laptop.csrf()) && !laptop.csrf().contains("bts_"));
    for guessed in ["", "bts_guessed", "bts_guessed.too", "x.y"] {
        assert!(house.session(guessed).await.is_none(), "{guessed}");
    }
    house.clock.advance(MONTH - SECOND);
    assert!(house.session(&phone.token()).await.is_some());
    house.accounts.end(&phone).await.unwrap();
    assert!(house.session(&phone.token()).await.is_none() && house.session(&laptop.token()).await.is_some());
    let tablet = house.signed_in("ann@example.org").await;
    house.accounts.sign_out(&laptop.user.id).await.unwrap();
    assert!(house.session(&laptop.token()).await.is_none() && house.session(&tablet.token()).await.is_none());
    let last = house.signed_in("ann@example.org").await;
    house.clock.advance(MONTH);
    assert!(house.session(&last.token()).await.is_none());
}

#[tokio::test]
async fn a_session_found_a_while_ago_is_asked_after_without_its_token() {
    let house = house();
    let found = house.signed_in("ann@example.org").await;
    let next = renewed(&house, &found.token()).await;
    house.session(&next).await.unwrap();
    house.clock.advance(HOUR);
    assert!(house.accounts.still_lives(&found).await.unwrap(), "others have gone on with it");
    assert!(house.session(&next).await.is_some(), "and go on");
    house.accounts.end(&found).await.unwrap();
    assert!(!house.accounts.still_lives(&found).await.unwrap());
}

#[tokio::test]
async fn a_token_is_renewed_by_the_hour_and_the_session_lives_on() {
    let house = house();
    let session = house.signed_in("ann@example.org").await;
    house.clock.advance(HOUR - SECOND);
    assert!(!house.session(&session.token()).await.unwrap().is_renewed());
    let mut token = session.token();
    house.clock.advance(SECOND);
    for _ in 0..40 {
        token = house.session(&token).await.unwrap().token();
        house.session(&token).await.unwrap();
        house.clock.advance(MONTH - HOUR - SECOND);
        token = renewed(&house, &token).await;
        assert_eq!(house.session(&token).await.unwrap().csrf(), session.csrf(), "forms of open pages stay good");
    }
}

#[tokio::test]
async fn an_answer_that_is_lost_loses_nothing() {
    let house = house();
    let token = house.signed_in("ann@example.org").await.token();
    let next = renewed(&house, &token).await;
    for _ in 0..3 {
        assert_eq!(renewed(&house, &token).await, next, "everyone is given the same successor");
    }
    assert!(!house.session(&next).await.unwrap().is_renewed());
    house.clock.advance(SECOND * 29);
    assert_eq!(house.session(&token).await.unwrap().token(), next, "a request that was under way");
    assert!(house.session(&next).await.is_some());
}

#[tokio::test]
async fn a_copy_in_other_hands_ends_the_session() {
    for stolen in 0..3 {
        let house = house();
        let mut tokens = vec![house.signed_in("ann@example.org").await.token()];
        for turn in 0..3 {
            let next = renewed(&house, &tokens[turn]).await;
            house.session(&next).await.unwrap();
            tokens.push(next);
        }
        let other = house.signed_in("ann@example.org").await;
        house.clock.advance(SECOND * 30);
        assert!(house.session(&tokens[stolen]).await.is_none(), "turn {stolen}");
        assert!(house.session(&tokens[3]).await.is_none(), "for the owner and the thief alike");
        assert!(house.session(&other.token()).await.is_some(), "other sessions of the person live");
    }
}
