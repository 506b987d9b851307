//! What every `JobQueue` must do.

use std::time::Duration;

use btp_domain::store::{Change, Job, JobId, LeasedJob, NewTrip};
use btp_kernel::Timestamp;

use super::trips::{
    Stores, ann,
    sample::{at, job, new, next, trip},
};

const HOLD: Duration = Duration::from_secs(60);

/// Proves the queue; `fresh` gives new, empty stores each time it is called.
///
/// # Panics
/// When the queue does not do what the port says.
pub async fn jobs(fresh: impl AsyncFn() -> Stores) {
    the_oldest_due_job_comes_first(&fresh().await).await;
    one_of_twenty_workers_gets_it(&fresh().await).await;
    a_lease_runs_out_and_fences(&fresh().await).await;
    a_job_is_put_back_or_removed(&fresh().await).await;
    all_are_freed(&fresh().await).await;
    a_commit_wakes_the_worker(&fresh().await).await;
}

async fn given(stores: &Stores, jobs: &[(&str, i64)]) {
    let made = trip(&ann(), "t1", 0);
    let jobs = jobs.iter().map(|(id, second)| job(&made, id, *second)).collect();
    stores.trips.create(NewTrip { jobs, ..new(&made) }).await.unwrap();
}

async fn claim(stores: &Stores, token: &str, now: Timestamp) -> Option<LeasedJob> {
    stores.jobs.claim(token, now, HOLD).await.unwrap()
}

fn id(job: Option<LeasedJob>) -> Option<String> {
    job.map(|job| job.lease.job.0)
}

async fn the_oldest_due_job_comes_first(stores: &Stores) {
    assert_eq!(claim(stores, "w", at(0)).await, None);
    given(stores, &[("later", 20), ("first", 5), ("second", 10)]).await;
    assert_eq!(claim(stores, "w", at(4)).await, None, "none is due yet");
    let first = claim(stores, "w1", at(30)).await.unwrap();
    assert_eq!(first.lease.job, JobId::from("first"));
    assert_eq!(first.lease.token, "w1");
    assert_eq!(first.attempt, 1);
    assert_eq!(first.job, Job::FetchRoute { owner: ann(), trip: "t1".into() });
    assert_eq!(id(claim(stores, "w2", at(30)).await).as_deref(), Some("second"));
    assert_eq!(id(claim(stores, "w3", at(19)).await), None);
    assert_eq!(id(claim(stores, "w4", at(20)).await).as_deref(), Some("later"));
}

async fn one_of_twenty_workers_gets_it(stores: &Stores) {
    given(stores, &[("a", 0), ("b", 0), ("c", 0)]).await;
    let workers = (0..20).map(|number| {
        let jobs = stores.jobs.clone();
        tokio::spawn(async move { jobs.claim(&format!("w{number}"), at(1), HOLD).await.unwrap() })
    });
    let mut taken = Vec::new();
    for worker in workers.collect::<Vec<_>>() {
        taken.extend(id(worker.await.unwrap()));
    }
    taken.sort();
    assert_eq!(taken, ["a", "b", "c"], "each job has one holder, and no job is missed");
}

async fn a_lease_runs_out_and_fences(stores: &Stores) {
    given(stores, &[("j", 0)]).await;
    let first = claim(stores, "w1", at(0)).await.unwrap();
    assert_eq!(claim(stores, "w2", at(59)).await, None, "it is held");
    assert!(stores.jobs.renew(&first.lease, at(50), HOLD).await.unwrap());
    assert_eq!(claim(stores, "w2", at(109)).await, None, "it was renewed");
    let second = claim(stores, "w2", at(110)).await.unwrap();
    assert_eq!((second.attempt, second.lease.token.as_str()), (2, "w2"));

    assert!(!stores.jobs.renew(&first.lease, at(111), HOLD).await.unwrap());
    stores.jobs.put_back(&first.lease, at(0)).await.unwrap();
    stores.jobs.remove(&first.lease).await.unwrap();
    assert_eq!(claim(stores, "w3", at(112)).await, None, "who lost the lease neither frees nor removes the job");
    let made = trip(&ann(), "t1", 0);
    let late = stores.trips.commit(Change { finishes: Some(first.lease), ..next(&made) }).await;
    assert!(matches!(late, Err(btp_domain::store::StoreError::LeaseLost)), "{late:?}");
    assert_eq!(stores.trips.find(&ann(), &made.id).await.unwrap().unwrap().version, 1);

    assert!(stores.jobs.renew(&second.lease, at(500), HOLD).await.unwrap(), "out of time, but nobody took it");
    stores.trips.commit(Change { finishes: Some(second.lease), ..next(&made) }).await.unwrap();
    assert_eq!(claim(stores, "w3", at(9_999)).await, None);
}

async fn a_job_is_put_back_or_removed(stores: &Stores) {
    given(stores, &[("j", 0)]).await;
    let first = claim(stores, "w1", at(0)).await.unwrap();
    stores.jobs.put_back(&first.lease, at(30)).await.unwrap();
    assert!(!stores.jobs.renew(&first.lease, at(1), HOLD).await.unwrap(), "put back is let go");
    assert_eq!(claim(stores, "w2", at(29)).await, None);
    let second = claim(stores, "w2", at(30)).await.unwrap();
    assert_eq!(second.attempt, 2, "attempts are counted on");
    stores.jobs.remove(&second.lease).await.unwrap();
    assert_eq!(claim(stores, "w3", at(9_999)).await, None);
    stores.jobs.remove(&second.lease).await.unwrap();
    assert!(stores.trips.find(&ann(), &"t1".into()).await.unwrap().is_some(), "the trip stays");
}

async fn all_are_freed(stores: &Stores) {
    given(stores, &[("a", 0), ("b", 1), ("c", 2)]).await;
    let held = claim(stores, "w1", at(9)).await.unwrap();
    claim(stores, "w1", at(9)).await.unwrap();
    assert_eq!(stores.jobs.free_all().await.unwrap(), 2, "those that were held");
    assert!(!stores.jobs.renew(&held.lease, at(9), HOLD).await.unwrap());
    let again = claim(stores, "w2", at(9)).await.unwrap();
    assert_eq!((again.lease.job, again.attempt), (JobId::from("a"), 2));
    assert_eq!(id(claim(stores, "w2", at(9)).await).as_deref(), Some("b"));
    assert_eq!(id(claim(stores, "w2", at(9)).await).as_deref(), Some("c"));
}

async fn a_commit_wakes_the_worker(stores: &Stores) {
    let long = Duration::from_secs(600);
    let soon = Duration::from_secs(30);
    given(stores, &[("j1", 0)]).await;
    let woken = tokio::time::timeout(soon, stores.jobs.wait(long)).await;
    assert!(woken.is_ok(), "a job that came before the wait ends it at once");

    let made = trip(&ann(), "t1", 0);
    let waiting = tokio::spawn({
        let jobs = stores.jobs.clone();
        async move { tokio::time::timeout(soon, jobs.wait(long)).await }
    });
    stores.trips.commit(Change { jobs: vec![job(&made, "j2", 0)], ..next(&made) }).await.unwrap();
    assert!(waiting.await.unwrap().is_ok(), "so does one that comes while waiting");
    let idle = tokio::time::timeout(soon, stores.jobs.wait(Duration::from_millis(1))).await;
    assert!(idle.is_ok(), "without a job the wait ends in time");
}
