//! Signing in by an e-mailed link, and out.

use askama::Template;
use axum::{
    extract::{RawQuery, State},
    response::{IntoResponse, Response},
};
use btp_accounts::{AccountError, SESSION_LIFE};
use btp_kernel::chain;
use http::{HeaderValue, StatusCode, header};
use url::form_urlencoded;

use super::{Fields, Frame, Message, Visitor, html, see_other, visitor::COOKIE};
use crate::Services;

#[derive(Template)]
#[template(path = "login.html")]
struct LoginPage<'a> {
    frame: Frame<'a>,
    sent: bool,
}

#[derive(Template)]
#[template(path = "verify.html")]
struct VerifyPage<'a> {
    frame: Frame<'a>,
    token: &'a str,
}

/// Asks for the address.
pub(super) async fn show(visitor: Visitor) -> Response {
    html(&LoginPage { frame: visitor.frame(), sent: false }, "'self'")
}

/// Sends a link when there is such a person. The answer is the same and comes before the work begins, so neither its
/// text nor its time tells who has an account.
pub(super) async fn send_link(State(services): State<Services>, visitor: Visitor, fields: Fields) -> Response {
    let accounts = services.accounts.clone();
    let email = fields.get("email").to_owned();
    tokio::spawn(async move {
        match accounts.send_sign_in_link(&email).await {
            Ok(()) | Err(AccountError::Email(_)) => {}
            Err(err) => tracing::error!(target: "btp::pages", error = chain(&err), "a sign-in link was not sent"),
        }
    });
    html(&LoginPage { frame: visitor.frame(), sent: true }, "'self'")
}

/// Shows the button that spends the link: programs that look at links in mails must not spend it.
pub(super) async fn confirm(visitor: Visitor, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let token = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "token").map(|(_, value)| value);
    html(&VerifyPage { frame: visitor.frame(), token: &token.unwrap_or_default() }, "'self'")
}

/// Spends the link and begins a session.
pub(super) async fn sign_in(State(services): State<Services>, visitor: Visitor, fields: Fields) -> Response {
    match services.accounts.sign_in(fields.get("token")).await {
        Ok(Some(session)) => with_cookie(&services, see_other("/"), session.token(), SESSION_LIFE.as_secs()),
        Ok(None) => link_is_dead(&visitor),
        Err(err) => failed(&visitor, &err),
    }
}

/// Ends every session of the person. Agents stay authorized.
pub(super) async fn sign_out(State(services): State<Services>, visitor: Visitor, fields: Fields) -> Response {
    let Some(session) = &visitor.session else { return see_other("/login") };
    if !session.is_own_form(fields.get("csrf")) {
        return Message::foreign_form(&visitor).show(&visitor);
    }
    match services.accounts.sign_out(&session.user.id).await {
        Ok(()) => with_cookie(&services, see_other("/login"), "", 0),
        Err(err) => failed(&visitor, &err),
    }
}

fn with_cookie(services: &Services, mut response: Response, value: &str, life: u64) -> Response {
    let secure = if services.settings.is_https() { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}={value}; Path=/; Max-Age={life}; HttpOnly; SameSite=Lax{secure}");
    match HeaderValue::try_from(cookie) {
        Ok(cookie) => {
            response.headers_mut().append(header::SET_COOKIE, cookie);
            response
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn link_is_dead(visitor: &Visitor) -> Response {
    let text = visitor.text();
    let message = Message {
        status: StatusCode::BAD_REQUEST,
        code: "invalid_link",
        description: "This sign-in link was used already or is too old.",
        title: text.dead_link,
        said: text.dead_link_said.to_owned(),
    };
    message.show(visitor)
}

fn failed(visitor: &Visitor, err: &AccountError) -> Response {
    tracing::error!(target: "btp::pages", error = chain(err), "an account operation failed");
    Message::failed(visitor).show(visitor)
}
