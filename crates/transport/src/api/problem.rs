//! Errors of the API (RFC 9457).

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use btp_accounts::{AccountError, store::AccountStoreError};
use btp_domain::{Error, Refusal};
use btp_kernel::{Exceeded, chain};
use http::{HeaderValue, StatusCode, header};
use serde_json::json;

use crate::sentences::{BUSY, BUSY_FOR};

/// A problem: a status, a sentence, and when to come back in seconds.
#[derive(Debug)]
pub(super) struct Problem(StatusCode, String, Option<u64>);

impl Problem {
    pub(super) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self(status, detail.into(), None)
    }

    /// The same with the seconds to wait, when there are some to say.
    pub(super) fn after(self, seconds: Option<u64>) -> Self {
        Self(self.0, self.1, seconds.or(self.2))
    }

    /// What is behind the server does not answer.
    pub(super) fn busy() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, BUSY).after(Some(BUSY_FOR))
    }

    /// The caller can do nothing about it.
    pub(super) fn failed() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "Internal error.")
    }
}

impl From<Error> for Problem {
    fn from(err: Error) -> Self {
        let retry_after = match &err {
            Error::Refused(Refusal::RateLimited(seconds)) => Some(*seconds),
            Error::Busy(_) => Some(BUSY_FOR),
            _ => None,
        };
        let status = match &err {
            Error::Refused(Refusal::NoTrip | Refusal::NoStage) => StatusCode::NOT_FOUND,
            Error::Refused(Refusal::Scope(_)) => StatusCode::FORBIDDEN,
            Error::Refused(Refusal::RateLimited(_)) => StatusCode::TOO_MANY_REQUESTS,
            Error::Refused(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Error::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
            Error::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        if status.is_server_error() {
            tracing::error!(target: "btp::api", error = chain(&err), "a request failed");
        }
        Self(status, err.to_string(), retry_after)
    }
}

impl From<AccountError> for Problem {
    fn from(err: AccountError) -> Self {
        match err {
            AccountError::Email(err) => Self::new(StatusCode::UNPROCESSABLE_ENTITY, err.to_string()),
            AccountError::Limited(exceeded) => exceeded.into(),
            err => {
                tracing::error!(target: "btp::api", error = chain(&err), "an account operation failed");
                match err {
                    AccountError::Store(AccountStoreError::Busy(_)) => Self::busy(),
                    _ => Self::failed(),
                }
            }
        }
    }
}

impl From<Exceeded> for Problem {
    fn from(exceeded: Exceeded) -> Self {
        let detail = format!("Too many requests. Retry in {} seconds.", exceeded.retry_after);
        Self(StatusCode::TOO_MANY_REQUESTS, detail, Some(exceeded.retry_after))
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Self(status, detail, retry_after) = self;
        let title = status.canonical_reason().unwrap_or_default();
        let body = json!({"type": "about:blank", "title": title, "status": status.as_u16(), "detail": detail});
        let mut response = (status, Json(body)).into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_is_away_ends_no_session_of_an_app() {
        let away = AccountError::Store(AccountStoreError::Busy("no connection".into()));
        let response = Problem::from(away).into_response();
        assert_eq!((response.status().as_u16(), &response.headers()["retry-after"]), (503, &"2".parse().unwrap()));
        let away = Problem::from(Error::Busy("no connection".into())).into_response();
        assert_eq!((away.status().as_u16(), &away.headers()["retry-after"]), (503, &"2".parse().unwrap()));
        let broken = AccountError::Store(AccountStoreError::Failed("no such column".into()));
        assert_eq!(Problem::from(broken).into_response().status(), 500);
    }
}
