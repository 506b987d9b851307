//! Pages for people: signing in, their trips. Plain HTML forms, no script.

mod course;
mod frame;
mod home;
mod login;
mod message;
mod said;
mod share;
mod text;
mod trip_view;
mod trips;
mod visitor;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    routing::{get, post},
};

use crate::Services;

pub(crate) use frame::{Frame, html, see_other};
pub(crate) use message::Message;
pub(crate) use visitor::{Fields, Visitor, session_token};

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
        .route("/trips", get(trips::list))
        .route("/trips/{id}", get(trips::read))
        .route("/s/{code}", get(share::read))
        .route("/s/{code}/{day}", get(share::read_day))
        .layer(DefaultBodyLimit::max(FORM_MAX))
}
