//! What accounts ask of storage. Secrets cross this port as digests only. Each method is atomic.

use async_trait::async_trait;
use btp_kernel::{BoxError, Timestamp, UserId};

use crate::{Email, Locale, User};

/// What a mailed link is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Signing this person in, as long as they have the address it is mailed to.
    SignIn(UserId, Email),
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
    /// Digest of its first turn.
    pub current: String,
    /// Now.
    pub since: Timestamp,
    /// Dead from then on.
    pub expires: Timestamp,
}

/// Outcome of a sign-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedIn {
    /// Who signed in.
    pub user: User,
    /// Whether the account was made for it.
    pub is_new: bool,
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
    /// every grant of the person with its codes and parked requests, their other links, and every session but the one to
    /// `keep`. The person as they were; `None`, and nothing is spent, when there is no such link of theirs that lives, or
    /// the session to keep does not.
    ///
    /// # Errors
    /// [`AccountStoreError::EmailTaken`]; then nothing has happened.
    async fn change_email(
        &self,
        link: &str,
        user: &UserId,
        keep: Option<&str>,
        now: Timestamp,
    ) -> Result<Option<User>, AccountStoreError>;

    /// Deletes the person with all that is theirs: trips, links, sessions, grants. Whether there was one.
    async fn delete_user(&self, id: &UserId) -> Result<bool, AccountStoreError>;

    /// Keeps a link until `expires`. Earlier ones stay.
    async fn put_link(&self, digest: &str, purpose: &Purpose, expires: Timestamp) -> Result<(), AccountStoreError>;

    /// What a link that lives is for; it is not spent.
    async fn link(&self, digest: &str, now: Timestamp) -> Result<Option<Purpose>, AccountStoreError>;

    /// Spends a link that signs in and begins `session`, as one: whoever ends the person's sessions or links, or deletes
    /// them, at the same time comes before it, and there is no session, or after it, and finds the session. A link of
    /// [`Purpose::SignUp`] makes the account first, with the id `newcomer`, unless someone has the address meanwhile: it
    /// is their mailbox, and they are signed in.
    /// `None`, and nothing is spent, when the link does not live (one caller spends it), is for something else, or its
    /// person is gone or has another address.
    async fn sign_in(
        &self,
        link: &str,
        session: &NewSession,
        newcomer: &UserId,
    ) -> Result<Option<SignedIn>, AccountStoreError>;

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

    /// Ends every session of the person; one that begins at the same time begins before it, and ends, or after it.
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
