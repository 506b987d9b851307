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
    /// The answer goes to the person's own machine, where any program may pose as the client.
    pub loopback: bool,
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
        if self.is_decided(&handle).await?
            && let Some(next) = self.settle(person, &params, &handle).await?
        {
            return Ok(next);
        }
        self.count(&[(&limit::OAUTH_AUTHORIZE, person.id.as_str())]).await?;
        match self.judge(&params, person, false).await {
            Ok(asked) => {
                self.park(person.id, asked, query, &handle).await?;
                Ok(Next::Consent(handle))
            }
            Err(stop) => self.stopped(person.id, &params, stop),
        }
    }

    async fn is_decided(&self, handle: &str) -> Result<bool, AuthorizeError> {
        let parked = self.parts.store.parked(&secret::digest(handle), self.parts.clock.now()).await?;
        Ok(parked.is_some_and(|parked| parked.decision.is_some()))
    }

    /// The second pass: takes the person's answer, once. `None` when another pass took it first or access was revoked
    /// meanwhile: then the request is as new.
    async fn settle(&self, person: Person<'_>, params: &Params, handle: &str) -> Result<Option<Next>, AuthorizeError> {
        let judged = self.judge(params, person, true).await;
        let code = secret::new(CODE_PREFIX, &*self.parts.entropy);
        let stored = judged.as_ref().ok().map(|asked| self.new_code(person.id, asked, &code));
        let (handle, now) = (secret::digest(handle), self.parts.clock.now());
        let taken = self.parts.store.take_decision(&handle, person.id, stored.as_ref(), now).await?;
        let Some(decision) = taken else { return Ok(None) };
        let asked = match judged {
            Ok(asked) => asked,
            Err(stop) => return self.stopped(person.id, params, stop).map(Some),
        };
        let subject = asked.subject(person.id);
        Ok(Some(match decision {
            Decision::Authorize => {
                audit::done("code_issued", subject);
                let pairs = [("code", code.as_str())];
                Next::Client(redirect::answer(&asked.redirect, &pairs, params.one("state"), &self.parts.issuer))
            }
            Decision::Refuse => {
                audit::done("authorization_declined", subject);
                self.refusal(&asked.redirect, params, Denied::Access)
            }
        }))
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
            loopback: redirect::is_on_own_machine(&parked.redirect_uri),
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

    fn new_code(&self, user: &UserId, asked: &Asked, code: &str) -> Code {
        Code {
            digest: secret::digest(code),
            user: user.clone(),
            client: asked.client.clone(),
            resource: asked.resource.clone(),
            scopes: asked.scopes.clone(),
            redirect_uri: asked.redirect.clone(),
            challenge: asked.challenge.clone(),
            expires: self.parts.clock.now().plus(CODE_LIFE),
            used: false,
            details: None,
        }
    }

    /// Where a request ends that is not legal.
    fn stopped(&self, user: &UserId, params: &Params, stop: Stop) -> Result<Next, AuthorizeError> {
        match stop {
            Stop::Shown(err) => Err(err),
            Stop::Denied { redirect, denied } => {
                let client = params.one("client_id").map(ClientId::from);
                let subject = Subject { user: Some(user), client: client.as_ref(), ..Subject::default() };
                audit::refused("authorization_refused", subject, &denied.to_string());
                Ok(self.refusal(&redirect, params, denied))
            }
        }
    }

    fn refusal(&self, address: &str, params: &Params, denied: Denied) -> Next {
        let description = denied.to_string();
        let pairs = [("error", denied.code()), ("error_description", &description)];
        let state = if params.repeats("state") { None } else { params.one("state") };
        Next::Client(redirect::answer(address, &pairs, state, &self.parts.issuer))
    }
}
