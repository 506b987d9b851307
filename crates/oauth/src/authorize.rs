//! The authorization request (OAuth 2.1 §4.1.1): judged, parked for the person's answer, answered to the client.

mod error;
mod request;

use std::time::Duration;

use btp_kernel::{ClientId, Limit, LimitError, UserId, entropy, limit, secret};

use crate::{
    AuthorizationServer, ScopeWords,
    audit::{self, Subject},
    params::Params,
    redirect,
    store::{Code, Decision, Parked},
};

pub use error::AuthorizeError;
use error::{Denied, Stop};
use request::Asked;

/// How long a request waits for the person.
const PARKED_FOR: Duration = Duration::from_secs(600);
/// How long a code can be redeemed.
const CODE_LIFE: Duration = Duration::from_secs(120);
/// What codes begin with, for secret scanners and log filters.
const CODE_PREFIX: &str = "btc_";
/// Queries beyond this are refused, in bytes.
const QUERY_MAX: usize = 16 * 1024;
/// The longest address of a person that can be granted to an application, in characters.
const EMAIL_MAX: usize = 128;

/// The signed-in person.
#[derive(Clone, Copy, Debug)]
pub struct Person<'a> {
    /// Their id.
    pub id: &'a UserId,
    /// Their address.
    pub email: &'a str,
}

/// Where the browser goes next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// To the consent page of this handle.
    Consent(String),
    /// To the client, with a code or an error.
    Client(String),
}

/// What the consent page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// Who asks.
    pub client: ClientId,
    /// The host of its client id, when that is an address: whoever holds the host answers for its document.
    pub client_host: Option<String>,
    /// Its name, chosen by itself or an operator: to be shown as quoted text.
    pub name: String,
    /// What it asks, in published order.
    pub scopes: Vec<ScopeWords>,
    /// The host the answer goes to, with its port.
    pub redirect_host: String,
    /// Every redirect address of the client is on the person's own machine, where any program may pose as the client.
    pub loopback_only: bool,
}

impl Consent {
    /// What a person should look at first: the host that answers for the client, else the host of the answer. A name is
    /// anyone's to take.
    pub fn host(&self) -> &str {
        self.client_host.as_deref().unwrap_or(&self.redirect_host)
    }
}

impl AuthorizationServer {
    /// Handles a request to the authorization endpoint by a signed-in person; `query` as it came.
    ///
    /// A browser passes here twice: the first request is parked and goes to the consent page; the second, with the
    /// same query, takes the recorded answer, once, and goes to the client. Both are judged alike.
    ///
    /// # Errors
    /// What is shown to the person; everything else goes to the client.
    pub async fn authorize(&self, person: Person<'_>, query: &str) -> Result<Next, AuthorizeError> {
        let outcome = self.pass(person, query).await;
        if let Err(refused) = &outcome
            && !matches!(refused, AuthorizeError::Busy(_) | AuthorizeError::Failed(_))
        {
            let subject = Subject { user: Some(person.id), ..Subject::default() };
            audit::refused("authorization_refused", subject, &refused.to_string());
        }
        outcome
    }

    async fn pass(&self, person: Person<'_>, query: &str) -> Result<Next, AuthorizeError> {
        if query.len() > QUERY_MAX {
            return Err(AuthorizeError::TooLong);
        }
        let params = Params::parse(query.as_bytes());
        let query = params.to_query();
        let handle = entropy::digest(&[person.id.as_str().as_bytes(), query.as_bytes()]);
        let decision =
            self.parts.store.take_decision(&secret::digest(&handle), person.id, self.parts.clock.now()).await?;
        if decision.is_none() {
            self.count(&[(&limit::OAUTH_AUTHORIZE, person.id.as_str())]).await?;
        }
        let asked = match self.judge(&params, person.id, decision.is_some()).await {
            Ok(asked) => asked,
            Err(Stop::Shown(err)) => return Err(err),
            Err(Stop::Denied { redirect, denied }) => {
                let client = params.one("client_id").map(ClientId::from);
                let subject = Subject { user: Some(person.id), client: client.as_ref(), ..Subject::default() };
                audit::refused("authorization_refused", subject, &denied.to_string());
                return Ok(self.refusal(&redirect, &params, denied));
            }
        };
        if person.email.chars().count() > EMAIL_MAX {
            return Err(AuthorizeError::EmailTooLong);
        }
        match decision {
            Some(Decision::Authorize) => self.issue_code(person.id, asked, &params).await,
            Some(Decision::Refuse) => {
                audit::done("authorization_declined", asked.subject(person.id));
                Ok(self.refusal(&asked.redirect, &params, Denied::Access))
            }
            None => {
                self.park(person.id, asked, query, &handle).await?;
                Ok(Next::Consent(handle))
            }
        }
    }

    /// What the consent page of `handle` shows to `user`; `None` when the request is unknown, someone else's, answered
    /// or forgotten.
    ///
    /// # Errors
    /// Storage's.
    pub async fn consent(&self, user: &UserId, handle: &str) -> Result<Option<Consent>, AuthorizeError> {
        let Some(parked) = self.open_request(user, handle).await? else { return Ok(None) };
        let Some(client) = self.parts.store.client(&parked.client).await?.filter(|client| !client.disabled) else {
            return Ok(None);
        };
        let known =
            self.parts.resources.iter().find(|resource| resource.address(&self.parts.issuer) == parked.resource);
        let scopes = known.into_iter().flat_map(|resource| &resource.scopes);
        let client_host = client.id.as_str().starts_with("https://").then(|| redirect::host(client.id.as_str()));
        Ok(Some(Consent {
            client: client.id,
            client_host,
            name: client.name,
            scopes: scopes.filter(|words| parked.scopes.has(words.scope.as_str())).cloned().collect(),
            redirect_host: redirect::host(&parked.redirect_uri),
            loopback_only: client.redirect_uris.iter().all(|address| redirect::is_on_own_machine(address)),
        }))
    }

    /// Records the person's answer, once, and returns the query with which the browser goes back to the authorization
    /// endpoint; `None` as for [`AuthorizationServer::consent`].
    ///
    /// # Errors
    /// Storage's.
    pub async fn decide(
        &self,
        user: &UserId,
        handle: &str,
        decision: Decision,
    ) -> Result<Option<String>, AuthorizeError> {
        let Some(parked) = self.open_request(user, handle).await? else { return Ok(None) };
        let recorded = self.parts.store.decide(&parked.handle, user, decision, self.parts.clock.now()).await?;
        Ok(recorded.then_some(parked.query))
    }

    async fn open_request(&self, user: &UserId, handle: &str) -> Result<Option<Parked>, AuthorizeError> {
        let parked = self.parts.store.parked(&secret::digest(handle), self.parts.clock.now()).await?;
        Ok(parked.filter(|parked| parked.user == *user && parked.decision.is_none()))
    }

    pub(crate) async fn count(&self, of: &[(&'static Limit, &str)]) -> Result<(), AuthorizeError> {
        match self.parts.limiter.take(of, self.parts.clock.now()).await {
            Ok(()) => Ok(()),
            Err(LimitError::Exceeded(exceeded)) => Err(AuthorizeError::Limited(exceeded)),
            Err(LimitError::Failed(source)) => Err(AuthorizeError::Failed(source)),
        }
    }

    async fn park(&self, user: &UserId, asked: Asked, query: String, handle: &str) -> Result<(), AuthorizeError> {
        let parked = Parked {
            handle: secret::digest(handle),
            user: user.clone(),
            client: asked.client,
            resource: asked.resource,
            scopes: asked.scopes,
            redirect_uri: asked.redirect,
            query,
            decision: None,
            expires: self.parts.clock.now().plus(PARKED_FOR),
            details: None,
        };
        Ok(self.parts.store.park(&parked).await?)
    }

    async fn issue_code(&self, user: &UserId, asked: Asked, params: &Params) -> Result<Next, AuthorizeError> {
        let code = secret::new(CODE_PREFIX, &*self.parts.entropy);
        let location = redirect::answer(&asked.redirect, &[("code", &code)], params.one("state"), &self.parts.issuer);
        let stored = Code {
            digest: secret::digest(&code),
            user: user.clone(),
            client: asked.client,
            resource: asked.resource,
            scopes: asked.scopes,
            redirect_uri: asked.redirect,
            challenge: asked.challenge,
            expires: self.parts.clock.now().plus(CODE_LIFE),
            used: false,
            details: None,
        };
        self.parts.store.put_code(&stored).await?;
        let Code { user, client, resource, .. } = &stored;
        audit::done(
            "code_issued",
            Subject { user: Some(user), client: Some(client), resource: Some(resource), family: None },
        );
        Ok(Next::Client(location))
    }

    fn refusal(&self, address: &str, params: &Params, denied: Denied) -> Next {
        let description = denied.to_string();
        let pairs = [("error", denied.code()), ("error_description", &description)];
        let state = if params.repeats("state") { None } else { params.one("state") };
        Next::Client(redirect::answer(address, &pairs, state, &self.parts.issuer))
    }
}
