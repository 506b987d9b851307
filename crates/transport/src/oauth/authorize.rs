//! The authorization endpoint: the browser passes here before and after the person answers.

use axum::{
    extract::{RawQuery, State},
    response::{IntoResponse, Response},
};
use btp_kernel::chain;
use btp_oauth::{AuthorizeError, Next, Person};
use http::{HeaderValue, StatusCode, header};

use crate::{
    Services,
    pages::{Message, Visitor, see_other},
};

/// Judges the request, parks it, or answers it.
pub(super) async fn authorize(
    State(services): State<Services>,
    visitor: Visitor,
    RawQuery(query): RawQuery,
) -> Response {
    // The request is not kept: after signing in, the person starts again from the agent.
    let Some(session) = &visitor.session else { return see_other("/login") };
    let person = Person { id: &session.user.id, email: session.user.email.as_str() };
    match services.authorization.authorize(person, &query.unwrap_or_default()).await {
        Ok(Next::Consent(handle)) => see_other(&format!("/oauth/consent/{handle}")),
        Ok(Next::Client(location)) => see_other(&location),
        Err(err) => refused(&visitor, &err),
    }
}

/// What the person sees of a refusal.
pub(super) fn refused(visitor: &Visitor, err: &AuthorizeError) -> Response {
    let text = visitor.text();
    let (status, said) = match err {
        AuthorizeError::TooLong => (StatusCode::BAD_REQUEST, text.authorize_too_long.to_owned()),
        AuthorizeError::ClientId => (StatusCode::BAD_REQUEST, text.authorize_client_id.to_owned()),
        AuthorizeError::UnknownClient => (StatusCode::BAD_REQUEST, text.authorize_unknown_client.to_owned()),
        AuthorizeError::RedirectUri => (StatusCode::BAD_REQUEST, text.authorize_redirect_uri.to_owned()),
        AuthorizeError::Resource(ours) => (StatusCode::BAD_REQUEST, format!("{} {ours}", text.authorize_resource)),
        AuthorizeError::Scope => (StatusCode::BAD_REQUEST, text.authorize_scope.to_owned()),
        AuthorizeError::EmailTooLong => (StatusCode::BAD_REQUEST, text.authorize_email.to_owned()),
        AuthorizeError::Limited(_) => (StatusCode::TOO_MANY_REQUESTS, text.authorize_limited.to_owned()),
        AuthorizeError::Busy(_) => (StatusCode::SERVICE_UNAVAILABLE, text.busy.to_owned()),
        AuthorizeError::Failed(_) => {
            tracing::error!(target: "btp::oauth", error = chain(err), "an authorization request failed");
            (StatusCode::INTERNAL_SERVER_ERROR, text.failed.to_owned())
        }
    };
    let description = err.to_string();
    let message = Message { status, code: err.code(), description: &description, title: text.not_authorized, said };
    let mut response = message.show(visitor).into_response();
    let wait = match err {
        AuthorizeError::Limited(exceeded) => Some(exceeded.retry_after),
        AuthorizeError::Busy(_) => Some(2),
        _ => None,
    };
    if let Some(seconds) = wait {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}
