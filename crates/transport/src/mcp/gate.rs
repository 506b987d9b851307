//! The one place that decides whether a request reaches the tools. The order is published and pinned by a test:
//! Host → Origin → envelope limit → token → scope by `Mcp-Name` → method → body size → JSON shape → rmcp.

use std::{sync::Arc, time::Duration};

use axum::{body::Body, extract::Request, response::Response};
use btp_kernel::{LimitError, Principal, chain, limit};
use btp_oauth::AccessError;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::{
    BODY, Endpoint, PATIENCE, batch, cors,
    error::{self, INVALID_REQUEST, refuse},
    form,
    message::Message,
};
use crate::{layer::ClientIp, settings::Came};

/// Within this a body comes that nobody holds back.
const PROMPT: Duration = Duration::from_secs(1);
/// The MCP header that names the tool (revision 2026-07-28; older clients send it too).
const MCP_NAME: &str = "mcp-name";

/// Answers a request to the endpoint.
pub(super) async fn pass(endpoint: Arc<Endpoint>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let settings = &endpoint.services.settings;
    if !settings.is_our_host(&parts.uri, &parts.headers) {
        return error::http(
            StatusCode::FORBIDDEN,
            "host_not_allowed",
            "This server does not answer to this host name.",
        );
    }
    let origin = match settings.came(&parts.headers, true) {
        Came::Foreign => {
            return error::http(StatusCode::FORBIDDEN, "origin_not_allowed", "This origin may not call this server.");
        }
        Came::Friendly(origin) => Some(origin),
        Came::Unsaid => None,
    };
    let mut response = match &origin {
        Some(_) if parts.method == Method::OPTIONS => cors::preflight(),
        _ => guarded(&endpoint, &mut parts, body).await.unwrap_or_else(|refusal| *refusal),
    };
    if let Some(origin) = origin {
        cors::expose(response.headers_mut(), origin);
    }
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

async fn guarded(endpoint: &Arc<Endpoint>, parts: &mut Parts, body: Body) -> Result<Response, Box<Response>> {
    envelope(endpoint, parts).await?;
    let principal = authenticated(endpoint, &parts.headers).await?;
    named_tool(endpoint, &parts.headers, &principal)?;
    if parts.method != Method::POST {
        let mut response =
            error::http(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "Only POST is served here.");
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
        return Err(Box::new(response));
    }
    let began = Instant::now();
    let deadline = began + PATIENCE;
    let events = form::wants_events(&parts.headers);
    let body = whole(body, &parts.headers, deadline).await?;
    // A body that was held back may have outlasted a revocation.
    let principal = if began.elapsed() < PROMPT { principal } else { authenticated(endpoint, &parts.headers).await? };
    form::as_rmcp_wants(&mut parts.headers);
    parts.extensions.insert(principal);
    let response = match body.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'[') => batch::answer(endpoint, parts, &body, deadline).await,
        _ => single(endpoint, parts, body, deadline).await,
    };
    Ok(if events { in_events(response).await } else { response })
}

/// The envelope limit, by address.
async fn envelope(endpoint: &Endpoint, parts: &Parts) -> Result<(), Box<Response>> {
    let services = &endpoint.services;
    let ClientIp(address) = ClientIp::of(parts, &services.settings);
    let key = format!("{}\n{address}", endpoint.resource().protected.path);
    match services.limiter.take(&[(&limit::MCP_ENVELOPE, &key)], services.clock.now()).await {
        Ok(()) => Ok(()),
        Err(LimitError::Exceeded(exceeded)) => Err(Box::new(error::rate_limited(exceeded.retry_after))),
        Err(failed @ LimitError::Failed(_)) => {
            tracing::error!(target: "btp::mcp", error = chain(&failed), "the envelope limit could not be judged");
            Err(Box::new(error::unavailable()))
        }
    }
}

/// The same as [`principal`], or the answer to give instead.
async fn authenticated(endpoint: &Endpoint, headers: &HeaderMap) -> Result<Arc<Principal>, Box<Response>> {
    principal(endpoint, headers).await.map_err(|err| {
        Box::new(match err {
            AccessError::Invalid => {
                let scopes = endpoint.resource().protected.scope_names().join(" ");
                error::unauthorized(&endpoint.metadata, &scopes)
            }
            AccessError::Failed(_) => error::unavailable(),
        })
    })
}

/// The principal of the bearer token (RFC 6750 §2.1: the header only).
pub(super) async fn principal(endpoint: &Endpoint, headers: &HeaderMap) -> Result<Arc<Principal>, AccessError> {
    let bearer = bearer(headers).ok_or(AccessError::Invalid)?;
    let found = endpoint.services.authenticate.principal(bearer, &endpoint.address).await;
    found.map(Arc::new).inspect_err(|err| {
        if let AccessError::Failed(_) = err {
            tracing::error!(target: "btp::mcp", error = chain(err), "an access token could not be checked");
        }
    })
}

pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_matches(' ')).filter(|token| !token.is_empty())
}

/// A tool named as it is in the header, for which the token lacks the scope: 403, so that a client can ask the person
/// for more. An encoded name falls to the check of the message.
fn named_tool(endpoint: &Endpoint, headers: &HeaderMap, principal: &Principal) -> Result<(), Box<Response>> {
    let names = headers.get_all(MCP_NAME).iter().filter_map(|name| name.to_str().ok());
    for tool in names.filter_map(|name| endpoint.resource().catalogue.find(name.trim())) {
        let scope = tool.spec().scope;
        if !principal.scopes.has(scope) {
            return Err(Box::new(error::insufficient_scope(&endpoint.metadata, scope)));
        }
    }
    Ok(())
}

/// The body, at most [`BODY`] bytes.
async fn whole(body: Body, headers: &HeaderMap, deadline: Instant) -> Result<Bytes, Box<Response>> {
    let refusal = |status, sentence| Box::new(refuse(status, &Value::Null, INVALID_REQUEST, sentence));
    if !form::is_json(headers) {
        return Err(refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, "The Content-Type must be application/json."));
    }
    match timeout_at(deadline, Limited::new(body, BODY).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(err)) if err.is::<LengthLimitError>() => {
            Err(refusal(StatusCode::PAYLOAD_TOO_LARGE, "The body is longer than 64 KiB."))
        }
        Ok(Err(_)) => Err(refusal(StatusCode::BAD_REQUEST, "The body did not arrive whole.")),
        Err(_) => Err(refusal(StatusCode::REQUEST_TIMEOUT, "The body did not arrive in time.")),
    }
}

async fn single(endpoint: &Endpoint, parts: &Parts, body: Bytes, deadline: Instant) -> Response {
    match Message::read(&body) {
        Ok(message) => batch::one(endpoint, parts.clone(), &message, body, deadline).await,
        Err((id, (code, sentence))) => refuse(StatusCode::BAD_REQUEST, &id, code, sentence),
    }
}

/// A JSON answer as one event; anything that is no success stays as it is.
async fn in_events(response: Response) -> Response {
    if response.status() != StatusCode::OK {
        return response;
    }
    let body = response.into_body().collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    form::as_event(&body)
}
