//! What the planner asks of storage. Each method is atomic; no transaction crosses the port.
//!
//! Every implementation passes the conformance suite of `btp-testkit`.

use std::time::Duration;

use async_trait::async_trait;
use btp_kernel::{BoxError, Timestamp, UserId, text_id};
use jiff::civil::Date;

use crate::{Line, ShareLink, SharedTrip, Stage, Trip, TripId, TripSummary};

text_id!(
    /// A background job.
    JobId
);

/// Trips and what is written with them.
#[async_trait]
pub trait TripStore: Send + Sync {
    /// One page of the owner's trips, most recently created first, then by id descending.
    async fn list(&self, owner: &UserId, query: &TripQuery) -> Result<TripPage, StoreError>;

    /// The trip with its days when it exists and is the owner's: there is no look-up without an owner.
    async fn find(&self, owner: &UserId, id: &TripId) -> Result<Option<Trip>, StoreError>;

    /// Every trip of the owner with its days, in the order of [`TripStore::list`].
    async fn all(&self, owner: &UserId) -> Result<Vec<Trip>, StoreError>;

    /// The line of the trip as its source gave it.
    async fn line(&self, owner: &UserId, id: &TripId) -> Result<Option<Line>, StoreError>;

    /// The creation recorded under one of `keys`, unless it is older than `not_before` or its trip is gone.
    async fn replay(
        &self,
        owner: &UserId,
        keys: &[CreationKey],
        not_before: Timestamp,
    ) -> Result<Option<Creation>, StoreError>;

    /// Stores a new trip with what it brings (days, line, jobs) and its creation record in one transaction.
    ///
    /// When another creation holds the key (its trip still exists and it is not older than `not_before`), nothing is
    /// stored and that one is answered: the unique index decides a race.
    ///
    /// # Errors
    /// [`StoreError::Gone`] when the owner's account was deleted.
    async fn create(&self, new: NewTrip) -> Result<Stored, StoreError>;

    /// Stores a changed trip and its days when the stored version is still `read`; days that are no longer in it go.
    ///
    /// # Errors
    /// [`StoreError::Moved`] when another change came first, [`StoreError::Gone`] when the trip was deleted,
    /// [`StoreError::LeaseLost`] when `finishes` is held by another worker now; nothing is stored then.
    async fn commit(&self, change: Change) -> Result<(), StoreError>;

    /// Deletes the trip with all that belongs to it (days, line, jobs, creation records, links, undo). Whether there was one.
    async fn delete(&self, owner: &UserId, id: &TripId) -> Result<bool, StoreError>;

    /// The days as they were before the trip left `version`, while they are kept for undo.
    async fn former_days(&self, owner: &UserId, id: &TripId, version: u64) -> Result<Option<Vec<Stage>>, StoreError>;

    /// The trip's active public link.
    async fn link(&self, owner: &UserId, id: &TripId) -> Result<Option<ShareLink>, StoreError>;

    /// Makes `link` the trip's public link unless it has one, and says which one it has: of several callers one wins.
    ///
    /// # Errors
    /// [`StoreError::Gone`] when the trip does not exist or is not the owner's.
    async fn share(&self, owner: &UserId, id: &TripId, link: ShareLink) -> Result<ShareLink, StoreError>;

    /// Revokes the trip's public link for good. Whether there was one.
    async fn unshare(&self, owner: &UserId, id: &TripId, now: Timestamp) -> Result<bool, StoreError>;

    /// The trip with this active public link, and its line.
    async fn shared(&self, code: &str) -> Result<Option<SharedTrip>, StoreError>;
}

/// Which trips to list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TripQuery {
    /// From 1.
    pub page: u32,
    /// 1 to 30.
    pub per_page: u32,
    /// Keep titles that contain this text; case-insensitive (Unicode lower case), `%` and `_` are literal.
    pub title: Option<String>,
    /// Keep trips that start on or after this day; undated trips match no date filter.
    pub start: Option<Date>,
    /// Keep trips whose shown last day is on or before this day.
    pub end: Option<Date>,
}

/// A page of trips.
#[derive(Clone, Debug, PartialEq)]
pub struct TripPage {
    /// All that match.
    pub total: u64,
    /// Those of the page.
    pub trips: Vec<TripSummary>,
}

/// How long a key stands for the trip it made; older creation records are never asked for.
pub const CREATION_LIFE: Duration = Duration::from_secs(24 * 60 * 60);

/// Key of a creation record, unique with its owner: the caller's key, or one derived from the arguments and a time window.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CreationKey(pub String);

/// A recorded creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Creation {
    /// Digest of the arguments it was made with.
    pub arguments: String,
    /// The trip it made.
    pub trip: TripId,
}

/// A trip to store.
#[derive(Clone, Debug)]
pub struct NewTrip {
    /// The trip; with days when its line is in hand.
    pub trip: Trip,
    /// Its line, when it need not be fetched.
    pub line: Option<Line>,
    /// Under which key the creation is recorded.
    pub key: CreationKey,
    /// Digest of the arguments.
    pub arguments: String,
    /// A record under the key that is older than this gives way.
    pub not_before: Timestamp,
    /// Its jobs.
    pub jobs: Vec<NewJob>,
}

/// Outcome of storing a new trip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    /// Stored.
    New,
    /// Another creation came first.
    Existing(Creation),
}

/// A change of a trip, written as a whole.
#[derive(Clone, Debug)]
pub struct Change {
    /// The trip after the change.
    pub trip: Trip,
    /// The version it was read at.
    pub read: u64,
    /// The line, when the change brings one.
    pub line: Option<Line>,
    /// The days as they were read, when the change is one of days: kept for undo, and what equals them need not be written.
    pub former: Option<Vec<Stage>>,
    /// Jobs it needs.
    pub jobs: Vec<NewJob>,
    /// The job that made it: done by the same write.
    pub finishes: Option<Lease>,
}

/// A job to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    /// Its id.
    pub id: JobId,
    /// What to do.
    pub job: Job,
    /// Not before.
    pub due: Timestamp,
}

/// What the worker can do; `btp-jobs` says which operation of the planner does it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Job {
    /// Fetch the route of a trip and cut it into days.
    FetchRoute {
        /// Whose.
        owner: UserId,
        /// Which.
        trip: TripId,
    },
}

/// A worker's hold on a job. A write that finishes the job names it, so that a worker that was overtaken writes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The job.
    pub job: JobId,
    /// Random text of this hold.
    pub token: String,
}

/// A job in hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeasedJob {
    /// The hold.
    pub lease: Lease,
    /// How often it was taken, this time included.
    pub attempt: u32,
    /// What to do.
    pub job: Job,
}

/// The durable queue. A worker that dies loses nothing: its lease runs out and the job is taken again.
#[async_trait]
pub trait JobQueue: Send + Sync {
    /// Takes the oldest due job that nobody holds, for `hold`; `token` is a fresh random text.
    async fn claim(&self, token: &str, now: Timestamp, hold: Duration) -> Result<Option<LeasedJob>, StoreError>;

    /// Holds the job for `hold` from `now` on. False when the lease is lost.
    async fn renew(&self, lease: &Lease, now: Timestamp, hold: Duration) -> Result<bool, StoreError>;

    /// Gives the job back, to be taken again at `due`. Does nothing when the lease is lost.
    async fn put_back(&self, lease: &Lease, due: Timestamp) -> Result<(), StoreError>;

    /// Removes a job that has nothing to write (its trip is gone). Does nothing when the lease is lost.
    async fn remove(&self, lease: &Lease) -> Result<(), StoreError>;

    /// Frees every held job and says how many: for the start of the only process of a database.
    async fn free_all(&self) -> Result<u64, StoreError>;

    /// Returns when a job may have come, at the latest after `at_most`.
    async fn wait(&self, at_most: Duration);
}

/// Pending confirmations of destructive calls.
#[async_trait]
pub trait ConfirmationStore: Send + Sync {
    /// Keeps a confirmation until `expires`; `token` and `binding` are digests.
    async fn put(&self, token: &str, binding: &str, expires: Timestamp) -> Result<(), StoreError>;

    /// Removes the confirmation and returns its binding, `None` when unknown or expired: one caller gets it.
    async fn take(&self, token: &str, now: Timestamp) -> Result<Option<String>, StoreError>;
}

/// Why storage refused.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another change came first.
    #[error("the trip is at version {0} now")]
    Moved(u64),
    /// The trip, or its owner, was deleted meanwhile.
    #[error("the trip is gone")]
    Gone,
    /// Another worker holds the job.
    #[error("the job's lease was lost")]
    LeaseLost,
    /// The database is too busy or out of connections: try again soon.
    #[error("the database is busy")]
    Busy(#[source] BoxError),
    /// Anything else.
    #[error("storage failed")]
    Failed(#[source] BoxError),
}
