//! The kinds of job: what each asks of the planner.

use btp_domain::{
    Background,
    store::{Job, Lease, StoreError},
};

/// Does the job, finishing it with its last write.
pub(crate) async fn attempt(background: &Background, job: &Job, lease: &Lease) -> Result<(), StoreError> {
    match job {
        Job::FetchRoute { owner, trip } => background.fetch_route(owner, trip, lease).await,
    }
}

/// Settles what the job was for as failed, finishing the job with that write.
pub(crate) async fn give_up(background: &Background, job: &Job, lease: &Lease) -> Result<(), StoreError> {
    match job {
        Job::FetchRoute { owner, trip } => background.give_up_route(owner, trip, lease).await,
    }
}

/// Name of the kind, for the log.
pub(crate) fn kind(job: &Job) -> &'static str {
    match job {
        Job::FetchRoute { .. } => "fetch_route",
    }
}
