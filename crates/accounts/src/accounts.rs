//! Accounts, sign-in links and sessions.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use btp_kernel::{BoxError, Clock, Entropy, UserId, new_id, secret};

use crate::{
    Email, EmailError, Locale, Session, User,
    store::{AccountStore, AccountStoreError},
};

/// How long a sign-in link can be used.
const LINK_LIFE: Duration = Duration::from_secs(30 * 60);
/// How long a browser stays signed in.
pub const SESSION_LIFE: Duration = Duration::from_secs(30 * 24 * 3600);

/// Sends a sign-in link to a person.
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Sends the address that signs `user` in. It is a secret: it belongs in no log.
    ///
    /// # Errors
    /// Anything of the way out.
    async fn send_sign_in_link(&self, user: &User, address: &str) -> Result<(), BoxError>;
}

/// People and how they sign in. Cheap to clone.
#[derive(Clone)]
pub struct Accounts {
    store: Arc<dyn AccountStore>,
    mailer: Arc<dyn Mailer>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    base: Arc<str>,
}

/// Why it was not done.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// Not an address.
    #[error(transparent)]
    Email(#[from] EmailError),
    /// Storage refused.
    #[error(transparent)]
    Store(#[from] AccountStoreError),
    /// The mail could not be sent.
    #[error("the sign-in link could not be sent")]
    Mail(#[source] BoxError),
}

impl Accounts {
    /// Over this store; `base` is the address of the server, without trailing slash, with which sign-in links begin.
    pub fn new(
        store: Arc<dyn AccountStore>,
        mailer: Arc<dyn Mailer>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        base: &str,
    ) -> Self {
        Self { store, mailer, clock, entropy, base: base.into() }
    }

    /// Adds a person.
    ///
    /// # Errors
    /// Not an address, or one that someone has.
    pub async fn add(&self, email: &str, locale: Locale) -> Result<User, AccountError> {
        let now = self.clock.now();
        let id = UserId(new_id(now, &*self.entropy));
        let user = User { id, email: email.parse()?, locale, created_at: now };
        self.store.add_user(&user).await?;
        Ok(user)
    }

    /// Everyone, by address.
    ///
    /// # Errors
    /// Storage's.
    pub async fn list(&self) -> Result<Vec<User>, AccountError> {
        Ok(self.store.users().await?)
    }

    /// Deletes a person with all that is theirs. Whether there was one.
    ///
    /// # Errors
    /// Not an address; storage's.
    pub async fn delete(&self, email: &str) -> Result<bool, AccountError> {
        match self.find(email).await? {
            Some(user) => Ok(self.store.delete_user(&user.id).await?),
            None => Ok(false),
        }
    }

    /// Makes the address that signs a person in, once, within 30 minutes; earlier ones die. `None` when there is no
    /// such person.
    ///
    /// # Errors
    /// Not an address; storage's.
    pub async fn sign_in_link(&self, email: &str) -> Result<Option<String>, AccountError> {
        match self.find(email).await? {
            Some(user) => Ok(Some(self.new_link(&user).await?)),
            None => Ok(None),
        }
    }

    /// Sends a sign-in link when there is such a person, and otherwise does nothing.
    ///
    /// The caller must answer the same, and as fast, either way: a sign-in page must not tell who has an account.
    ///
    /// # Errors
    /// Not an address; storage's; the mailer's.
    pub async fn send_sign_in_link(&self, email: &str) -> Result<(), AccountError> {
        let Some(user) = self.find(email).await? else { return Ok(()) };
        let address = self.new_link(&user).await?;
        self.mailer.send_sign_in_link(&user, &address).await.map_err(AccountError::Mail)
    }

    /// Spends the token of a sign-in link and begins a session; `None` when it is unknown, spent or too old.
    ///
    /// # Errors
    /// Storage's.
    pub async fn sign_in(&self, link_token: &str) -> Result<Option<Session>, AccountError> {
        let now = self.clock.now();
        let Some(id) = self.store.take_link(&secret::digest(link_token), now).await? else { return Ok(None) };
        let Some(user) = self.store.user(&id).await? else { return Ok(None) };
        let token = secret::new("bts_", &*self.entropy);
        self.store.put_session(&secret::digest(&token), &id, now.plus(SESSION_LIFE)).await?;
        Ok(Some(Session::new(user, token)))
    }

    /// The session of this token, while it lives.
    ///
    /// # Errors
    /// Storage's.
    pub async fn session(&self, token: &str) -> Result<Option<Session>, AccountError> {
        let user = self.store.session(&secret::digest(token), self.clock.now()).await?;
        Ok(user.map(|user| Session::new(user, token.to_owned())))
    }

    /// Ends every session of the person. What agents were granted stays.
    ///
    /// # Errors
    /// Storage's.
    pub async fn sign_out(&self, user: &UserId) -> Result<(), AccountError> {
        Ok(self.store.end_sessions(user).await?)
    }

    async fn find(&self, email: &str) -> Result<Option<User>, AccountError> {
        Ok(self.store.user_by_email(&email.parse::<Email>()?).await?)
    }

    async fn new_link(&self, user: &User) -> Result<String, AccountError> {
        let token = secret::new("btl_", &*self.entropy);
        self.store.put_link(&secret::digest(&token), &user.id, self.clock.now().plus(LINK_LIFE)).await?;
        Ok(format!("{}/auth/verify?token={token}", self.base))
    }
}
