//! Two processes on one PostgreSQL.

use std::time::Duration;

use btp_domain::{
    Computation, Computations, Readiness, Settings, SourceKind, SourceRef, Trip,
    store::{Change, CreationKey, Job, JobId, NewJob, NewTrip, StoreError, Stored},
};
use btp_kernel::{Scopes, Timestamp};
use btp_oauth::store::{Code, Redeemed, Refresh, Rotated};
use btp_storage::Stores;
use btp_testkit::conformance::ann;
use tokio::task::JoinSet;

use crate::databases::{Scratch, add_person};

const NOW: Timestamp = Timestamp::from_seconds(1_780_300_800);
const HOLD: Duration = Duration::from_secs(60);
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

fn trip(id: &str) -> Trip {
    Trip {
        id: id.into(),
        owner: ann(),
        title: None,
        source: SourceRef { kind: SourceKind::KomootTour, id: "1".to_owned(), token: None },
        settings: Settings::default(),
        readiness: Readiness::Draft,
        version: 1,
        zone: None,
        out_of_zone: false,
        computations: Computations { route: Computation::Running },
        failure: None,
        warnings: Vec::new(),
        stages: Vec::new(),
        created_at: NOW,
        updated_at: NOW,
    }
}

fn new(id: &str, key: &str, jobs: usize) -> NewTrip {
    let job = |number| NewJob {
        id: JobId(format!("{id}-{number}")),
        job: Job::FetchRoute { owner: ann(), trip: id.into() },
        due: NOW,
    };
    NewTrip {
        trip: trip(id),
        key: CreationKey(key.to_owned()),
        arguments: "digest".to_owned(),
        not_before: NOW.minus(HOLD),
        jobs: (0..jobs).map(job).collect(),
    }
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
        stores.trips().commit(Change { trip, read: 1, line: None, jobs, finishes: None }).await
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

fn code(digest: &str) -> Code {
    Code {
        digest: digest.to_owned(),
        user: ann(),
        client: "agent".into(),
        resource: "https://trips.example.org/mcp".to_owned(),
        scopes: Scopes::parse("trips:read"),
        redirect_uri: "http://127.0.0.1/callback".to_owned(),
        challenge: "challenge".to_owned(),
        expires: NOW.plus(HOLD),
        used: false,
        details: None,
    }
}

fn refresh(digest: impl Into<String>) -> Refresh {
    Refresh { digest: digest.into(), expires: NOW.plus(HOLD) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_redemption_a_code_and_one_successor_a_token() {
    let (_scratch, processes) = two().await;
    processes[0].grants().put_code(&code("code")).await.unwrap();
    let redeemed = race(&processes, async |stores: Stores, number| {
        let family = format!("family{number}");
        stores.grants().redeem("code", &family, &refresh(format!("r{number}")), NOW).await.unwrap()
    })
    .await;
    assert_eq!(redeemed.iter().filter(|outcome| **outcome == Redeemed::Fresh).count(), 1);
    assert_eq!(redeemed.iter().filter(|outcome| **outcome == Redeemed::Replayed).count(), RACERS - 1);

    processes[0].grants().put_code(&code("second")).await.unwrap();
    processes[1].grants().redeem("second", "family", &refresh("token"), NOW).await.unwrap();
    let rotated = race(&processes, async |stores: Stores, number| {
        stores.grants().rotate("token", &refresh(format!("s{number}")), NOW).await.unwrap()
    })
    .await;
    assert_eq!(rotated.iter().filter(|outcome| **outcome == Rotated::Fresh).count(), 1);
    assert_eq!(rotated.iter().filter(|outcome| **outcome == Rotated::Already).count(), RACERS - 1);
}

/// Redemptions of many codes of one grant, in two processes, while the person is deleted: nobody deadlocks, nothing stays.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_is_deleted_amid_redemptions() {
    let (_scratch, processes) = two().await;
    for number in 0..RACERS {
        processes[0].grants().put_code(&code(&format!("code{number}"))).await.unwrap();
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
