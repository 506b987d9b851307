//! The account page: which applications act for the person, language, address, data, deletion.

mod applications;
mod deletion;
mod email;
mod text;

use askama::Template;
use axum::{
    Router,
    extract::{RawQuery, State},
    response::Response,
    routing::{get, post},
};
use btp_accounts::Locale;
use url::form_urlencoded;

use super::{Frame, Message, OwnForm, Visitor, html, login::failed, see_other};
use crate::Services;
use applications::Shown;
use text::AccountText;

/// The routes.
pub(super) fn routes() -> Router<Services> {
    Router::new()
        .route("/account", get(show))
        .route("/account/applications/revoke", post(applications::revoke))
        .route("/account/language", post(set_language))
        .route("/account/email", get(email::confirm).post(email::request))
        .route("/account/email/confirm", post(email::change))
        .route("/account/delete", get(deletion::ask).post(deletion::delete))
}

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage<'a> {
    frame: Frame<'a>,
    text: &'static AccountText,
    done: Option<&'static str>,
    email: &'a str,
    since: String,
    languages: [(Locale, &'static str); 2],
    locale: Locale,
    shown: Shown,
}

async fn show(State(services): State<Services>, visitor: Visitor, RawQuery(query): RawQuery) -> Response {
    let Some(session) = &visitor.session else { return see_other("/login") };
    let applications = match services.authorization.applications(&session.user.id).await {
        Ok(applications) => applications,
        Err(err) => return applications::failed(&visitor, &err),
    };
    let text = AccountText::of(visitor.locale);
    let page = AccountPage {
        frame: visitor.frame(),
        text,
        done: done(&query.unwrap_or_default(), text),
        email: session.user.email.as_str(),
        since: day(session.user.created_at),
        languages: [(Locale::En, "English"), (Locale::Fr, "Français")],
        locale: visitor.locale,
        shown: Shown::of(applications, text),
    };
    html(&page, "'self'")
}

async fn set_language(State(services): State<Services>, form: OwnForm) -> Response {
    let Some(locale) = Locale::from_tag(form.fields.get("locale")) else {
        return Message::bad_form(&form.visitor).show(&form.visitor);
    };
    match services.accounts.set_locale(&form.session.user.id, locale).await {
        Ok(()) => back("language"),
        Err(err) => failed(&form.visitor, &err),
    }
}

/// Back to the page, which says what was done.
fn back(done: &str) -> Response {
    see_other(&format!("/account?done={done}"))
}

fn done(query: &str, text: &'static AccountText) -> Option<&'static str> {
    let (_, done) = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "done")?;
    match done.as_ref() {
        "language" => Some(text.language_changed),
        "revoked" => Some(text.revoked),
        "mailed" => Some(text.email_mailed),
        "email" => Some(text.email_changed),
        _ => None,
    }
}

/// A point in time to the day, in UTC.
fn day(at: btp_kernel::Timestamp) -> String {
    at.rfc3339().chars().take("2026-07-01".len()).collect()
}
