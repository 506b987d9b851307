//! The person behind a request to the API.

use axum::extract::FromRequestParts;
use btp_kernel::{Principal, chain};
use http::{StatusCode, header, request::Parts};

use super::problem::Problem;
use crate::{Services, pages::session_token};

/// A signed-in person.
pub(super) struct Signed(pub(super) Principal);

impl FromRequestParts<Services> for Signed {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, services: &Services) -> Result<Self, Problem> {
        // An agent's token is for its own resource; here it does not even count beside a cookie.
        if parts.headers.contains_key(header::AUTHORIZATION) {
            return Err(Problem::new(StatusCode::UNAUTHORIZED, "Access tokens of agents are not accepted here."));
        }
        let sign_in = || Problem::new(StatusCode::UNAUTHORIZED, "Sign in first.");
        let cookie = session_token(&parts.headers).ok_or_else(sign_in)?;
        let person = services.accounts.session(cookie).await.map_err(|err| {
            tracing::error!(target: "btp::api", error = chain(&err), "a session could not be checked");
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "The server is busy. Try again in a few seconds.")
        })?;
        Ok(Self(services.person(person.ok_or_else(sign_in)?.user.id)))
    }
}
