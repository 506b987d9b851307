//! The token and revocation endpoints: forms in, JSON out, from every site, without cookies.

use axum::{
    Json,
    body::Bytes,
    extract::{State, rejection::BytesRejection},
    response::{IntoResponse, Response},
};
use btp_kernel::{LimitError, chain, limit};
use btp_oauth::TokenError;
use http::{HeaderMap, HeaderName, StatusCode, header};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{Services, layer::ClientIp};

/// Exchanges a code or refresh token (OAuth 2.1 §3.2).
pub(super) async fn token(
    State(services): State<Services>,
    ip: ClientIp,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let form = match form(&services, &ip, &headers, body).await {
        Ok(form) => form,
        Err(refusal) => return refusal,
    };
    match services.authorization.token(&form).await {
        Ok(tokens) => sent(StatusCode::OK, [], tokens),
        Err(err) => refused(&err),
    }
}

/// Revokes a token with its family (RFC 7009). An unknown token is as good as revoked.
pub(super) async fn revoke(
    State(services): State<Services>,
    ip: ClientIp,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let form = match form(&services, &ip, &headers, body).await {
        Ok(form) => form,
        Err(refusal) => return refusal,
    };
    match services.authorization.revoke(&form).await {
        Ok(()) => sent(StatusCode::OK, [], json!({})),
        Err(err) => refused(&err),
    }
}

/// Clients in browsers may call from every site; nothing here reads a cookie.
pub(super) async fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "POST, OPTIONS"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "*"),
        (header::ACCESS_CONTROL_MAX_AGE, "3600"),
        (header::ALLOW, "POST, OPTIONS"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// The form of a request that counts and has no client authentication, which public clients do not have.
async fn form(
    services: &Services,
    ip: &ClientIp,
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Bytes, Response> {
    match services.limiter.take(&[(&limit::OAUTH_TOKEN, &ip.0)], services.clock.now()).await {
        Ok(()) => {}
        Err(LimitError::Exceeded(exceeded)) => {
            let description = format!("Too many token requests. Retry in {} seconds.", exceeded.retry_after);
            let wait = [(header::RETRY_AFTER, exceeded.retry_after.to_string())];
            return Err(sent(StatusCode::TOO_MANY_REQUESTS, wait, error("rate_limited", &description)));
        }
        Err(LimitError::Failed(source)) => return Err(refused(&TokenError::Failed(source))),
    }
    if headers.contains_key(header::AUTHORIZATION) {
        let scheme = [(header::WWW_AUTHENTICATE, r#"Basic realm="oauth""#.to_owned())];
        let body = error("invalid_client", "Clients are public here and send their client_id in the form.");
        return Err(sent(StatusCode::UNAUTHORIZED, scheme, body));
    }
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    let is_form = kind.eq_ignore_ascii_case("application/x-www-form-urlencoded");
    body.ok().filter(|_| is_form).ok_or_else(|| {
        let description = "The body must be an application/x-www-form-urlencoded form of at most 64 KiB.";
        sent(StatusCode::BAD_REQUEST, [], error("invalid_request", description))
    })
}

fn refused(err: &TokenError) -> Response {
    let wait = [(header::RETRY_AFTER, "2".to_owned())];
    let body = error(err.code(), &err.to_string());
    match err {
        TokenError::Busy(_) => sent(StatusCode::SERVICE_UNAVAILABLE, wait, body),
        TokenError::Failed(_) => {
            tracing::error!(target: "btp::oauth", error = chain(err), "a token request failed");
            sent(StatusCode::INTERNAL_SERVER_ERROR, [], body)
        }
        _ => sent(StatusCode::BAD_REQUEST, [], body),
    }
}

fn error(code: &str, description: &str) -> Value {
    json!({"error": code, "error_description": description})
}

fn sent<const N: usize>(status: StatusCode, more: [(HeaderName, String); N], body: impl Serialize) -> Response {
    let headers =
        [(header::CACHE_CONTROL, "no-store"), (header::PRAGMA, "no-cache"), (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")];
    (status, headers, more, Json(body)).into_response()
}
