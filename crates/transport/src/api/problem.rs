//! Errors of the API (RFC 9457).

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use btp_domain::{Error, Refusal};
use btp_kernel::chain;
use http::{HeaderValue, StatusCode, header};
use serde_json::json;

/// A problem: a status and a sentence.
#[derive(Debug)]
pub(super) struct Problem(StatusCode, String);

impl Problem {
    pub(super) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self(status, detail.into())
    }
}

impl From<Error> for Problem {
    fn from(err: Error) -> Self {
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
        Self(status, err.to_string())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Self(status, detail) = self;
        let title = status.canonical_reason().unwrap_or_default();
        let body = json!({"type": "about:blank", "title": title, "status": status.as_u16(), "detail": detail});
        let mut response = (status, Json(body)).into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        response
    }
}
