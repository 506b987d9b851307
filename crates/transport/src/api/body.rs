//! The JSON body of a request.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
};
use http::{StatusCode, header};
use serde::de::DeserializeOwned;

use super::problem::Problem;
use crate::Services;

/// A JSON object of this shape. JSON must be said: a form of another site cannot.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Services> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, services: &Services) -> Result<Self, Problem> {
        let kind =
            request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Send JSON, and say so."));
        }
        let body = Bytes::from_request(request, services).await;
        let body = body.map_err(|_| Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "The body is too large."))?;
        let parsed = serde_json::from_slice(&body);
        parsed.map(Self).map_err(|err| Problem::new(StatusCode::BAD_REQUEST, format!("The body does not fit: {err}.")))
    }
}
