//! Browsers of allowed origins: the preflight answer and what they may read.

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};

/// Headers that MCP clients send.
const REQUEST_HEADERS: &str = "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, \
                               Mcp-Name, Last-Event-ID, traceparent, tracestate, baggage";

/// The answer to a preflight request from an allowed origin (Fetch standard, CORS protocol).
pub(super) fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "POST"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS),
        (header::ACCESS_CONTROL_MAX_AGE, "7200"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// Lets pages of `origin` read an answer.
pub(super) fn expose(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static("WWW-Authenticate, Retry-After, MCP-Protocol-Version"),
    );
    headers.insert(header::VARY, HeaderValue::from_static("Origin"));
}
