//! Discovery documents, for clients on every site.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use http::{StatusCode, Uri, header};
use serde::Serialize;
use serde_json::json;

use crate::Services;

/// Metadata of a protected resource (RFC 9728). Clients try other well-known addresses too, some of them from browsers,
/// and must be able to read that there is nothing.
pub(super) async fn resource(State(services): State<Services>, uri: Uri) -> Response {
    let mut documents = services.authorization.resource_metadata().into_iter();
    match documents.find(|(path, _)| path == uri.path()) {
        Some((_, document)) => published(document),
        None => {
            let body = json!({"error": "not_found", "error_description": "There is no such document."});
            (StatusCode::NOT_FOUND, [(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")], Json(body)).into_response()
        }
    }
}

/// Metadata of the authorization server (RFC 8414).
pub(super) async fn server(State(services): State<Services>) -> Response {
    published(services.authorization.metadata())
}

/// Whoever asks may read.
pub(super) async fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, OPTIONS"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "*"),
        (header::ACCESS_CONTROL_MAX_AGE, "3600"),
        (header::ALLOW, "GET, HEAD, OPTIONS"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

fn published(document: impl Serialize) -> Response {
    let headers = [(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"), (header::CACHE_CONTROL, "public, max-age=3600")];
    (headers, Json(document)).into_response()
}
