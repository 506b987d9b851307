//! The JSON body of a request.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
};
use http::{StatusCode, header};
use serde_json::{Map, Value};

use super::problem::Problem;
use crate::Services;

/// The members of a JSON object. JSON must be said: a form of another site cannot.
pub(super) struct Body(Map<String, Value>);

impl Body {
    /// The text of this name, which must be there.
    pub(super) fn text(mut self, name: &str) -> Result<String, Problem> {
        match self.0.remove(name) {
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err(unfit(&format!("\"{name}\" must be a text."))),
            None => Err(unfit(&format!("\"{name}\" is missing."))),
        }
    }
}

impl FromRequest<Services> for Body {
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
        match serde_json::from_slice(&body) {
            Ok(Value::Object(members)) => Ok(Self(members)),
            Ok(_) => Err(unfit("The body must be a JSON object.")),
            Err(_) => Err(unfit("The body is no JSON.")),
        }
    }
}

fn unfit(sentence: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, sentence)
}
