//! Another e-mail address: asked for here, confirmed by the link that is mailed to it.

use askama::Template;
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use btp_accounts::{Email, EmailChange};
use http::StatusCode;

use super::{back, text::AccountText};
use crate::{
    Services,
    layer::ClientIp,
    pages::{
        Frame, Message, OwnForm, Visitor, html,
        login::{count_mail, failed, log_unsent, token},
        see_other,
    },
};

#[derive(Template)]
#[template(path = "account_email.html")]
struct EmailPage<'a> {
    frame: Frame<'a>,
    text: &'static AccountText,
    email: &'a str,
    token: &'a str,
}

/// Mails a link to the new address. As on the sign-in page, neither the answer nor its time tells whether somebody has it.
pub(super) async fn request(State(services): State<Services>, ip: ClientIp, form: OwnForm) -> Response {
    let email = form.fields.get("email").to_owned();
    if email.parse::<Email>().is_err() {
        return refused(&form.visitor, StatusCode::BAD_REQUEST, "invalid_email", |text| text.email_bad);
    }
    if let Err(refusal) = count_mail(&services, &form.visitor, &ip).await {
        return refusal;
    }
    let (accounts, session) = (services.accounts.clone(), form.session);
    tokio::spawn(async move { log_unsent(accounts.request_email_change(&session, &email).await) });
    back("mailed")
}

/// Shows the button that spends the link.
pub(super) async fn confirm(State(services): State<Services>, visitor: Visitor, RawQuery(query): RawQuery) -> Response {
    let Some(session) = &visitor.session else { return see_other("/login") };
    let token = token(&query.unwrap_or_default());
    match services.accounts.offered_email(session, &token).await {
        Ok(Some(email)) => {
            let (frame, text) = (visitor.frame(), AccountText::of(visitor.locale));
            html(&EmailPage { frame, text, email: email.as_str(), token: &token }, "'self'")
        }
        Ok(None) => Message::dead_link(&visitor).show(&visitor),
        Err(err) => failed(&visitor, &err),
    }
}

/// Spends the link and changes the address.
pub(super) async fn change(State(services): State<Services>, form: OwnForm) -> Response {
    match services.accounts.change_email(&form.session, form.fields.get("token")).await {
        Ok(EmailChange::Done) => back("email"),
        Ok(EmailChange::NoLink) => Message::dead_link(&form.visitor).show(&form.visitor),
        Ok(EmailChange::Taken) => refused(&form.visitor, StatusCode::CONFLICT, "email_taken", |text| text.email_taken),
        Err(err) => failed(&form.visitor, &err),
    }
}

fn refused(
    visitor: &Visitor,
    status: StatusCode,
    code: &'static str,
    said: fn(&AccountText) -> &'static str,
) -> Response {
    let text = AccountText::of(visitor.locale);
    let description = said(AccountText::of(btp_accounts::Locale::En));
    Message { status, code, description, title: text.email_refused, said: said(text).to_owned() }.show(visitor)
}
