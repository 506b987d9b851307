//! What accounts ask of storage. Secrets cross this port as digests only. Each method is atomic.

use async_trait::async_trait;
use btp_kernel::{BoxError, Timestamp, UserId};

use crate::{Email, User};

/// People, their sign-in links and their browser sessions.
#[async_trait]
pub trait AccountStore: Send + Sync {
    /// Stores a new person.
    ///
    /// # Errors
    /// [`AccountStoreError::EmailTaken`].
    async fn add_user(&self, user: &User) -> Result<(), AccountStoreError>;

    /// The person with this address.
    async fn user_by_email(&self, email: &Email) -> Result<Option<User>, AccountStoreError>;

    /// The person with this id.
    async fn user(&self, id: &UserId) -> Result<Option<User>, AccountStoreError>;

    /// Everyone, by address.
    async fn users(&self) -> Result<Vec<User>, AccountStoreError>;

    /// Deletes the person with all that is theirs: trips, links, sessions, grants. Whether there was one.
    async fn delete_user(&self, id: &UserId) -> Result<bool, AccountStoreError>;

    /// Keeps a sign-in link until `expires`, in place of the person's earlier ones.
    async fn put_link(&self, digest: &str, user: &UserId, expires: Timestamp) -> Result<(), AccountStoreError>;

    /// Spends a sign-in link: one caller gets the person, everyone else `None`.
    async fn take_link(&self, digest: &str, now: Timestamp) -> Result<Option<UserId>, AccountStoreError>;

    /// Keeps a session until `expires`.
    async fn put_session(&self, digest: &str, user: &UserId, expires: Timestamp) -> Result<(), AccountStoreError>;

    /// The person of a live session.
    async fn session(&self, digest: &str, now: Timestamp) -> Result<Option<User>, AccountStoreError>;

    /// Ends every session of the person.
    async fn end_sessions(&self, user: &UserId) -> Result<(), AccountStoreError>;
}

/// Why storage refused.
#[derive(Debug, thiserror::Error)]
pub enum AccountStoreError {
    /// Someone has this address.
    #[error("an account with this address exists already")]
    EmailTaken,
    /// The database is too busy: try again soon.
    #[error("the database is busy")]
    Busy(#[source] BoxError),
    /// Anything else.
    #[error("storage failed")]
    Failed(#[source] BoxError),
}
