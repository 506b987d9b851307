//! The form a client wants its answer in: JSON, or the same as one server-sent event.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// Whether the body is declared as JSON, and as nothing else beside it.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let mut said = headers.get_all(header::CONTENT_TYPE).iter().peekable();
    let is_json = |value: &HeaderValue| {
        let essence = value.to_str().ok().and_then(|value| value.split(';').next());
        essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case(JSON))
    };
    said.peek().is_some() && said.all(is_json)
}

/// Whether the client reads server-sent events and no JSON (RFC 9110 §12.5.1).
pub(super) fn wants_events(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut events = false;
    for range in lists.flat_map(|list| list.split(',')) {
        let mut parts = range.split(';').map(str::trim);
        let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
        let refused = parts.any(|parameter| {
            let weight = parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q="));
            weight.is_some_and(|weight| weight.parse::<f64>().is_ok_and(|weight| weight == 0.0))
        });
        match essence.as_str() {
            _ if refused => {}
            "*/*" | "application/*" | JSON => return false,
            EVENTS => events = true,
            _ => {}
        }
    }
    events
}

/// What rmcp demands of every request; the gate has judged what the client sent.
pub(super) fn as_rmcp_wants(headers: &mut HeaderMap) {
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
    for name in ["mcp-session-id", "last-event-id", "content-length", "transfer-encoding"] {
        headers.remove(name);
    }
}

/// `json` as one event of a stream that ends.
pub(super) fn as_event(json: &Bytes) -> Response {
    let mut event = Vec::with_capacity(json.len() + 32);
    event.extend_from_slice(b"event: message\ndata: ");
    event.extend_from_slice(json);
    event.extend_from_slice(b"\n\n");
    ([(header::CONTENT_TYPE, EVENTS)], Body::from(event)).into_response()
}

/// `json` as it is.
pub(super) fn as_json(json: Bytes) -> Response {
    ([(header::CONTENT_TYPE, JSON)], Body::from(json)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_unless_only_events_are_read() {
        for (accept, expected) in [
            ("application/json, text/event-stream", false),
            ("text/event-stream, application/json", false),
            ("text/event-stream", true),
            ("text/event-stream;q=0.5, text/html", true),
            ("text/event-stream, application/json;q=0", true),
            ("text/event-stream, */*;q=0.1", false),
            ("text/event-stream;q=0", false),
            ("*/*", false),
            ("text/html", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(wants_events(&headers), expected, "{accept}");
        }
        assert!(!wants_events(&HeaderMap::new()));
    }
}
