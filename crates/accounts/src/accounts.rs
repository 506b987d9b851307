//! Accounts: what they are made of, who has one, what goes wrong.

use std::sync::Arc;

use btp_kernel::{BoxError, Clock, Entropy, Exceeded, LimitError, Limiter, UserId, limit, new_id};

use crate::{
    Email, EmailError, Letter, Locale, Mail, Mailer, User,
    store::{AccountStore, AccountStoreError},
};

/// What accounts are made of.
pub struct Parts {
    /// People, links, sessions.
    pub store: Arc<dyn AccountStore>,
    /// Sends mails.
    pub mailer: Arc<dyn Mailer>,
    /// Counts mails.
    pub limiter: Arc<dyn Limiter>,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// The address of the server, without trailing slash, with which links begin.
    pub base: String,
    /// Who gets an account.
    pub sign_up: SignUp,
}

/// Who gets an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SignUp {
    /// Whom the operator adds.
    #[default]
    Invite,
    /// Whoever has a mailbox.
    Open,
}

/// People and how they sign in. Cheap to clone.
#[derive(Clone)]
pub struct Accounts(pub(crate) Arc<Parts>);

/// Why it was not done.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// Not an address.
    #[error(transparent)]
    Email(#[from] EmailError),
    /// Too many mails.
    #[error(transparent)]
    Limited(#[from] Exceeded),
    /// Storage refused.
    #[error(transparent)]
    Store(#[from] AccountStoreError),
    /// The mail could not be sent.
    #[error("the mail could not be sent")]
    Mail(#[source] BoxError),
    /// Something else behind us failed.
    #[error("the account could not be handled")]
    Failed(#[source] BoxError),
}

impl Accounts {
    /// Accounts of these parts.
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// Who gets an account.
    pub fn sign_up(&self) -> SignUp {
        self.0.sign_up
    }

    /// Adds a person.
    ///
    /// # Errors
    /// Not an address, or one that someone has.
    pub async fn add(&self, email: &str, locale: Locale) -> Result<User, AccountError> {
        let (email, now) = (email.parse()?, self.0.clock.now());
        let user = User { id: UserId(new_id(now, &*self.0.entropy)), email, locale, created_at: now };
        self.0.store.add_user(&user).await?;
        Ok(user)
    }

    /// Everyone, by address.
    ///
    /// # Errors
    /// Storage's.
    pub async fn list(&self) -> Result<Vec<User>, AccountError> {
        Ok(self.0.store.users().await?)
    }

    /// The person with this id.
    ///
    /// # Errors
    /// Storage's.
    pub async fn user(&self, id: &UserId) -> Result<Option<User>, AccountError> {
        Ok(self.0.store.user(id).await?)
    }

    /// Deletes a person with all that is theirs, on the operator's word. Whether there was one.
    ///
    /// # Errors
    /// Not an address; storage's.
    pub async fn delete(&self, email: &str) -> Result<bool, AccountError> {
        match self.find(email).await? {
            Some(user) => Ok(self.0.store.delete_user(&user.id).await?),
            None => Ok(false),
        }
    }

    /// Changes the language of pages, mails and alerts.
    ///
    /// # Errors
    /// Storage's.
    pub async fn set_locale(&self, user: &UserId, locale: Locale) -> Result<(), AccountError> {
        Ok(self.0.store.set_locale(user, locale).await?)
    }

    pub(crate) async fn find(&self, email: &str) -> Result<Option<User>, AccountError> {
        Ok(self.0.store.user_by_email(&email.parse::<Email>()?).await?)
    }

    /// Counts one more mail with a link to this address. What the limiter keeps tells nobody's address.
    pub(crate) async fn count_mail(&self, why: &str, to: &Email) -> Result<(), AccountError> {
        let key = btp_kernel::entropy::digest(&[why.as_bytes(), to.as_str().as_bytes()]);
        match self.0.limiter.take(&[(&limit::MAIL_ADDRESS, &key)], self.0.clock.now()).await {
            Ok(()) => Ok(()),
            Err(LimitError::Exceeded(exceeded)) => Err(exceeded.into()),
            Err(LimitError::Failed(source)) => Err(AccountError::Failed(source)),
        }
    }

    pub(crate) async fn post(&self, to: &Email, locale: Locale, letter: Letter<'_>) -> Result<(), AccountError> {
        let mail = Mail { to, locale, letter, base: &self.0.base };
        self.0.mailer.send(&mail).await.map_err(AccountError::Mail)
    }
}

/// One line of the audit log: what happened to whose account. Never an address or a secret.
pub(crate) fn audit(event: &'static str, user: &UserId) {
    tracing::info!(target: "audit", event, user.id = %user, "audit");
}
