//! The session cookie: read, renewed, cleared.

use std::sync::{Arc, OnceLock};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use btp_accounts::{AccountError, SESSION_LIFE, Session};
use http::{HeaderMap, HeaderValue, header, request::Parts};

use crate::Services;

/// Name of the session cookie.
const COOKIE: &str = "refresh_token";

/// The token that the browser is to keep from now on, once somebody who handles the request finds that there is another.
#[derive(Clone, Default)]
struct Renewed(Arc<OnceLock<String>>);

/// Sends the browser its new token along with whatever answer it gets.
pub(crate) async fn keep_session(State(services): State<Services>, mut request: Request, next: Next) -> Response {
    let renewed = Renewed::default();
    request.extensions_mut().insert(renewed.clone());
    let mut response = next.run(request).await;
    let decided = response.headers().contains_key(header::SET_COOKIE);
    if let Some(token) = renewed.0.get().filter(|_| !decided) {
        set_session(&services, &mut response, token);
    }
    response
}

/// The session of the cookie, while it lives.
pub(crate) async fn session(parts: &Parts, services: &Services) -> Result<Option<Session>, AccountError> {
    let Some(token) = token(&parts.headers) else { return Ok(None) };
    let session = services.accounts.session(token).await?;
    if let Some(session) = session.as_ref().filter(|session| session.is_renewed())
        && let Some(renewed) = parts.extensions.get::<Renewed>()
    {
        renewed.0.get_or_init(|| session.token());
    }
    Ok(session)
}

/// Has the browser keep this token.
pub(crate) fn set_session(services: &Services, response: &mut Response, token: &str) {
    put(services, response, token, SESSION_LIFE.as_secs());
}

/// Has the browser forget its token.
pub(crate) fn clear_session(services: &Services, response: &mut Response) {
    put(services, response, "", 0);
}

fn put(services: &Services, response: &mut Response, value: &str, life: u64) {
    let secure = if services.settings.is_https() { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}={value}; Path=/; Max-Age={life}; HttpOnly; SameSite=Lax{secure}");
    // A token is base64url and dots: there is no value that a header could not hold.
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
}

fn token(headers: &HeaderMap) -> Option<&str> {
    let lists = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = lists.flat_map(|list| list.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).map(|(_, value)| value)
}
