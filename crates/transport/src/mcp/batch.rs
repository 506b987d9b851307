//! Messages on their way to rmcp: one, or the members of a batch in order (handshake era only; MCP 2025-03-26).

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use btp_oauth::AccessError;
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header, request::Parts};
use http_body_util::{BodyExt, Collected};
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json, value::RawValue};
use tokio::time::{Instant, timeout_at};

use super::{
    Endpoint,
    error::{INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, REFUSED, UNSUPPORTED_VERSION, refuse, rpc},
    form, gate,
    message::{self, Message},
};
use crate::sentences::BUSY;

/// Most messages of a batch.
const MOST: usize = 100;
const VERSION: &str = "mcp-protocol-version";
const LATE: &str = "The server did not answer in time. What was asked may still happen: read before you repeat it.";
const NO_PAGE: &str = "Invalid parameters: this server gave no such \"cursor\": the list has one page. Leave it out.";
const ENDED: &str = "invalid_token: the access token ended while the batch ran. This message was not carried out.";
const UNREADABLE: &str = "The message cannot be read: nested too deeply, a number out of range, half a character, or a \
                          member of another type.";

/// Answers one message.
pub(super) async fn one(
    endpoint: &Endpoint,
    parts: Parts,
    message: &Message,
    body: Bytes,
    deadline: Instant,
) -> Response {
    let id = message.id.clone().unwrap_or_default();
    if let Some(version) = unsupported(&parts.headers, message) {
        let mut error = rpc(&id, UNSUPPORTED_VERSION, "Unsupported protocol version.");
        error["error"]["data"] = json!({"supported": ProtocolVersion::KNOWN_VERSIONS, "requested": version});
        return (StatusCode::BAD_REQUEST, Json(error)).into_response();
    }
    if message.names_page {
        return refuse(StatusCode::OK, &id, INVALID_PARAMS, NO_PAGE);
    }
    match timeout_at(deadline, endpoint.answer(parts, body)).await {
        Ok(response) => in_json(response, &id).await,
        Err(_) => refuse(StatusCode::OK, &id, INTERNAL_ERROR, LATE),
    }
}

/// Answers a batch: an array of the answers, or 202 when only notifications came.
pub(super) async fn answer(endpoint: &Endpoint, parts: &Parts, body: &Bytes, deadline: Instant) -> Response {
    let refused = |(code, sentence)| refuse(StatusCode::BAD_REQUEST, &Value::Null, code, sentence);
    let bodies = match message::members(body) {
        Ok(bodies) if bodies.is_empty() => return refused((INVALID_REQUEST, "The batch is empty.")),
        Ok(bodies) if bodies.len() > MOST => return refused((INVALID_REQUEST, "A batch holds at most 100 messages.")),
        Ok(bodies) => bodies,
        Err(flaw) => return refused(flaw),
    };
    let messages: Vec<_> = bodies.iter().map(|body| Message::read(body)).collect();
    let named = messages.iter().filter_map(|message| message.as_ref().ok()?.version.as_deref());
    if header_version(&parts.headers).into_iter().chain(named).any(message::is_modern) {
        return refused((INVALID_REQUEST, "This protocol version has no batches."));
    }
    let mut answers = Vec::new();
    for (body, message) in bodies.into_iter().zip(messages) {
        answers.extend(member(endpoint, parts, message, body, deadline).await);
    }
    if answers.is_empty() { StatusCode::ACCEPTED.into_response() } else { form::as_json(array(&answers)) }
}

/// The answer to one member; none to a notification.
async fn member(
    endpoint: &Endpoint,
    parts: &Parts,
    message: Result<Message, (Value, message::Flaw)>,
    body: Bytes,
    deadline: Instant,
) -> Option<Bytes> {
    let refused = |id: &Value, code, sentence| Some(rpc(id, code, sentence).to_string().into());
    let message = match message {
        Ok(message) => message,
        Err((id, (code, sentence))) => return refused(&id, code, sentence),
    };
    if message.method == "initialize" {
        let id = message.id.unwrap_or_default();
        return refused(&id, INVALID_REQUEST, "initialize is not part of a batch.");
    }
    let mut parts = parts.clone();
    // The members before this one may have taken as long as it takes to revoke the token.
    match gate::principal(endpoint, &parts.headers).await {
        Ok(principal) => parts.extensions.insert(principal),
        Err(err) => return message.id.map(|id| ended(&id, &err)),
    };
    // They speak of one message; here there are several.
    parts.headers.remove("mcp-method");
    parts.headers.remove("mcp-name");
    let response = one(endpoint, parts, &message, body, deadline).await;
    message.id.as_ref()?;
    Some(collected(response).await)
}

/// The answer to a member whose turn came when the token was no longer alive, or could not be checked.
fn ended(id: &Value, err: &AccessError) -> Bytes {
    let error = match err {
        AccessError::Invalid => {
            let mut error = rpc(id, REFUSED, ENDED);
            error["error"]["data"] = json!({"error": "invalid_token"});
            error
        }
        AccessError::Failed(_) => rpc(id, INTERNAL_ERROR, BUSY),
    };
    error.to_string().into()
}

/// The version that the header names and nobody knows. A message that names a version itself is judged by rmcp.
fn unsupported<'a>(headers: &'a HeaderMap, message: &Message) -> Option<&'a str> {
    header_version(headers)
        .filter(|version| !message::is_known(version) && message.version.is_none() && message.method != "initialize")
}

fn header_version(headers: &HeaderMap) -> Option<&str> {
    headers.get(VERSION).map(|version| version.to_str().unwrap_or("(not text)"))
}

/// A refusal of rmcp in plain text as a JSON-RPC error: clients of both eras read the body to tell them apart. Its words
/// speak of the program's inside, so they are replaced.
async fn in_json(response: Response, id: &Value) -> Response {
    let status = response.status();
    let is_json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if is_json || status.is_success() {
        return response;
    }
    // The media type was right; a message that rmcp cannot read is a bad request.
    let status = if status == StatusCode::UNSUPPORTED_MEDIA_TYPE { StatusCode::BAD_REQUEST } else { status };
    refuse(status, id, INVALID_REQUEST, UNREADABLE)
}

async fn collected(response: Response) -> Bytes {
    response.into_body().collect().await.map(Collected::to_bytes).unwrap_or_default()
}

fn array(answers: &[Bytes]) -> Bytes {
    let raw = answers.iter().filter_map(|answer| serde_json::from_slice::<&RawValue>(answer).ok());
    serde_json::to_vec(&raw.collect::<Vec<_>>()).unwrap_or_default().into()
}
