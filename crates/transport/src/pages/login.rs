//! Signing in by an e-mailed link, and out.

use askama::Template;
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use btp_accounts::{AccountError, Accounts, Invitation, Locale, SignUp, store::AccountStoreError};
use btp_kernel::{LimitError, chain, limit};
use url::form_urlencoded;

use super::{Fields, Frame, Message, OwnForm, Visitor, html, see_other};
use crate::{
    Services,
    layer::{ClientIp, clear_session, set_session},
};

#[derive(Template)]
#[template(path = "login.html")]
struct LoginPage<'a> {
    frame: Frame<'a>,
    sent: bool,
    /// Whether everyone may sign up.
    open: bool,
}

#[derive(Template)]
#[template(path = "verify.html")]
struct VerifyPage<'a> {
    frame: Frame<'a>,
    invitation: &'a Invitation,
    token: &'a str,
}

/// Asks for the address.
pub(super) async fn show(State(services): State<Services>, visitor: Visitor) -> Response {
    login_page(&services, &visitor, false)
}

/// Sends a link when there is such a person. The answer is the same and comes before the work begins, so neither its
/// text nor its time tells who has an account.
pub(super) async fn send_link(
    State(services): State<Services>,
    visitor: Visitor,
    ip: ClientIp,
    fields: Fields,
) -> Response {
    if let Err(refusal) = count_mail(&services, &visitor, &ip).await {
        return refusal;
    }
    mail_link(services.accounts.clone(), fields.get("email").to_owned(), visitor.locale);
    login_page(&services, &visitor, true)
}

/// Shows the button that spends the link: programs that look at links in mails must not spend it.
pub(super) async fn confirm(State(services): State<Services>, visitor: Visitor, RawQuery(query): RawQuery) -> Response {
    let token = token(&query.unwrap_or_default());
    match services.accounts.invitation(&token).await {
        Ok(Some(invitation)) => {
            html(&VerifyPage { frame: visitor.frame(), invitation: &invitation, token: &token }, "'self'")
        }
        Ok(None) => Message::dead_link(&visitor).show(&visitor),
        Err(err) => failed(&visitor, &err),
    }
}

/// Spends the link and begins a session; the one that this browser had before ends.
pub(super) async fn sign_in(State(services): State<Services>, visitor: Visitor, fields: Fields) -> Response {
    let session = match services.accounts.sign_in(fields.get("token")).await {
        Ok(Some(session)) => session,
        Ok(None) => return Message::dead_link(&visitor).show(&visitor),
        Err(err) => return failed(&visitor, &err),
    };
    if let Some(before) = &visitor.session
        && let Err(err) = services.accounts.end(before).await
    {
        return failed(&visitor, &err);
    }
    let mut response = see_other("/");
    set_session(&services, &mut response, &session.token());
    response
}

/// Ends every session of the person. Agents stay authorized.
pub(super) async fn sign_out(State(services): State<Services>, form: OwnForm) -> Response {
    match services.accounts.sign_out(&form.session.user.id).await {
        Ok(()) => {
            let mut response = see_other("/login");
            clear_session(&services, &mut response);
            response
        }
        Err(err) => failed(&form.visitor, &err),
    }
}

/// Mails a link in the background, when there is someone to mail it to.
pub(crate) fn mail_link(accounts: Accounts, email: String, locale: Locale) {
    tokio::spawn(async move { log_unsent(accounts.request_link(&email, locale).await) });
}

/// What went wrong behind an answer that had to be the same whatever happens.
pub(super) fn log_unsent(outcome: Result<(), AccountError>) {
    match outcome {
        Ok(()) | Err(AccountError::Email(_) | AccountError::Limited(_)) => {}
        Err(err) => tracing::error!(target: "btp::pages", error = chain(&err), "a mail was not sent"),
    }
}

/// Counts one more request for a mail from this address of the network.
pub(super) async fn count_mail(services: &Services, visitor: &Visitor, ip: &ClientIp) -> Result<(), Response> {
    match services.limiter.take(&[(&limit::MAIL_IP, &ip.0)], services.clock.now()).await {
        Ok(()) => Ok(()),
        Err(LimitError::Exceeded(exceeded)) => Err(Message::limited(visitor, &exceeded, visitor.text().too_many_said)),
        Err(LimitError::Failed(source)) => Err(failed(visitor, &AccountError::Failed(source))),
    }
}

/// The token in the query of a mailed link.
pub(super) fn token(query: &str) -> String {
    let token = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "token");
    token.map(|(_, value)| value.into_owned()).unwrap_or_default()
}

pub(super) fn failed(visitor: &Visitor, err: &AccountError) -> Response {
    tracing::error!(target: "btp::pages", error = chain(err), "an account operation failed");
    Message::broken(visitor, matches!(err, AccountError::Store(AccountStoreError::Busy(_))))
}

fn login_page(services: &Services, visitor: &Visitor, sent: bool) -> Response {
    let open = services.accounts.sign_up() == SignUp::Open;
    html(&LoginPage { frame: visitor.frame(), sent, open }, "'self'")
}
