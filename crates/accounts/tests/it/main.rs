//! Accounts over the memory store, with a manual clock.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use btp_accounts::{AccountError, Accounts, Email, Locale, Mailer, User, store::AccountStoreError};
use btp_kernel::BoxError;
use btp_testkit::{ManualClock, SeededEntropy, memory::MemoryAccounts};

const BASE: &str = "https://www.example.org";

struct House {
    accounts: Accounts,
    clock: Arc<ManualClock>,
    post: Arc<Post>,
}

/// Keeps what was sent.
#[derive(Default)]
struct Post(Mutex<Vec<(String, String)>>);

#[async_trait]
impl Mailer for Post {
    async fn send_sign_in_link(&self, user: &User, address: &str) -> Result<(), BoxError> {
        self.0.lock().unwrap().push((user.email.as_str().to_owned(), address.to_owned()));
        Ok(())
    }
}

fn house() -> House {
    let (clock, post) = (Arc::new(ManualClock::default()), Arc::new(Post::default()));
    let (store, entropy) = (Arc::new(MemoryAccounts::default()), Arc::new(SeededEntropy::new(1)));
    let accounts = Accounts::new(store, Arc::clone(&post) as _, Arc::clone(&clock) as _, entropy, BASE);
    House { accounts, clock, post }
}

impl House {
    async fn link(&self, email: &str) -> String {
        let link = self.accounts.sign_in_link(email).await.unwrap().unwrap();
        link.strip_prefix("https://www.example.org/auth/verify?token=").unwrap().to_owned()
    }
}

#[test]
fn addresses_are_compared_in_one_form() {
    let parse = |text: &str| text.parse::<Email>().map(|email| email.as_str().to_owned()).ok();
    assert_eq!(parse("  Ann@Example.ORG ").as_deref(), Some("ann@example.org"));
    assert_eq!(parse(&format!("{}@example.org", "a".repeat(168))).map(|text| text.len()), Some(180));
    for text in ["", "ann", "@example.org", "ann@", "a@b@c", "a b@c", "a@b\r\nBcc: x@y", "a<b@c", "\"a\"@b", "a@b,c@d"]
    {
        assert_eq!(parse(text), None, "{text}");
    }
    assert_eq!(parse(&format!("{}@example.org", "a".repeat(169))), None);
}

#[tokio::test]
async fn people_come_and_go() {
    let house = house();
    let ann = house.accounts.add("Ann@example.org", Locale::Fr).await.unwrap();
    assert_eq!((ann.email.as_str(), ann.locale), ("ann@example.org", Locale::Fr));
    let taken = house.accounts.add("ann@EXAMPLE.org", Locale::En).await;
    assert!(matches!(taken, Err(AccountError::Store(AccountStoreError::EmailTaken))));
    assert!(matches!(house.accounts.add("nonsense", Locale::En).await, Err(AccountError::Email(_))));
    assert_eq!(house.accounts.list().await.unwrap(), [ann]);
    assert!(house.accounts.delete("ANN@example.org").await.unwrap());
    assert!(!house.accounts.delete("ann@example.org").await.unwrap());
}

#[tokio::test]
async fn a_link_works_once_within_thirty_minutes_and_the_last_one_only() {
    let house = house();
    house.accounts.add("ann@example.org", Locale::En).await.unwrap();
    let (first, second) = (house.link("ann@example.org").await, house.link("ann@example.org").await);
    assert!(second.starts_with("btl_") && second.len() == 47);
    assert!(house.accounts.sign_in(&first).await.unwrap().is_none(), "replaced");
    assert!(house.accounts.sign_in("btl_guessed").await.unwrap().is_none());
    house.clock.advance(Duration::from_secs(30 * 60 - 1));
    assert!(house.accounts.sign_in(&second).await.unwrap().is_some());
    assert!(house.accounts.sign_in(&second).await.unwrap().is_none(), "spent");
    let late = house.link("ann@example.org").await;
    house.clock.advance(Duration::from_secs(30 * 60));
    assert!(house.accounts.sign_in(&late).await.unwrap().is_none());
    assert_eq!(house.accounts.sign_in_link("eve@example.org").await.unwrap(), None);
}

#[tokio::test]
async fn a_session_lives_thirty_days_or_until_its_person_signs_out() {
    let house = house();
    house.accounts.add("ann@example.org", Locale::En).await.unwrap();
    let mut sessions = Vec::new();
    for _ in 0..2 {
        let link = house.link("ann@example.org").await;
        sessions.push(house.accounts.sign_in(&link).await.unwrap().unwrap());
    }
    let [laptop, phone] = &sessions[..] else { panic!("two sessions") };
    assert!(laptop.token().starts_with("bts_") && laptop.token() != phone.token());
    let found = house.accounts.session(laptop.token()).await.unwrap().unwrap();
    assert!(found == *laptop && found.is_own_form(&laptop.csrf()));
    assert!(!found.is_own_form(&phone.csrf()) && !found.is_own_form("") && !found.is_own_form(laptop.token()));
    assert!(!laptop.csrf().contains(laptop.token()));
    assert!(house.accounts.session("bts_guessed").await.unwrap().is_none());
    house.clock.advance(Duration::from_secs(30 * 24 * 3600 - 1));
    assert!(house.accounts.session(phone.token()).await.unwrap().is_some());
    house.accounts.sign_out(&laptop.user.id).await.unwrap();
    assert!(house.accounts.session(phone.token()).await.unwrap().is_none(), "on every device");
    let link = house.link("ann@example.org").await;
    let session = house.accounts.sign_in(&link).await.unwrap().unwrap();
    house.clock.advance(Duration::from_secs(30 * 24 * 3600));
    assert!(house.accounts.session(session.token()).await.unwrap().is_none());
}

#[tokio::test]
async fn mail_goes_to_people_with_an_account_only() {
    let house = house();
    house.accounts.add("ann@example.org", Locale::En).await.unwrap();
    house.accounts.send_sign_in_link("eve@example.org").await.unwrap();
    house.accounts.send_sign_in_link("Ann@example.org").await.unwrap();
    let sent = house.post.0.lock().unwrap().clone();
    let [(to, address)] = &sent[..] else { panic!("one mail: {sent:?}") };
    assert_eq!(to, "ann@example.org");
    let token = address.rsplit_once('=').unwrap().1;
    assert!(house.accounts.sign_in(token).await.unwrap().is_some());
}
