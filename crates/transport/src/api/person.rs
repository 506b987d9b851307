//! The person behind a request to the API.

use axum::extract::FromRequestParts;
use btp_accounts::{AccountError, Session};
use btp_kernel::{Principal, chain};
use http::{HeaderValue, StatusCode, header, request::Parts};

use super::problem::Problem;
use crate::{Services, layer};

/// A signed-in person: by the token of an app, else by the cookie of a browser.
pub(super) struct Signed(pub(super) Principal);

impl FromRequestParts<Services> for Signed {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, services: &Services) -> Result<Self, Problem> {
        Ok(Self(Sender::from_request_parts(parts, services).await?.principal))
    }
}

/// A signed-in person whose request takes a while to come.
pub(super) struct Sender {
    pub(super) principal: Principal,
    by: By,
}

/// What a person is signed in by.
enum By {
    App(String),
    Browser(Session),
}

impl Sender {
    /// The person, when they are still signed in.
    pub(super) async fn still(self, services: &Services) -> Result<Principal, Problem> {
        let lives = match &self.by {
            By::App(token) => services.apps.person(token).await.map(|user| user.is_some()),
            By::Browser(session) => services.accounts.still_lives(session).await,
        };
        if lives.map_err(|err| unchecked(&err))? { Ok(self.principal) } else { Err(ended()) }
    }
}

impl FromRequestParts<Services> for Sender {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, services: &Services) -> Result<Self, Problem> {
        let (user, by) = match parts.headers.get(header::AUTHORIZATION) {
            Some(said) => {
                let token = bearer(said)?;
                let user = services.apps.person(token).await.map_err(|err| unchecked(&err))?;
                (user.ok_or_else(not_accepted)?, By::App(token.to_owned()))
            }
            None => {
                let session = layer::session(parts, services).await.map_err(|err| unchecked(&err))?;
                let session = session.ok_or_else(|| Problem::new(StatusCode::UNAUTHORIZED, "Sign in first."))?;
                (session.user.clone(), By::Browser(session))
            }
        };
        Ok(Self { principal: services.person(user.id), by })
    }
}

fn bearer(said: &HeaderValue) -> Result<&str, Problem> {
    let (scheme, token) = said.to_str().ok().and_then(|said| said.split_once(' ')).ok_or_else(not_accepted)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(token.trim()) } else { Err(not_accepted()) }
}

/// An agent's token is for its own resource; here it does not even count beside a cookie.
fn not_accepted() -> Problem {
    Problem::new(
        StatusCode::UNAUTHORIZED,
        "The token is no live token of an app. Tokens of agents are not accepted here.",
    )
}

fn ended() -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "The session has ended meanwhile. Sign in again.")
}

fn unchecked(err: &AccountError) -> Problem {
    tracing::error!(target: "btp::api", error = chain(err), "a session could not be checked");
    Problem::busy()
}
