//! The suite of `AccountStore`.

mod sessions;

use std::{sync::Arc, time::Duration};

use btp_accounts::{
    Locale, User,
    store::{AccountStore, AccountStoreError, Purpose},
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
    sessions::turns(&*fresh().await).await;
    sessions::ending(&*fresh().await).await;
    sessions::one_offer(fresh().await).await;
    change_of_address(&*fresh().await).await;
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
    store.set_locale(&ann.id, Locale::En).await.unwrap();
    store.set_locale(&"nobody".into(), Locale::En).await.unwrap();
    assert_eq!(store.user(&ann.id).await.unwrap(), Some(User { locale: Locale::En, ..ann }));
}

async fn links(store: &dyn AccountStore) {
    let (ann, bob) = (person("ann"), person("bob"));
    store.add_user(&ann).await.unwrap();
    store.add_user(&bob).await.unwrap();
    let eve = "eve@example.org".parse().unwrap();
    let purposes = [
        Purpose::SignIn(ann.id.clone()),
        Purpose::SignIn(ann.id.clone()),
        Purpose::SignUp(eve, Locale::Fr),
        Purpose::ChangeEmail(bob.id.clone(), "robert@example.org".parse().unwrap()),
    ];
    for (number, purpose) in purposes.iter().enumerate() {
        store.put_link(&number.to_string(), purpose, at(60)).await.unwrap();
    }
    for (number, purpose) in purposes.iter().enumerate() {
        let digest = number.to_string();
        assert_eq!(store.link(&digest, at(60)).await.unwrap(), None, "dead from its expiry on");
        for _ in 0..2 {
            assert_eq!(store.link(&digest, at(59)).await.unwrap().as_ref(), Some(purpose), "looking spends nothing");
        }
        assert_eq!(store.take_link(&digest, at(59)).await.unwrap().as_ref(), Some(purpose), "nor did the other links");
        assert_eq!(store.take_link(&digest, at(59)).await.unwrap(), None, "spent");
        assert_eq!(store.link(&digest, at(1)).await.unwrap(), None);
    }
    store.put_link("late", &purposes[0], at(60)).await.unwrap();
    assert_eq!(store.take_link("late", at(60)).await.unwrap(), None);
    assert_eq!(store.take_link("unknown", at(1)).await.unwrap(), None);
}

async fn change_of_address(store: &dyn AccountStore) {
    let (ann, bob) = (person("ann"), person("bob"));
    store.add_user(&ann).await.unwrap();
    store.add_user(&bob).await.unwrap();
    let to = |email: &str| Purpose::ChangeEmail(ann.id.clone(), email.parse().unwrap());
    store.put_link("new", &to("anna@example.org"), at(60)).await.unwrap();
    store.put_link("bobs", &to("bob@example.org"), at(60)).await.unwrap();
    for (digest, user) in [("sign-in", &ann), ("of bob", &bob)] {
        store.put_link(digest, &Purpose::SignIn(user.id.clone()), at(60)).await.unwrap();
    }
    for (key, user) in [("here", &ann), ("there", &ann), ("bobs", &bob)] {
        store.put_session(&sessions::new(key, &user.id)).await.unwrap();
    }
    let change = async |link: &str, user: &UserId, now| store.change_email(link, user, "here", now).await;
    assert_eq!(change("unknown", &ann.id, at(1)).await.unwrap(), None);
    assert_eq!(change("sign-in", &ann.id, at(1)).await.unwrap(), None, "a link for something else");
    assert_eq!(change("new", &bob.id, at(1)).await.unwrap(), None, "another person's");
    assert_eq!(change("new", &ann.id, at(60)).await.unwrap(), None, "too late");
    let taken = change("bobs", &ann.id, at(1)).await;
    assert!(matches!(taken, Err(AccountStoreError::EmailTaken)), "{taken:?}");
    for digest in ["sign-in", "new"] {
        assert!(store.link(digest, at(1)).await.unwrap().is_some(), "{digest}: what is refused changes nothing");
    }
    assert!(store.session("there", at(1)).await.unwrap().is_some());

    assert_eq!(change("new", &ann.id, at(1)).await.unwrap(), Some(ann.clone()), "the person as they were");
    let email = "anna@example.org".parse().unwrap();
    assert_eq!(store.user(&ann.id).await.unwrap(), Some(User { email, ..ann.clone() }));
    assert_eq!(store.user_by_email(&ann.email).await.unwrap(), None);
    assert_eq!(change("new", &ann.id, at(1)).await.unwrap(), None, "spent");
    assert_eq!(store.link("sign-in", at(1)).await.unwrap(), None, "what went to the former address is dead");
    let lives = async |key| store.session(key, at(1)).await.unwrap().is_some();
    assert!(lives("here").await && !lives("there").await, "every session ends but the one that is kept");
    assert!(lives("bobs").await && store.link("of bob", at(1)).await.unwrap().is_some(), "nothing of anyone else");
}

async fn deletion(store: &dyn AccountStore) {
    let ann = person("ann");
    store.add_user(&ann).await.unwrap();
    store.put_link("link", &Purpose::SignIn(ann.id.clone()), at(60)).await.unwrap();
    store.put_session(&sessions::new("session", &ann.id)).await.unwrap();
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
    let purpose = Purpose::SignIn(ann.id.clone());
    store.put_link("link", &purpose, at(60)).await.unwrap();
    let mut race = JoinSet::new();
    for _ in 0..RACERS {
        let store = store.clone();
        race.spawn(async move { store.take_link("link", at(1)).await.unwrap() });
    }
    let spenders: Vec<_> = race.join_all().await.into_iter().flatten().collect();
    assert_eq!(spenders, [purpose]);
}
