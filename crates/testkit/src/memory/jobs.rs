//! The job queue in memory.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use btp_domain::{
    TripId,
    store::{Job, JobQueue, Lease, LeasedJob, NewJob, StoreError},
};
use btp_kernel::Timestamp;
use tokio::sync::Notify;

/// A queue; clones share their jobs.
#[derive(Clone, Default)]
pub struct MemoryJobs(Arc<Queue>);

#[derive(Default)]
struct Queue {
    rows: Mutex<Vec<Row>>,
    arrived: Notify,
}

struct Row {
    job: NewJob,
    attempt: u32,
    hold: Option<Hold>,
}

struct Hold {
    token: String,
    until: Timestamp,
}

impl Row {
    fn is_held_by(&self, lease: &Lease) -> bool {
        self.job.id == lease.job && self.hold.as_ref().is_some_and(|hold| hold.token == lease.token)
    }

    fn is_free(&self, now: Timestamp) -> bool {
        self.job.due <= now && self.hold.as_ref().is_none_or(|hold| hold.until <= now)
    }
}

/// The queue while nobody else can use it: what a write to the trips does to it in the same step.
pub(super) struct Locked<'a> {
    rows: MutexGuard<'a, Vec<Row>>,
    arrived: &'a Notify,
}

impl Locked<'_> {
    pub(super) fn holds(&self, lease: &Lease) -> bool {
        self.rows.iter().any(|row| row.is_held_by(lease))
    }

    pub(super) fn finish(&mut self, lease: &Lease) {
        self.rows.retain(|row| !row.is_held_by(lease));
    }

    pub(super) fn add(&mut self, jobs: Vec<NewJob>) {
        if !jobs.is_empty() {
            self.rows.extend(jobs.into_iter().map(|job| Row { job, attempt: 0, hold: None }));
            self.arrived.notify_one();
        }
    }

    pub(super) fn forget(&mut self, id: &TripId) {
        self.rows.retain(|row| match &row.job.job {
            Job::FetchRoute { trip, .. } => trip != id,
        });
    }
}

impl MemoryJobs {
    pub(super) fn lock(&self) -> Locked<'_> {
        Locked { rows: self.0.rows.lock().unwrap_or_else(PoisonError::into_inner), arrived: &self.0.arrived }
    }
}

#[async_trait]
impl JobQueue for MemoryJobs {
    async fn claim(&self, token: &str, now: Timestamp, hold: Duration) -> Result<Option<LeasedJob>, StoreError> {
        let mut queue = self.lock();
        let oldest =
            queue.rows.iter_mut().filter(|row| row.is_free(now)).min_by_key(|row| (row.job.due, row.job.id.clone()));
        Ok(oldest.map(|row| {
            row.attempt += 1;
            row.hold = Some(Hold { token: token.to_owned(), until: now.plus(hold) });
            let lease = Lease { job: row.job.id.clone(), token: token.to_owned() };
            LeasedJob { lease, attempt: row.attempt, job: row.job.job.clone() }
        }))
    }

    async fn renew(&self, lease: &Lease, now: Timestamp, hold: Duration) -> Result<bool, StoreError> {
        let mut queue = self.lock();
        let held = queue.rows.iter_mut().find(|row| row.is_held_by(lease));
        Ok(held.map(|row| row.hold = Some(Hold { token: lease.token.clone(), until: now.plus(hold) })).is_some())
    }

    async fn put_back(&self, lease: &Lease, due: Timestamp) -> Result<(), StoreError> {
        let mut queue = self.lock();
        if let Some(row) = queue.rows.iter_mut().find(|row| row.is_held_by(lease)) {
            row.hold = None;
            row.job.due = due;
            queue.arrived.notify_one();
        }
        Ok(())
    }

    async fn remove(&self, lease: &Lease) -> Result<(), StoreError> {
        self.lock().finish(lease);
        Ok(())
    }

    async fn free_all(&self) -> Result<u64, StoreError> {
        let mut queue = self.lock();
        let freed = queue.rows.iter_mut().filter_map(|row| row.hold.take()).count();
        queue.arrived.notify_one();
        Ok(freed as u64)
    }

    async fn wait(&self, at_most: Duration) {
        let _ = tokio::time::timeout(at_most, self.0.arrived.notified()).await;
    }
}
