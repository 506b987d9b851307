//! What the authorization server asks of storage. Codes, tokens and handles cross this port as digests only
//! (`btp_kernel::secret::digest`). Each method is atomic; what "atomic" means under races is in the conformance suite.

use std::time::Duration;

use async_trait::async_trait;
use btp_kernel::{BoxError, ClientId, Scopes, Timestamp, UserId};

/// How exactly the last use of a grant is known.
pub const TOUCH_EVERY: Duration = Duration::from_secs(300);

/// The longest time a sealed answer is kept for a client that asks the same again.
pub const KEPT_FOR: Duration = Duration::from_secs(600);

/// Why a family ended: the words stored, stable.
pub mod ended {
    /// A refresh token was used again.
    pub const REUSE: &str = "reuse";
    /// A code was used again.
    pub const REPLAY: &str = "replay";
    /// The client gave it back (RFC 7009), or an operator disabled the client.
    pub const CLIENT: &str = "client";
    /// The person revoked the application.
    pub const USER: &str = "user";
    /// The person's e-mail address changed.
    pub const EMAIL: &str = "email";
}

/// A registered client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// Its id: text of an operator's choice, or an https address.
    pub id: ClientId,
    /// Its name, shown on the consent page.
    pub name: String,
    /// Where codes may be sent, as registered.
    pub redirect_uris: Vec<String>,
    /// Disabled clients are refused everywhere and their grants are dead.
    pub disabled: bool,
    /// When it was added.
    pub created_at: Timestamp,
    /// Where this comes from a document that the client publishes; `None` for what an operator stored.
    pub document: Option<Document>,
}

/// How current the stored document of a client is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document {
    /// When it was fetched.
    pub fetched_at: Timestamp,
    /// Stale from then on: to be fetched again before a new authorization.
    pub expires: Timestamp,
}

/// Outcome of storing a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Documented {
    /// The client as it is stored now.
    pub client: Client,
    /// Whether an earlier document said something else.
    pub changed: bool,
}

/// An authorization request that waits for the person's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parked {
    /// Digest of the handle; the handle derives from person and request, so the second pass finds it again.
    pub handle: String,
    /// Who must answer.
    pub user: UserId,
    /// Who asks.
    pub client: ClientId,
    /// For which protected resource, as canonical address.
    pub resource: String,
    /// What is asked.
    pub scopes: Scopes,
    /// Where the answer goes.
    pub redirect_uri: String,
    /// The parked query, to return to `/oauth/authorize` with.
    pub query: String,
    /// The answer once given.
    pub decision: Option<Decision>,
    /// Forgotten then.
    pub expires: Timestamp,
    /// Structured details of the request as JSON (RFC 9396), when the resource uses them.
    pub details: Option<String>,
}

/// The person's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Authorize.
    Authorize,
    /// Refuse.
    Refuse,
}

/// An authorization code to store, or as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Digest.
    pub digest: String,
    /// Who authorized.
    pub user: UserId,
    /// Who may redeem it.
    pub client: ClientId,
    /// For which resource.
    pub resource: String,
    /// What it grants.
    pub scopes: Scopes,
    /// The redirect it was sent to, exactly.
    pub redirect_uri: String,
    /// PKCE S256 challenge (RFC 7636 §4.2).
    pub challenge: String,
    /// Dead from then on.
    pub expires: Timestamp,
    /// Whether it was redeemed.
    pub used: bool,
    /// Details of the grant as JSON.
    pub details: Option<String>,
}

/// A refresh token to store, or as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refresh {
    /// Digest.
    pub digest: String,
    /// Dead from then on.
    pub expires: Timestamp,
}

/// A stored refresh token with what stands behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefreshView {
    /// Its family: the chain of rotations that one code began.
    pub family: String,
    /// Whose.
    pub user: UserId,
    /// Whose client.
    pub client: ClientId,
    /// For which resource.
    pub resource: String,
    /// What the grant gives.
    pub scopes: Scopes,
    /// Dead from then on.
    pub expires: Timestamp,
    /// How it was rotated; `None` while it has no successor.
    pub rotated: Option<Rotation>,
    /// Whether family, grant, person and client are all alive.
    pub alive: bool,
}

/// What is left of a refresh token that has a successor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotation {
    /// When it was rotated.
    pub at: Timestamp,
    /// The answer of that request, sealed, until the successor is rotated in turn or [`KEPT_FOR`] is over.
    pub kept: Option<Vec<u8>>,
}

/// Outcome of redeeming a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Redeemed {
    /// This caller won; a family with its first refresh token is stored.
    Fresh,
    /// It had been redeemed before: its family is revoked now.
    Replayed,
    /// Unknown, or the person, grant or client died meanwhile.
    Dead,
}

/// Outcome of a rotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rotated {
    /// This caller won; the successor is stored.
    Fresh,
    /// Another caller rotated it first.
    Already,
    /// Revoked meanwhile, or unknown.
    Dead,
}

/// What a live family stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    /// The person.
    pub user: UserId,
    /// The client.
    pub client: ClientId,
    /// For which resource.
    pub resource: String,
    /// The most it may do.
    pub scopes: Scopes,
}

/// One sign-in of an application, for the list that its person sees: a family that holds a live token, or one that was
/// ended because a secret of it was used twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignIn {
    /// The application.
    pub client: ClientId,
    /// Its name and redirect addresses; `None` when it is no longer stored.
    pub registered: Option<(String, Vec<String>)>,
    /// What it may do.
    pub scopes: Scopes,
    /// When its code was redeemed.
    pub since: Timestamp,
    /// When the application last used the grant, exact to [`TOUCH_EVERY`].
    pub last_used: Option<Timestamp>,
    /// When it was ended for reuse; `None` while it is alive.
    pub reused: Option<Timestamp>,
}

/// Clients, parked requests, codes, grants, families and refresh tokens.
///
/// A grant is unique by person, client and resource and is made by the first redeemed code; each family keeps the scopes
/// of its own code. Here a client is dead when it is stored as disabled; one that is not stored is alive, for its document
/// may be kept elsewhere, and whether it is known is asked by [`GrantStore::client`].
#[async_trait]
pub trait GrantStore: Send + Sync {
    /// The client, disabled or not.
    async fn client(&self, id: &ClientId) -> Result<Option<Client>, GrantStoreError>;
    /// Every client, by id.
    async fn clients(&self) -> Result<Vec<Client>, GrantStoreError>;
    /// Stores or replaces a client; one that is disabled stays so.
    async fn put_client(&self, client: &Client) -> Result<(), GrantStoreError>;
    /// Disables a client and revokes all its grants, codes and parked requests. Whether there was one.
    async fn disable_client(&self, id: &ClientId, now: Timestamp) -> Result<bool, GrantStoreError>;
    /// Enables a client; what was revoked stays so. Whether there was one.
    async fn enable_client(&self, id: &ClientId) -> Result<bool, GrantStoreError>;
    /// Stores a client as its document describes it. What an operator stored or disabled stays as it is. Where name or
    /// redirect addresses differ from those of an earlier document, nobody has been asked about the new ones: parked
    /// requests and codes not yet redeemed are forgotten; grants live on, for they depend on neither.
    async fn put_document(&self, client: &Client) -> Result<Documented, GrantStoreError>;
    /// The client's document is gone: it is stale, parked requests and codes not yet redeemed are forgotten.
    async fn withdraw_document(&self, id: &ClientId, now: Timestamp) -> Result<(), GrantStoreError>;

    /// Parks a request, in place of an undecided one with the same handle; a decided one is replaced as well.
    async fn park(&self, parked: &Parked) -> Result<(), GrantStoreError>;
    /// The parked request, unless it has expired.
    async fn parked(&self, handle: &str, now: Timestamp) -> Result<Option<Parked>, GrantStoreError>;
    /// Records the answer of `user`, once: false when unknown, expired, someone else's or answered before.
    async fn decide(
        &self,
        handle: &str,
        user: &UserId,
        decision: Decision,
        now: Timestamp,
    ) -> Result<bool, GrantStoreError>;
    /// Removes a decided request and returns its answer: one caller gets it. When that is to authorize, `code` is stored
    /// in its place, so that whoever revokes at the same time finds the one or the other; for a client or person that died
    /// meanwhile there is no answer and no code.
    async fn take_decision(
        &self,
        handle: &str,
        user: &UserId,
        code: Option<&Code>,
        now: Timestamp,
    ) -> Result<Option<Decision>, GrantStoreError>;

    /// Looks at a code without spending it. A used or expired one is still seen until it is purged (a day later).
    async fn code(&self, digest: &str) -> Result<Option<Code>, GrantStoreError>;
    /// Spends the code and stores `family` with its first refresh token; a code that was spent before revokes its family.
    async fn redeem(
        &self,
        digest: &str,
        family: &str,
        refresh: &Refresh,
        now: Timestamp,
    ) -> Result<Redeemed, GrantStoreError>;

    /// Looks at a refresh token.
    async fn refresh(&self, digest: &str) -> Result<Option<RefreshView>, GrantStoreError>;
    /// Marks `digest` rotated, with the sealed answer to `keep`, and stores its successor, under the lock of the grant.
    /// What was kept for its predecessor is forgotten.
    async fn rotate(
        &self,
        digest: &str,
        successor: &Refresh,
        keep: Option<&[u8]>,
        now: Timestamp,
    ) -> Result<Rotated, GrantStoreError>;
    /// Revokes a family, for a reason of [`ended`]; the first reason stays.
    async fn revoke_family(&self, family: &str, reason: &'static str, now: Timestamp) -> Result<(), GrantStoreError>;
    /// Revokes what `user` granted to `client`, or to every client: grants, families, codes, parked requests. Whoever
    /// redeems or rotates at the same time comes before it, and is revoked with the rest, or after it, and gets nothing.
    /// How many families were alive.
    async fn revoke_grants(
        &self,
        user: &UserId,
        client: Option<&ClientId>,
        reason: &'static str,
        now: Timestamp,
    ) -> Result<u64, GrantStoreError>;
    /// The sign-ins of every application of `user`, oldest first.
    async fn sign_ins(&self, user: &UserId, now: Timestamp) -> Result<Vec<SignIn>, GrantStoreError>;
    /// What a family stands for while family, grant, person and client are alive: asked on every call.
    async fn live(&self, family: &str) -> Result<Option<Live>, GrantStoreError>;
    /// Notes that the grant behind the family was used; at most once in [`TOUCH_EVERY`] is worth a write.
    async fn touch(&self, family: &str, now: Timestamp) -> Result<(), GrantStoreError>;
}

/// Why storage refused.
#[derive(Debug, thiserror::Error)]
pub enum GrantStoreError {
    /// The database is too busy: try again soon.
    #[error("the database is busy")]
    Busy(#[source] BoxError),
    /// Anything else.
    #[error("storage failed")]
    Failed(#[source] BoxError),
}
