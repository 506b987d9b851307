//! Sessions of apps: a refresh token, which is a session's, and a short-lived token for the API.

use std::{sync::Arc, time::Duration};

use btp_kernel::BoxError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{AccountError, Accounts, Session, User};

/// How long a token for the API lives.
const TOKEN_LIFE: Duration = Duration::from_secs(15 * 60);
/// What sets these tokens apart from every other that we sign.
const KIND: &str = "session+jwt";

/// Signs claims so that we know them again: with other keys than those of agents' tokens.
pub trait Signer: Send + Sync {
    /// A token of this kind with these claims.
    ///
    /// # Errors
    /// The cryptographic library's.
    fn sign(&self, kind: &str, claims: &Value) -> Result<String, BoxError>;

    /// The claims of a token of this kind that we signed.
    fn open(&self, kind: &str, token: &str) -> Option<Value>;
}

/// Apps of people, signed in without a browser. Cheap to clone.
#[derive(Clone)]
pub struct Apps {
    accounts: Accounts,
    signer: Arc<dyn Signer>,
}

/// A signed-in app.
pub struct AppSession {
    /// What it calls the API with, for 15 minutes.
    pub token: String,
    /// What it gets the next with, once; each answer brings another.
    pub refresh_token: String,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    sid: String,
    exp: i64,
}

impl Apps {
    /// Apps of these accounts.
    pub fn new(accounts: Accounts, signer: Arc<dyn Signer>) -> Self {
        Self { accounts, signer }
    }

    /// Spends the token of a mailed link; `None` when it is unknown, spent or too old.
    ///
    /// # Errors
    /// Storage's.
    pub async fn sign_in(&self, link_token: &str) -> Result<Option<AppSession>, AccountError> {
        match self.accounts.sign_in(link_token).await? {
            Some(session) => self.signed(&session).map(Some),
            None => Ok(None),
        }
    }

    /// Exchanges a refresh token for a new pair. Presented again before its successor was used, it gives the same refresh
    /// token; a good while after that it ends the session.
    ///
    /// # Errors
    /// Storage's.
    pub async fn refresh(&self, refresh_token: &str) -> Result<Option<AppSession>, AccountError> {
        match self.accounts.resume(refresh_token, Duration::ZERO).await? {
            Some(session) => self.signed(&session).map(Some),
            None => Ok(None),
        }
    }

    /// The person behind a token for the API, while its session lives.
    ///
    /// # Errors
    /// Storage's.
    pub async fn person(&self, token: &str) -> Result<Option<User>, AccountError> {
        let parts = &self.accounts.0;
        let now = parts.clock.now();
        let claims = self.signer.open(KIND, token).and_then(|claims| serde_json::from_value::<Claims>(claims).ok());
        let Some(claims) = claims.filter(|claims| claims.iss == parts.base && now.as_seconds() < claims.exp) else {
            return Ok(None);
        };
        let session = parts.store.session(&claims.sid, now).await?;
        Ok(session.map(|session| session.user).filter(|user| user.id.as_str() == claims.sub))
    }

    fn signed(&self, session: &Session) -> Result<AppSession, AccountError> {
        let parts = &self.accounts.0;
        let claims = Claims {
            iss: parts.base.clone(),
            sub: session.user.id.0.clone(),
            sid: session.key(),
            exp: parts.clock.now().plus(TOKEN_LIFE).as_seconds(),
        };
        let claims = serde_json::to_value(claims).map_err(|err| AccountError::Failed(err.into()))?;
        let token = self.signer.sign(KIND, &claims).map_err(AccountError::Failed)?;
        Ok(AppSession { token, refresh_token: session.token() })
    }
}
