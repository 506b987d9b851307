//! The suite of `AccountStore`.

use std::{sync::Arc, time::Duration};

use btp_accounts::{
    Locale, User,
    store::{AccountStore, AccountStoreError},
};
use btp_kernel::{Timestamp, UserId, entropy::hex};
use tokio::task::JoinSet;

/// Times of the suite count from here.
pub(super) const NOW: Timestamp = Timestamp::from_seconds(1_780_300_800);
/// How many racers a race has.
pub(super) const RACERS: usize = 50;

/// `NOW` plus seconds.
pub(super) fn at(seconds: u64) -> Timestamp {
    NOW.plus(Duration::from_secs(seconds))
}

/// A person `name@example.org`; the name has at most six letters.
pub(super) fn person(name: &str) -> User {
    User {
        id: UserId(format!("0197a000-0000-7000-8000-{:0>12}", hex(name.as_bytes()))),
        email: format!("{name}@example.org").parse().expect("a legal address"),
        locale: Locale::Fr,
        created_at: NOW,
    }
}

/// Every rule of [`AccountStore`]; `fresh` gives a store over an empty database.
///
/// Run it on a multi-threaded runtime, so that the races are real.
pub async fn accounts(fresh: impl AsyncFn() -> Arc<dyn AccountStore>) {
    people(&*fresh().await).await;
    links(&*fresh().await).await;
    sessions(&*fresh().await).await;
    deletion(&*fresh().await).await;
    one_person_an_address(fresh().await).await;
    one_spender_a_link(fresh().await).await;
}

async fn people(store: &dyn AccountStore) {
    let (ann, bob) = (person("ann"), person("bob"));
    assert_eq!(store.users().await.unwrap(), []);
    store.add_user(&bob).await.unwrap();
    store.add_user(&ann).await.unwrap();
    let taken = store.add_user(&User { id: "0197a000-0000-7000-8000-000000000009".into(), ..ann.clone() }).await;
    assert!(matches!(taken, Err(AccountStoreError::EmailTaken)), "{taken:?}");
    assert_eq!(store.users().await.unwrap(), [ann.clone(), bob.clone()], "by address");
    assert_eq!(store.user(&ann.id).await.unwrap(), Some(ann.clone()));
    assert_eq!(store.user_by_email(&bob.email).await.unwrap(), Some(bob));
    assert_eq!(store.user(&"nobody".into()).await.unwrap(), None);
    assert_eq!(store.user_by_email(&"eve@example.org".parse().unwrap()).await.unwrap(), None);
}

async fn links(store: &dyn AccountStore) {
    let (ann, bob) = (person("ann"), person("bob"));
    store.add_user(&ann).await.unwrap();
    store.add_user(&bob).await.unwrap();
    store.put_link("first", &ann.id, at(60)).await.unwrap();
    store.put_link("second", &ann.id, at(60)).await.unwrap();
    store.put_link("bobs", &bob.id, at(60)).await.unwrap();
    assert_eq!(store.take_link("first", at(1)).await.unwrap(), None, "a later link replaces it");
    assert_eq!(store.take_link("second", at(59)).await.unwrap(), Some(ann.id.clone()));
    assert_eq!(store.take_link("second", at(59)).await.unwrap(), None, "spent");
    assert_eq!(store.take_link("bobs", at(60)).await.unwrap(), None, "dead from its expiry on");
    assert_eq!(store.take_link("unknown", at(1)).await.unwrap(), None);
}

async fn sessions(store: &dyn AccountStore) {
    let (ann, bob) = (person("ann"), person("bob"));
    store.add_user(&ann).await.unwrap();
    store.add_user(&bob).await.unwrap();
    store.put_session("laptop", &ann.id, at(60)).await.unwrap();
    store.put_session("phone", &ann.id, at(90)).await.unwrap();
    store.put_session("bobs", &bob.id, at(60)).await.unwrap();
    assert_eq!(store.session("laptop", at(59)).await.unwrap(), Some(ann.clone()));
    assert_eq!(store.session("laptop", at(60)).await.unwrap(), None, "dead from its expiry on");
    assert_eq!(store.session("unknown", at(1)).await.unwrap(), None);
    store.end_sessions(&ann.id).await.unwrap();
    assert_eq!(store.session("phone", at(1)).await.unwrap(), None, "every session of the person ends");
    assert_eq!(store.session("bobs", at(1)).await.unwrap(), Some(bob), "and no one else's");
}

async fn deletion(store: &dyn AccountStore) {
    let ann = person("ann");
    store.add_user(&ann).await.unwrap();
    store.put_link("link", &ann.id, at(60)).await.unwrap();
    store.put_session("session", &ann.id, at(60)).await.unwrap();
    assert!(store.delete_user(&ann.id).await.unwrap());
    assert!(!store.delete_user(&ann.id).await.unwrap());
    assert_eq!(store.user_by_email(&ann.email).await.unwrap(), None);
    assert_eq!(store.take_link("link", at(1)).await.unwrap(), None);
    assert_eq!(store.session("session", at(1)).await.unwrap(), None);
    let again = User { id: "0197a000-0000-7000-8000-000000000009".into(), ..ann };
    store.add_user(&again).await.unwrap();
    assert_eq!(store.session("session", at(1)).await.unwrap(), None, "an address taken again inherits nothing");
}

async fn one_person_an_address(store: Arc<dyn AccountStore>) {
    let mut race = JoinSet::new();
    for racer in 0..RACERS {
        let store = store.clone();
        let id = UserId(format!("0197a000-0000-7000-8000-{racer:012}"));
        race.spawn(async move { store.add_user(&User { id, ..person("ann") }).await });
    }
    let outcomes = race.join_all().await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Ok(()) | Err(AccountStoreError::EmailTaken))));
    assert_eq!(store.users().await.unwrap().len(), 1);
}

async fn one_spender_a_link(store: Arc<dyn AccountStore>) {
    let ann = person("ann");
    store.add_user(&ann).await.unwrap();
    store.put_link("link", &ann.id, at(60)).await.unwrap();
    let mut race = JoinSet::new();
    for _ in 0..RACERS {
        let store = store.clone();
        race.spawn(async move { store.take_link("link", at(1)).await.unwrap() });
    }
    let spenders: Vec<_> = race.join_all().await.into_iter().flatten().collect();
    assert_eq!(spenders, [ann.id]);
}
