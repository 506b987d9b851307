//! Sessions and their turns.

use std::{sync::Arc, time::Duration};

use btp_accounts::store::{AccountStore, Former, NewSession, StoredSession, Successor};
use btp_kernel::Timestamp;
use tokio::task::JoinSet;

use super::{NOW, RACERS, at, person, signed_in};

/// A session of which the first turn is "first" and that lives a minute.
pub(super) fn new(key: &str) -> NewSession {
    since(key, NOW)
}

/// The same from then on.
pub(super) fn since(key: &str, since: Timestamp) -> NewSession {
    let (key, current) = (key.to_owned(), "first".to_owned());
    NewSession { key, current, since, expires: since.plus(Duration::from_secs(60)) }
}

fn successor(turn: &str) -> Successor {
    Successor { turn: turn.to_owned(), salt: format!("salt of {turn}") }
}

pub(super) async fn turns(store: &dyn AccountStore) {
    let ann = person("ann");
    store.add_user(&ann).await.unwrap();
    signed_in(store, &ann.id, &new("key")).await;
    let session = async |second| store.session("key", at(second)).await.unwrap();
    let first = StoredSession {
        key: "key".to_owned(),
        user: ann.clone(),
        current: "first".to_owned(),
        since: NOW,
        next: None,
        former: None,
    };
    assert_eq!(session(59).await, Some(first.clone()));
    store.take_turn("key", "second", at(1), at(90)).await.unwrap();
    assert_eq!(session(1).await, Some(first.clone()), "nobody takes over who was not offered");

    let offer = async |turn, next| store.offer("key", turn, &successor(next)).await.unwrap();
    assert_eq!(offer("other", "second").await, None, "an offer is for the turn in use");
    assert_eq!(offer("first", "second").await, Some(successor("second")));
    assert_eq!(offer("first", "rival").await, Some(successor("second")), "the first offer holds");
    assert_eq!(store.offer("unknown", "first", &successor("second")).await.unwrap(), None);
    let offered = StoredSession { next: Some(successor("second")), ..first.clone() };
    assert_eq!(session(1).await, Some(offered.clone()));

    store.take_turn("key", "rival", at(10), at(90)).await.unwrap();
    assert_eq!(session(10).await, Some(offered), "only the one on offer takes over");
    store.take_turn("key", "second", at(10), at(90)).await.unwrap();
    let former = Former { turn: "first".to_owned(), salt: "salt of second".to_owned(), until: at(10) };
    let second = StoredSession { current: "second".to_owned(), since: at(10), former: Some(former), ..first };
    assert_eq!(session(89).await, Some(second.clone()), "and the session lives on");
    store.take_turn("key", "second", at(20), at(99)).await.unwrap();
    assert_eq!(session(20).await, Some(second), "once");
    assert_eq!(session(90).await, None, "dead from its expiry on");
    assert_eq!(offer("first", "third").await, None, "the turn has passed");
}

pub(super) async fn ending(store: &dyn AccountStore) {
    let (ann, bob) = (person("ann"), person("bob"));
    for (user, keys) in [(&ann, &["laptop", "phone", "tablet"][..]), (&bob, &["bobs"])] {
        store.add_user(user).await.unwrap();
        for key in keys {
            signed_in(store, &user.id, &new(key)).await;
        }
    }
    let lives = async |key| store.session(key, at(1)).await.unwrap().is_some();
    assert!(!lives("unknown").await);
    store.end_session("laptop").await.unwrap();
    store.end_session("unknown").await.unwrap();
    assert!(!lives("laptop").await && lives("phone").await);
    store.end_sessions(&ann.id).await.unwrap();
    assert!(!lives("phone").await && !lives("tablet").await, "every session of the person ends");
    assert!(lives("bobs").await, "and no one else's");
}

pub(super) async fn one_offer(store: Arc<dyn AccountStore>) {
    let ann = person("ann");
    store.add_user(&ann).await.unwrap();
    signed_in(&*store, &ann.id, &new("key")).await;
    let mut race = JoinSet::new();
    for racer in 0..RACERS {
        let store = store.clone();
        race.spawn(async move { store.offer("key", "first", &successor(&racer.to_string())).await.unwrap() });
    }
    let given = race.join_all().await;
    let stored = store.session("key", at(1)).await.unwrap().unwrap().next;
    assert!(stored.is_some() && given.iter().all(|offer| *offer == stored), "everyone is given the same: {given:?}");
}
