//! The person behind a request to the API.

use axum::extract::FromRequestParts;
use btp_accounts::AccountError;
use btp_kernel::{Principal, chain};
use http::{HeaderValue, StatusCode, header, request::Parts};

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
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "The server is busy. Try again in a few seconds.")
}
