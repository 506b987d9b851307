//! The person behind a request to the API.

use axum::extract::FromRequestParts;
use btp_accounts::AccountError;
use btp_kernel::{Principal, chain};
use http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts};

use super::problem::Problem;
use crate::{Services, layer};

/// A signed-in person: by the token of an app, else by the cookie of a browser.
pub(super) struct Signed(pub(super) Principal);

impl FromRequestParts<Services> for Signed {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, services: &Services) -> Result<Self, Problem> {
        let user = match parts.headers.get(header::AUTHORIZATION) {
            Some(said) => {
                services.apps.person(bearer(said)?).await.map_err(|err| unchecked(&err))?.ok_or_else(not_accepted)?
            }
            None => {
                let session = layer::session(parts, services).await.map_err(|err| unchecked(&err))?;
                session.ok_or_else(|| Problem::new(StatusCode::UNAUTHORIZED, "Sign in first."))?.user
            }
        };
        Ok(Self(services.person(user.id)))
    }
}

/// Whether the sender of a request that was judged when it began is signed in still.
pub(super) async fn still(headers: &HeaderMap, services: &Services) -> Result<bool, AccountError> {
    match headers.get(header::AUTHORIZATION).map(bearer) {
        Some(Ok(token)) => Ok(services.apps.person(token).await?.is_some()),
        Some(Err(_)) => Ok(false),
        None => layer::is_signed_in(headers, services).await,
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

fn unchecked(err: &AccountError) -> Problem {
    tracing::error!(target: "btp::api", error = chain(err), "a session could not be checked");
    Problem::busy()
}
