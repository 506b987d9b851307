//! Two processes on one PostgreSQL.

use std::time::Duration;

use btp_domain::{
    Trip,
    store::{Change, StoreError, Stored},
};
use btp_oauth::store::{Client, Redeemed, Rotated, ended};
use btp_storage::Stores;
use btp_testkit::conformance::{ann, authorized};
use sea_orm::{ConnectionTrait, DbBackend, Statement, TransactionTrait};
use tokio::task::JoinSet;

use crate::{
    databases::{Scratch, add_person},
    samples::{HOLD, NOW, code, new, refresh, trip},
};

const RACERS: usize = 40;

/// Two processes' worth of stores, and ann.
async fn two() -> (Scratch, [Stores; 2]) {
    let scratch = Scratch::postgres().await;
    let one = scratch.migrated().await;
    add_person(&one, &ann()).await;
    let other = scratch.connect().await;
    (scratch, [one, other])
}

/// What each of many racers, half in each process, gets.
async fn race<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    processes: &[Stores; 2],
    racer: impl Fn(Stores, usize) -> F,
) -> Vec<T> {
    let mut racers = JoinSet::new();
    for number in 0..RACERS {
        racers.spawn(racer(processes[number % 2].clone(), number));
    }
    racers.join_all().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_creation_a_key() {
    let (_scratch, processes) = two().await;
    let outcomes = race(&processes, async |stores: Stores, number| {
        stores.trips().create(new(&format!("t{number}"), "key", 1)).await.unwrap()
    })
    .await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Stored::New).count(), 1);
    let first = outcomes.iter().find_map(|outcome| match outcome {
        Stored::Existing(creation) => Some(creation.clone()),
        Stored::New => None,
    });
    let same = |outcome: &Stored| matches!(outcome, Stored::Existing(it) if Some(it) == first.as_ref());
    assert_eq!(outcomes.iter().filter(|outcome| same(outcome)).count(), RACERS - 1, "all others are told of it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_job_has_one_holder() {
    let (_scratch, processes) = two().await;
    processes[0].trips().create(new("t1", "key", RACERS / 2)).await.unwrap();
    let mut held: Vec<_> = race(&processes, async |stores: Stores, number| {
        stores.jobs().claim(&format!("w{number}"), NOW, HOLD).await.unwrap().map(|job| job.lease.job.0)
    })
    .await
    .into_iter()
    .flatten()
    .collect();
    held.sort();
    held.dedup();
    assert_eq!(held.len(), RACERS / 2, "none doubled, none missed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_writer_a_version_while_the_trip_is_deleted() {
    let (_scratch, processes) = two().await;
    processes[0].trips().create(new("t1", "key", 1)).await.unwrap();
    let outcomes = race(&processes, async |stores: Stores, number| {
        if number == RACERS / 2 {
            assert!(stores.trips().delete(&ann(), &"t1".into()).await.unwrap());
            return Err(StoreError::Gone);
        }
        let trip = Trip { version: 2, ..trip("t1") };
        let jobs = new("t1", "", number + 2).jobs.split_off(number + 1);
        stores.trips().commit(Change { trip, read: 1, line: None, former: None, jobs, finishes: None }).await
    })
    .await;
    assert!(outcomes.iter().filter(|outcome| outcome.is_ok()).count() <= 1);
    for outcome in outcomes {
        assert!(matches!(outcome, Ok(()) | Err(StoreError::Gone | StoreError::Moved(2))), "{outcome:?}");
    }
    assert_eq!(processes[1].jobs().claim("w", NOW, HOLD).await.unwrap(), None, "its jobs went with it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_wakes_every_waiting_process_at_once() {
    let (_scratch, processes) = two().await;
    let (soon, long) = (Duration::from_secs(30), Duration::from_secs(600));
    let mut workers = JoinSet::new();
    for stores in processes.clone() {
        let (jobs, trips) = (stores.jobs(), stores.trips());
        workers.spawn(async move {
            tokio::time::timeout(soon, async {
                while trips.find(&ann(), &"t1".into()).await.unwrap().is_none() {
                    jobs.wait(long).await;
                }
            })
            .await
        });
    }
    processes[0].trips().create(new("t1", "key", 1)).await.unwrap();
    assert!(workers.join_all().await.iter().all(Result::is_ok), "the workers of both processes see it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_redemption_a_code_and_one_successor_a_token() {
    let (_scratch, processes) = two().await;
    authorized(&*processes[0].grants(), &code("code")).await;
    let redeemed = race(&processes, async |stores: Stores, number| {
        let family = format!("family{number}");
        stores.grants().redeem("code", &family, &refresh(format!("r{number}")), NOW).await.unwrap()
    })
    .await;
    assert_eq!(redeemed.iter().filter(|outcome| **outcome == Redeemed::Fresh).count(), 1);
    assert_eq!(redeemed.iter().filter(|outcome| **outcome == Redeemed::Replayed).count(), RACERS - 1);

    authorized(&*processes[0].grants(), &code("second")).await;
    processes[1].grants().redeem("second", "family", &refresh("token"), NOW).await.unwrap();
    let rotated = race(&processes, async |stores: Stores, number| {
        stores.grants().rotate("token", &refresh(format!("s{number}")), None, NOW).await.unwrap()
    })
    .await;
    assert_eq!(rotated.iter().filter(|outcome| **outcome == Rotated::Fresh).count(), 1);
    assert_eq!(rotated.iter().filter(|outcome| **outcome == Rotated::Already).count(), RACERS - 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_cuts_every_connection_is_found_again() {
    let (scratch, processes) = two().await;
    let worker = processes[1].clone();
    worker.jobs().wait(HOLD).await;
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    scratch.raw().await.execute_unprepared(cut).await.unwrap();
    let waiting = tokio::spawn(async move {
        while worker.jobs().claim("w", NOW, HOLD).await.unwrap().is_none() {
            worker.jobs().wait(Duration::from_millis(100)).await;
        }
    });
    processes[0].trips().create(new("t1", "key", 1)).await.unwrap();
    tokio::time::timeout(Duration::from_secs(30), waiting).await.unwrap().unwrap();
}

/// Whoever ends access takes grants before codes and codes before requests.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_is_disabled_while_its_person_revokes_it() {
    let (scratch, [one, other]) = two().await;
    let agent = Client {
        id: code("first").client,
        name: "An agent".to_owned(),
        redirect_uris: Vec::new(),
        disabled: false,
        created_at: NOW,
        document: None,
    };
    one.grants().put_client(&agent).await.unwrap();
    authorized(&*one.grants(), &code("first")).await;
    one.grants().redeem("first", "family", &refresh("token"), NOW).await.unwrap();
    authorized(&*one.grants(), &code("second")).await;
    let raw = scratch.raw().await;
    let waiting = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let until = async |number| {
        let look = || Statement::from_string(DbBackend::Postgres, waiting);
        while raw.query_all_raw(look()).await.unwrap().len() < number {}
    };
    let held = raw.begin().await.unwrap();
    held.execute_unprepared("SELECT id FROM oauth_grants FOR UPDATE").await.unwrap();
    let revoking = tokio::spawn(async move { one.grants().revoke_grants(&ann(), None, ended::USER, NOW).await });
    until(1).await;
    let disabling = tokio::spawn(async move { other.grants().disable_client(&agent.id, NOW).await });
    until(2).await;
    held.rollback().await.unwrap();
    assert_eq!(revoking.await.unwrap().unwrap(), 1);
    assert!(disabling.await.unwrap().unwrap());
}

/// Redemptions of many codes of one grant, in two processes, while the person is deleted: nobody deadlocks, nothing stays.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_is_deleted_amid_redemptions() {
    let (_scratch, processes) = two().await;
    for number in 0..RACERS {
        authorized(&*processes[0].grants(), &code(&format!("code{number}"))).await;
    }
    let outcomes = race(&processes, async |stores: Stores, number| {
        if number == RACERS / 2 {
            assert!(stores.accounts().delete_user(&ann()).await.unwrap());
            return Redeemed::Dead;
        }
        let family = format!("family{number}");
        stores.grants().redeem(&format!("code{number}"), &family, &refresh(format!("r{number}")), NOW).await.unwrap()
    })
    .await;
    assert!(outcomes.iter().all(|outcome| *outcome != Redeemed::Replayed), "{outcomes:?}");
    for number in 0..RACERS {
        assert_eq!(processes[1].grants().live(&format!("family{number}")).await.unwrap(), None);
    }
}
