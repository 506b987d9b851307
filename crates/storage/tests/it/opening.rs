//! Connecting, the serving lock, and what a busy or missing database says.

use btp_domain::{
    Trip,
    store::{NewTrip, StoreError, TripQuery},
};
use btp_kernel::{Timestamp, chain};
use btp_storage::{ConnectError, LockError, connect, file_url, lock_for_serving};
use btp_testkit::conformance::ann;
use sea_orm::ConnectionTrait;

use crate::{
    databases::{Scratch, add_person},
    samples::{new, trip},
};

#[tokio::test]
async fn a_wrong_address_is_told_apart_from_an_absent_database() {
    for address in ["", "trips.db", "mysql://localhost/trips"] {
        assert!(matches!(connect(address).await, Err(ConnectError::Address)), "{address}");
    }
    let dir = tempfile::tempdir().unwrap();
    let missing = file_url(&dir.path().join("no/such/folder/trips.db"));
    for (address, why) in
        [(missing.as_str(), "unable to open database file"), ("postgres://nobody@127.0.0.1:1/x", "Connection refused")]
    {
        let refused = connect(address).await.err().unwrap();
        assert!(matches!(refused, ConnectError::Unreachable(_)), "{address}");
        assert!(chain(&refused).contains(why), "{}", chain(&refused));
    }
}

#[tokio::test]
async fn both_databases_answer() {
    for scratch in [Scratch::sqlite(), Scratch::postgres().await] {
        scratch.connect().await.ping().await.unwrap();
    }
}

#[test]
fn one_process_serves_from_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("trips.db");
    let held = lock_for_serving(&file).unwrap();
    let refused = lock_for_serving(&file);
    assert!(matches!(&refused, Err(LockError::Held(of)) if *of == file), "{refused:?}");
    drop(held);
    lock_for_serving(&file).unwrap();
    assert!(matches!(lock_for_serving(&dir.path().join("no/trips.db")), Err(LockError::File(..))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_writes_beside_the_server() {
    let scratch = Scratch::sqlite();
    let (server, command) = (scratch.migrated().await, scratch.connect().await);
    let mut writers = tokio::task::JoinSet::new();
    for number in 0..40 {
        let stores = if number % 2 == 0 { server.clone() } else { command.clone() };
        writers.spawn(async move { add_person(&stores, &format!("person{number}").as_str().into()).await });
    }
    writers.join_all().await;
    assert_eq!(server.accounts().users().await.unwrap().len(), 40);
}

#[tokio::test]
async fn a_held_file_is_busy_for_writers_only() {
    let scratch = Scratch::sqlite();
    let stores = scratch.migrated().await;
    let other = scratch.raw().await;
    other.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    let put = stores.confirmations().put("token", "binding", Timestamp::from_seconds(1)).await;
    assert!(matches!(put, Err(StoreError::Busy(_))), "{put:?}");
    assert_eq!(stores.trips().find(&ann(), &"t1".into()).await.unwrap(), None, "readers do not wait");
}

#[tokio::test]
async fn a_failure_says_why_once() {
    for scratch in [Scratch::sqlite(), Scratch::postgres().await] {
        let stores = scratch.connect().await;
        let failed = stores.confirmations().take("token", Timestamp::from_seconds(1)).await.unwrap_err();
        assert!(matches!(failed, StoreError::Failed(_)), "{failed:?}");
        let text = chain(&failed);
        assert!(text.starts_with("storage failed: the database refused: ") && text.contains("confirmations"), "{text}");
        assert_eq!(failed.to_string(), "storage failed", "nothing internal without the chain");
    }
}

/// U+0000 cannot be in a text of PostgreSQL: what is looked up by it is not there, like anything else unknown.
#[tokio::test]
async fn no_text_makes_a_look_up_fail() {
    for scratch in [Scratch::sqlite(), Scratch::postgres().await] {
        let stores = scratch.migrated().await;
        add_person(&stores, &ann()).await;
        let titled = Trip { title: Some("To the\0 sea".to_owned()), ..trip("t1") };
        stores.trips().create(NewTrip { trip: titled, ..new("t1", "key", 0) }).await.unwrap();
        for text in ["\0", "a\0b", "'; DROP TABLE trips; --", "\u{10ffff}", &"x".repeat(100_000)] {
            let (trips, grants) = (stores.trips(), stores.grants());
            assert_eq!(trips.find(&ann(), &text.into()).await.unwrap(), None);
            assert_eq!(trips.line(&ann(), &text.into()).await.unwrap(), None);
            assert!(!trips.delete(&ann(), &text.into()).await.unwrap());
            assert_eq!(trips.link(&ann(), &text.into()).await.unwrap(), None);
            assert_eq!(grants.client(&text.into()).await.unwrap(), None);
            assert_eq!(stores.accounts().user(&text.into()).await.unwrap(), None);
            let query = TripQuery { page: 1, per_page: 30, title: Some(text.to_owned()), start: None, end: None };
            assert_eq!(trips.list(&ann(), &query).await.unwrap().total, 0);
        }
        let kept = stores.trips().find(&ann(), &"t1".into()).await.unwrap().unwrap();
        assert_eq!(kept.title.as_deref(), Some("To the sea"), "it is left out of what is stored");
    }
}
