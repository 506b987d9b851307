//! What accounts ask of storage. Secrets cross this port as digests only. Each method is atomic.

use async_trait::async_trait;
use btp_kernel::{BoxError, Timestamp, UserId};

use crate::{Email, Locale, User};

/// What a mailed link is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Signing this person in.
    SignIn(UserId),
    /// Making an account for this address.
    SignUp(Email, Locale),
    /// Giving this person this address.
    ChangeEmail(UserId, Email),
}

/// A session that begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    /// Digest of what stays the same in all its tokens.
    pub key: String,
    /// Whose.
    pub user: UserId,
    /// Digest of its first turn.
    pub current: String,
    /// Now.
    pub since: Timestamp,
    /// Dead from then on.
    pub expires: Timestamp,
}

/// A session as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSession {
    /// Digest of what stays the same in all its tokens.
    pub key: String,
    /// Whose.
    pub user: User,
    /// Digest of the turn in use.
    pub current: String,
    /// Since when.
    pub since: Timestamp,
    /// The turn that was offered to follow it and has not been seen yet.
    pub next: Option<Successor>,
    /// The turn before, which ended then, with what its successor was made with.
    pub former: Option<Former>,
}

/// A turn that follows another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// Its digest.
    pub turn: String,
    /// With which it is made from the turn before.
    pub salt: String,
}

/// The turn before the one in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Former {
    /// Its digest.
    pub turn: String,
    /// With which its successor was made.
    pub salt: String,
    /// When the successor took over.
    pub until: Timestamp,
}

/// People, links that were mailed to them, and their sessions.
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

    /// Changes a person's language; nothing when there is no such person.
    async fn set_locale(&self, id: &UserId, locale: Locale) -> Result<(), AccountStoreError>;

    /// Spends a link of [`Purpose::ChangeEmail`] of this person and changes the address. Before that ends, as one with it,
    /// every grant of the person with its codes and parked requests, their other links, and every session but `keep`.
    /// The person as they were; `None`, and nothing is spent, when there is no such link of theirs that lives.
    ///
    /// # Errors
    /// [`AccountStoreError::EmailTaken`]; then nothing has happened.
    async fn change_email(
        &self,
        link: &str,
        user: &UserId,
        keep: &str,
        now: Timestamp,
    ) -> Result<Option<User>, AccountStoreError>;

    /// Deletes the person with all that is theirs: trips, links, sessions, grants. Whether there was one.
    async fn delete_user(&self, id: &UserId) -> Result<bool, AccountStoreError>;

    /// Keeps a link until `expires`. Earlier ones stay.
    async fn put_link(&self, digest: &str, purpose: &Purpose, expires: Timestamp) -> Result<(), AccountStoreError>;

    /// What a link that lives is for; it is not spent.
    async fn link(&self, digest: &str, now: Timestamp) -> Result<Option<Purpose>, AccountStoreError>;

    /// Spends a link: one caller gets its purpose, everyone else `None`.
    async fn take_link(&self, digest: &str, now: Timestamp) -> Result<Option<Purpose>, AccountStoreError>;

    /// Keeps a session.
    async fn put_session(&self, session: &NewSession) -> Result<(), AccountStoreError>;

    /// A session that lives.
    async fn session(&self, key: &str, now: Timestamp) -> Result<Option<StoredSession>, AccountStoreError>;

    /// Offers a successor to the turn `current`: the first offer holds, and everyone gets that one. `None` when another turn
    /// has taken over, or the session is gone.
    async fn offer(&self, key: &str, current: &str, offer: &Successor) -> Result<Option<Successor>, AccountStoreError>;

    /// Lets the offered turn take over from the current one, which becomes the former; the session then lives until
    /// `expires`. Nothing when it is not the one on offer.
    async fn take_turn(
        &self,
        key: &str,
        next: &str,
        now: Timestamp,
        expires: Timestamp,
    ) -> Result<(), AccountStoreError>;

    /// Ends a session.
    async fn end_session(&self, key: &str) -> Result<(), AccountStoreError>;

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
