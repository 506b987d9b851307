//! The only user of `oxide-auth`: its authorization state machine, PKCE check and scope order.
//!
//! What the crate decides: that the client is bound before anything may go to it, the response type, the form of the
//! scope, the PKCE method and comparison, and which scope is within which. Its error texts, redirect building, expiries
//! and endpoint layer are not used, for they differ from the RFCs; the record of decisions says how to leave the crate.

use std::borrow::Cow;

use oxide_auth::{
    code_grant::{
        authorization::{Authorization, Error as MachineError, Input, Output, Request},
        error::AuthorizationErrorType,
        extensions::Pkce,
    },
    endpoint::Scope,
    primitives::{
        grant::{Extensions, Value},
        registrar::{BoundClient, ExactUrl, PreGrant, RegisteredUrl},
    },
};

use crate::params::Params;

/// Why the machine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// Not an authorization code request.
    ResponseType,
    /// The scope is malformed.
    Scope,
    /// No PKCE S256 challenge.
    Pkce,
    /// Anything else.
    Malformed,
}

/// Walks a request whose client, redirect address and scopes are settled through the machine and returns its challenge.
pub(crate) fn walk(params: &Params, redirect: &str, scopes: &str) -> Result<String, Stopped> {
    let request = View { params, redirect, scopes };
    let exact = || ExactUrl::new(redirect.to_owned()).map(RegisteredUrl::Exact).map_err(|_| Stopped::Malformed);
    let mut machine = Authorization::new(&request);
    let mut challenge = String::new();
    let mut input = Input::None;
    loop {
        input = match machine.advance(input) {
            Output::Bind { client_id, .. } => Input::Bound {
                request: &request,
                bound_client: BoundClient { client_id: Cow::Owned(client_id), redirect_uri: Cow::Owned(exact()?) },
            },
            Output::Extend => {
                challenge = s256_challenge(params).ok_or(Stopped::Pkce)?;
                Input::Extended(Extensions::new())
            }
            Output::Negotiate { bound_client, scope } => Input::Negotiated {
                pre_grant: PreGrant {
                    client_id: bound_client.client_id.to_string(),
                    redirect_uri: exact()?,
                    scope: scope.ok_or(Stopped::Scope)?,
                },
                state: None,
            },
            Output::Ok { .. } => return Ok(challenge),
            Output::Err(mut err) => return Err(stopped(&mut err)),
        };
    }
}

/// Whether `verifier` belongs to `challenge` (RFC 7636 §4.6); compares in constant time.
pub(crate) fn verifies(challenge: &str, verifier: &str) -> bool {
    let legal = (43..=128).contains(&verifier.len())
        && verifier.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte));
    let stored = Pkce::required().challenge(Some("S256".into()), Some(challenge.into()));
    legal && stored.is_ok_and(|stored| Pkce::required().verify(stored, Some(verifier.into())).is_ok())
}

/// Whether every scope of `asked` is in `granted`.
pub(crate) fn is_within(asked: &str, granted: &str) -> bool {
    match (asked.parse::<Scope>(), granted.parse::<Scope>()) {
        (Ok(asked), Ok(granted)) => asked <= granted,
        _ => false,
    }
}

/// The challenge when it is one of S256: 32 bytes in base64url (RFC 7636 §4.2), with the method said.
fn s256_challenge(params: &Params) -> Option<String> {
    let challenge = params.one("code_challenge").filter(|text| {
        text.len() == 43 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    })?;
    let method = params.one("code_challenge_method").map(Cow::Borrowed);
    let accepted: Result<Option<Value>, ()> = Pkce::required().challenge(method, Some(challenge.into()));
    accepted.ok().flatten().map(|_| challenge.to_owned())
}

fn stopped(err: &mut MachineError) -> Stopped {
    match err.description().map(|description| description.kind()) {
        Some(AuthorizationErrorType::UnsupportedResponseType) => Stopped::ResponseType,
        Some(AuthorizationErrorType::InvalidScope) => Stopped::Scope,
        _ => Stopped::Malformed,
    }
}

/// The request as the machine sees it.
struct View<'a> {
    params: &'a Params,
    redirect: &'a str,
    scopes: &'a str,
}

impl Request for View<'_> {
    fn valid(&self) -> bool {
        true
    }

    fn client_id(&self) -> Option<Cow<'_, str>> {
        self.params.one("client_id").map(Cow::Borrowed)
    }

    fn scope(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(self.scopes))
    }

    fn redirect_uri(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(self.redirect))
    }

    fn state(&self) -> Option<Cow<'_, str>> {
        self.params.one("state").map(Cow::Borrowed)
    }

    fn response_type(&self) -> Option<Cow<'_, str>> {
        self.params.one("response_type").map(Cow::Borrowed)
    }

    fn extension(&self, key: &str) -> Option<Cow<'_, str>> {
        self.params.all(key).next().map(|value| Cow::Owned(value.to_owned()))
    }
}
