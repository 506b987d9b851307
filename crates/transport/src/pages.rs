//! Pages for people: signing in, their trips. Plain HTML forms, no script.

#[macro_use]
mod text;

mod account;
mod course;
mod frame;
mod home;
mod login;
mod message;
mod said;
mod share;
mod trip_view;
mod trips;
mod upload;
mod visitor;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    response::Response,
    routing::{get, post},
};
use http::{StatusCode, Uri};

use crate::Services;

pub(crate) use frame::{Frame, html, see_other};
pub(crate) use login::mail_link;
pub(crate) use message::Message;
pub(crate) use visitor::{Fields, OwnForm, Visitor};

/// Forms beyond this are refused, in bytes.
pub(crate) const FORM_MAX: usize = 64 * 1024;

/// The routes.
pub(crate) fn routes() -> Router<Services> {
    Router::new()
        .route("/", get(home::home))
        .route("/style.css", get(frame::stylesheet))
        .route("/login", get(login::show).post(login::send_link))
        .route("/auth/verify", get(login::confirm).post(login::sign_in))
        .route("/auth/logout", post(login::sign_out))
        .merge(account::routes())
        .route("/trips", get(trips::list))
        .route("/trips/{id}", get(trips::read))
        .route("/s/{code}", get(share::read))
        .route("/s/{code}/{day}", get(share::read_day))
        .layer(DefaultBodyLimit::max(FORM_MAX))
}

/// What is at every other address.
pub(crate) async fn nothing(uri: Uri, mut visitor: Visitor) -> Response {
    // Clients that look for discovery documents read JSON, whatever they say they read.
    visitor.reads_html &= !uri.path().contains("/.well-known/");
    Message::not_found(&visitor).show(&visitor)
}

/// What is at an address that takes other methods: mostly that of a form, visited.
pub(crate) async fn other_method(visitor: Visitor) -> Response {
    let (status, code) = (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed");
    let description = "This address takes other methods.";
    Message { status, code, description, ..Message::not_found(&visitor) }.show(&visitor)
}

/// What a request is answered when its time is up.
pub(crate) fn late(visitor: &Visitor) -> Response {
    Message::late(visitor).show(visitor)
}

/// The routes that take files.
pub(crate) fn uploads() -> Router<Services> {
    Router::new().route("/trips", post(upload::upload))
}
