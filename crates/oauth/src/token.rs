//! The token endpoint (OAuth 2.1 §3.2): codes and refresh tokens against access tokens.

mod access;
mod code;
mod error;
mod refresh;
mod revoke;
mod sealed;
mod verified;

use std::time::Duration;

use btp_kernel::{ClientId, Scopes, UserId, secret};
use serde::Serialize;

use crate::{
    AuthorizationServer,
    audit::{self, Subject},
    params::Params,
    store::{Client, Refresh},
};

pub use access::AccessError;
pub use error::{Reason, TokenError};
pub(crate) use verified::Verified;

/// Life of an access token.
const ACCESS_LIFE: Duration = Duration::from_secs(900);
/// Life of a refresh token that is not used.
const REFRESH_LIFE: Duration = Duration::from_secs(30 * 24 * 3600);
/// What refresh tokens begin with, for secret scanners and log filters.
const REFRESH_PREFIX: &str = "btr_";

/// What the token endpoint answers (RFC 6749 §5.1). To be sent with `Cache-Control: no-store`.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// The access token: a JWT (RFC 9068).
    pub access_token: String,
    /// `Bearer`.
    pub token_type: &'static str,
    /// Seconds the access token lives.
    pub expires_in: u64,
    /// The next refresh token.
    pub refresh_token: String,
    /// What the access token may do, sorted; always there, for clients build their next request on it.
    pub scope: String,
}

/// Whom an access token is for.
struct Bearer<'a> {
    user: &'a UserId,
    client: &'a ClientId,
    resource: &'a str,
    family: &'a str,
    scopes: &'a Scopes,
}

impl AuthorizationServer {
    /// Handles the form of a token request.
    ///
    /// # Errors
    /// See [`TokenError`].
    pub async fn token(&self, form: &[u8]) -> Result<Tokens, TokenError> {
        let form = Params::parse(form);
        self.exchange(&form)
            .await
            .inspect_err(|err| audit::refused("tokens_refused", Subject::default(), &err.reason()))
    }

    async fn exchange(&self, form: &Params) -> Result<Tokens, TokenError> {
        if let Some(name) = form.repeated() {
            return Err(TokenError::Repeated(name));
        }
        if self.resource(form.all("resource")).is_none() {
            return Err(self.wrong_resource());
        }
        match form.one("grant_type") {
            Some("authorization_code") => self.redeem(form).await,
            Some("refresh_token") => self.refresh(form).await,
            Some(_) => Err(TokenError::GrantType),
            None => Err(TokenError::Missing("grant_type")),
        }
    }

    /// The client of the request. Never fetched: a client that nobody authorized has nothing to exchange.
    async fn known_client(&self, form: &Params) -> Result<Client, TokenError> {
        let id = form.one("client_id").ok_or(TokenError::Missing("client_id"))?;
        let client = self.parts.store.client(&id.into()).await?;
        client.filter(|client| !client.disabled).ok_or(TokenError::UnknownClient)
    }

    /// A token request may repeat the resource of its grant, and no other (RFC 8707 §2.2).
    fn check_resource(&self, form: &Params, granted: &str) -> Result<(), TokenError> {
        let named = |asked| self.named_resource(asked).map(|resource| resource.address(&self.parts.issuer));
        if form.all("resource").all(|asked| named(asked).as_deref() == Some(granted)) {
            Ok(())
        } else {
            Err(self.wrong_resource())
        }
    }

    fn wrong_resource(&self) -> TokenError {
        TokenError::Resource(self.accepted_resources())
    }

    /// A new refresh token, in clear and as stored.
    fn new_refresh(&self) -> (String, Refresh) {
        let token = secret::new(REFRESH_PREFIX, &*self.parts.entropy);
        let stored = Refresh { digest: secret::digest(&token), expires: self.parts.clock.now().plus(REFRESH_LIFE) };
        (token, stored)
    }

    fn answer(&self, bearer: &Bearer<'_>, refresh_token: String) -> Result<Tokens, TokenError> {
        let access_token = self.sign(bearer).map_err(TokenError::Failed)?;
        Ok(Tokens { access_token, refresh_token, ..Tokens::for_scopes(bearer.scopes) })
    }
}

impl Tokens {
    fn for_scopes(scopes: &Scopes) -> Self {
        Self {
            access_token: String::new(),
            token_type: "Bearer",
            expires_in: ACCESS_LIFE.as_secs(),
            refresh_token: String::new(),
            scope: scopes.to_string(),
        }
    }
}

impl Bearer<'_> {
    fn subject(&self) -> Subject<'_> {
        Subject {
            user: Some(self.user),
            client: Some(self.client),
            resource: Some(self.resource),
            family: Some(self.family),
        }
    }

    /// What makes two refreshes with one token the same request.
    fn request(&self) -> String {
        format!("{}\n{}\n{}", self.client, self.resource, self.scopes)
    }
}
