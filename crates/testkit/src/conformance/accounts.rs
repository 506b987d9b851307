//! The suite of `AccountStore`.

mod sessions;
mod signing_in;

use std::{sync::Arc, time::Duration};

use btp_accounts::{
    Locale, User,
    store::{AccountStore, AccountStoreError, NewSession, Purpose, SignedIn},
};
use btp_kernel::{Timestamp, UserId, entropy::hex};
use signing_in::End;
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

/// Begins a session as its person does: by a link.
pub async fn signed_in(store: &dyn AccountStore, user: &UserId, session: &NewSession) {
    let person = store.user(user).await.unwrap().unwrap();
    let link = format!("link of {}", session.key);
    store.put_link(&link, &signing_in::of(&person), session.expires).await.unwrap();
    let signed = store.sign_in(&link, session, &UserId("a newcomer".to_owned())).await.unwrap();
    assert_eq!(signed, Some(SignedIn { user: person, is_new: false }));
}

/// Every rule of [`AccountStore`]; `fresh` gives a store over an empty database.
///
/// Run it on a multi-threaded runtime, so that the races are real.
pub async fn accounts(fresh: impl AsyncFn() -> Arc<dyn AccountStore>) {
    people(&*fresh().await).await;
    signing_in::links(&*fresh().await).await;
    signing_in::newcomers(&*fresh().await).await;
    signing_in::former_addresses(&*fresh().await).await;
    signing_in::one_spender_a_link(fresh().await).await;
    signing_in::ends_with(End::Address, fresh().await).await;
    signing_in::ends_with(End::Person, fresh().await).await;
    sessions::turns(&*fresh().await).await;
    sessions::ending(&*fresh().await).await;
    sessions::one_offer(fresh().await).await;
    change_of_address(&*fresh().await).await;
    deletion(&*fresh().await).await;
    one_person_an_address(fresh().await).await;
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

async fn change_of_address(store: &dyn AccountStore) {
    let (ann, bob) = (person("ann"), person("bob"));
    store.add_user(&ann).await.unwrap();
    store.add_user(&bob).await.unwrap();
    let to = |email: &str| Purpose::ChangeEmail(ann.id.clone(), email.parse().unwrap());
    store.put_link("new", &to("anna@example.org"), at(60)).await.unwrap();
    store.put_link("bobs", &to("bob@example.org"), at(60)).await.unwrap();
    for (key, user) in [("here", &ann), ("there", &ann), ("over", &ann), ("bobs", &bob)] {
        signed_in(store, &user.id, &sessions::new(key)).await;
    }
    for (digest, user) in [("sign-in", &ann), ("of bob", &bob)] {
        store.put_link(digest, &signing_in::of(user), at(60)).await.unwrap();
    }
    store.end_session("over").await.unwrap();
    for keep in ["over", "bobs", "unknown"] {
        let refused = store.change_email("new", &ann.id, Some(keep), at(1)).await.unwrap();
        assert_eq!(refused, None, "{keep}: whoever was signed out meanwhile changes nothing");
    }
    let change = async |link: &str, user: &UserId, now| store.change_email(link, user, Some("here"), now).await;
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

    store.put_link("back", &to("ann@example.org"), at(60)).await.unwrap();
    assert!(store.change_email("back", &ann.id, None, at(1)).await.unwrap().is_some());
    assert!(!lives("here").await, "none is kept");
}

async fn deletion(store: &dyn AccountStore) {
    let ann = person("ann");
    store.add_user(&ann).await.unwrap();
    signed_in(store, &ann.id, &sessions::new("session")).await;
    store.put_link("link", &signing_in::of(&ann), at(60)).await.unwrap();
    assert!(store.delete_user(&ann.id).await.unwrap());
    assert!(!store.delete_user(&ann.id).await.unwrap());
    assert_eq!(store.user_by_email(&ann.email).await.unwrap(), None);
    assert_eq!(store.link("link", at(1)).await.unwrap(), None);
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
