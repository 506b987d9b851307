//! Sessions of apps.

use std::{sync::Arc, time::Duration};

use btp_accounts::{AppSession, Apps, Signer};
use btp_kernel::{BoxError, entropy::digest};
use serde_json::Value;

use crate::house::{House, house};

const MINUTE: Duration = Duration::from_secs(60);

/// Signs with a secret that it shares with itself.
struct Seal(&'static str);

impl Seal {
    fn mark(&self, kind: &str, claims: &str) -> String {
        digest(&[self.0.as_bytes(), kind.as_bytes(), claims.as_bytes()])
    }
}

impl Signer for Seal {
    fn sign(&self, kind: &str, claims: &Value) -> Result<String, BoxError> {
        Ok(format!("{}~{claims}", self.mark(kind, &claims.to_string())))
    }

    fn open(&self, kind: &str, token: &str) -> Option<Value> {
        let (mark, claims) = token.split_once('~')?;
        (mark == self.mark(kind, claims)).then(|| serde_json::from_str(claims).ok()).flatten()
    }
}

fn apps(house: &House, secret: &'static str) -> Apps {
    Apps::new(house.accounts.clone(), Arc::new(Seal(secret)))
}

async fn app() -> (House, Apps, AppSession) {
    let house = house();
    house.accounts.add("ann@example.org", btp_accounts::Locale::En).await.unwrap();
    let (apps, link) = (apps(&house, "ours"), house.link("ann@example.org").await);
    let session = apps.sign_in(&link).await.unwrap().unwrap();
    assert!(apps.sign_in(&link).await.unwrap().is_none(), "spent");
    (house, apps, session)
}

#[tokio::test]
async fn a_token_is_good_for_fifteen_minutes_while_its_session_lives() {
    let (house, apps, session) = app().await;
    let person = async |apps: &Apps, token: &str| apps.person(token).await.unwrap().map(|user| user.email);
    assert_eq!(person(&apps, &session.token).await, Some("ann@example.org".parse().unwrap()));
    for wrong in [&session.refresh_token, "", &session.token[1..]] {
        assert_eq!(person(&apps, wrong).await, None);
    }
    let forger = self::apps(&house, "another's");
    let claims = session.token.split_once('~').unwrap().1;
    let forged = Seal("another's").sign("session+jwt", &serde_json::from_str(claims).unwrap()).unwrap();
    assert!(person(&forger, &forged).await.is_some() && person(&apps, &forged).await.is_none());
    let other_kind = Seal("ours").sign("at+jwt", &serde_json::from_str(claims).unwrap()).unwrap();
    assert_eq!(person(&apps, &other_kind).await, None);

    house.clock.advance(MINUTE * 15 - Duration::from_secs(1));
    assert!(person(&apps, &session.token).await.is_some());
    house.clock.advance(Duration::from_secs(1));
    assert_eq!(person(&apps, &session.token).await, None);

    let again = apps.refresh(&session.refresh_token).await.unwrap().unwrap();
    assert!(person(&apps, &again.token).await.is_some());
    let ann = apps.person(&again.token).await.unwrap().unwrap();
    house.accounts.sign_out(&ann.id).await.unwrap();
    assert_eq!(person(&apps, &again.token).await, None, "at once, on every device");
    assert!(apps.refresh(&again.refresh_token).await.unwrap().is_none());
}

#[tokio::test]
async fn a_refresh_token_is_another_one_each_time() {
    let (house, apps, session) = app().await;
    let refresh = async |token: &str| apps.refresh(token).await.unwrap().map(|session| session.refresh_token);
    let second = refresh(&session.refresh_token).await.unwrap();
    assert_ne!(second, session.refresh_token);
    assert_eq!(refresh(&session.refresh_token).await.as_ref(), Some(&second), "an answer that was lost");
    let third = refresh(&second).await.unwrap();
    assert_eq!(refresh(&session.refresh_token).await.as_ref(), Some(&second), "a request that was under way");
    assert_eq!(refresh(&second).await.as_ref(), Some(&third));
    house.clock.advance(Duration::from_secs(30));
    assert!(refresh(&session.refresh_token).await.is_none(), "a copy in other hands");
    assert!(refresh(&third).await.is_none(), "ends the session");
}
