//! What the gate refuses, as responses. Tool errors become JSON-RPC errors in `handler`.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header};
use serde_json::{Value, json};

use crate::sentences::{BUSY, BUSY_FOR};

/// JSON-RPC: the body is no JSON (JSON-RPC 2.0 §5.1).
pub(super) const PARSE_ERROR: i32 = -32700;
/// JSON-RPC: the body is no request.
pub(super) const INVALID_REQUEST: i32 = -32600;
/// JSON-RPC: the parameters do not fit.
pub(super) const INVALID_PARAMS: i32 = -32602;
/// JSON-RPC: the server failed.
pub(super) const INTERNAL_ERROR: i32 = -32603;
/// JSON-RPC: what the token does not allow (the contract's own code).
pub(super) const REFUSED: i32 = -32000;
/// MCP 2026-07-28: the protocol version is not supported.
pub(super) const UNSUPPORTED_VERSION: i32 = -32022;

/// A JSON-RPC error object for the message `id`.
pub(super) fn rpc(id: &Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// A JSON-RPC error as the whole answer.
pub(super) fn refuse(status: StatusCode, id: &Value, code: i32, message: &str) -> Response {
    (status, Json(rpc(id, code, message))).into_response()
}

/// An error of the HTTP layer.
pub(super) fn http(status: StatusCode, error: &str, description: &str) -> Response {
    (status, Json(json!({"error": error, "error_description": description}))).into_response()
}

/// 401 with the challenge of RFC 9728 §5.1: the same for every token that is not alive for this resource.
pub(super) fn unauthorized(metadata: &str, scopes: &str) -> Response {
    let challenge = format!("Bearer resource_metadata=\"{metadata}\", scope=\"{scopes}\"");
    let description = "A valid access token for this resource is required.";
    challenged(http(StatusCode::UNAUTHORIZED, "invalid_token", description), &challenge)
}

/// 403 that asks for one more scope (RFC 6750 §3.1).
pub(super) fn insufficient_scope(metadata: &str, scope: &str) -> Response {
    let challenge = format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\", resource_metadata=\"{metadata}\"");
    let description = format!("This tool needs the scope {scope}.");
    challenged(http(StatusCode::FORBIDDEN, "insufficient_scope", &description), &challenge)
}

/// 429 with the seconds to wait.
pub(super) fn rate_limited(seconds: u64) -> Response {
    let description = format!("Too many requests. Retry in {seconds} seconds.");
    retry_after(http(StatusCode::TOO_MANY_REQUESTS, "rate_limited", &description), seconds)
}

/// 503: something behind the server fails just now.
pub(super) fn unavailable() -> Response {
    retry_after(http(StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", BUSY), BUSY_FOR)
}

fn challenged(mut response: Response, challenge: &str) -> Response {
    if let Ok(value) = HeaderValue::from_str(challenge) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, value);
    }
    response
}

fn retry_after(mut response: Response, seconds: u64) -> Response {
    response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    response
}
