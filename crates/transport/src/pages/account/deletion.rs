//! Deleting the account: asked twice, for nothing brings it back.

use askama::Template;
use axum::{extract::State, response::Response};
use btp_accounts::Email;
use http::StatusCode;

use super::text::AccountText;
use crate::{
    Services,
    layer::clear_session,
    pages::{Frame, Message, OwnForm, Visitor, html, login::failed, see_other},
};

#[derive(Template)]
#[template(path = "account_delete.html")]
struct DeletePage<'a> {
    frame: Frame<'a>,
    text: &'static AccountText,
    /// Whether another address than the account's was typed.
    mistyped: bool,
}

/// Asks for the account's address: typing it is no slip of the finger.
pub(super) async fn ask(visitor: Visitor) -> Response {
    if visitor.session.is_none() {
        return see_other("/login");
    }
    page(&visitor, false)
}

/// Deletes the account and signs the browser out.
pub(super) async fn delete(State(services): State<Services>, form: OwnForm) -> Response {
    let OwnForm { mut visitor, session, fields } = form;
    if fields.get("email").parse::<Email>().as_ref() != Ok(&session.user.email) {
        let mut response = page(&visitor, true);
        *response.status_mut() = StatusCode::BAD_REQUEST;
        return response;
    }
    if let Err(err) = services.accounts.delete_own(&session).await {
        return failed(&visitor, &err);
    }
    visitor.session = None;
    let text = AccountText::of(visitor.locale);
    let mut response = Message {
        status: StatusCode::OK,
        code: "deleted",
        description: "The account was deleted.",
        title: text.deleted,
        said: text.deleted_said.to_owned(),
    }
    .show(&visitor);
    clear_session(&services, &mut response);
    response
}

fn page(visitor: &Visitor, mistyped: bool) -> Response {
    let (frame, text) = (visitor.frame(), AccountText::of(visitor.locale));
    html(&DeletePage { frame, text, mistyped }, "'self'")
}
