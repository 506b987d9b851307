//! The REST API for web and other apps: the same planner, in its own words. Metres, civil dates, problem+json.

mod auth;
mod body;
mod export;
mod person;
mod problem;
mod trips;
mod upload;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use http::StatusCode;

use self::problem::Problem;
use crate::{Services, pages::FORM_MAX, sentences::LATE};

/// The routes.
pub(crate) fn routes() -> Router<Services> {
    Router::new()
        .route("/api/auth/request-link", post(auth::request_link))
        .route("/api/auth/verify", post(auth::verify))
        .route("/api/auth/refresh", post(auth::refresh))
        .route("/api/auth/logout", post(auth::logout))
        .route("/api/account/export", get(export::export))
        .route("/api/trips", get(trips::list))
        .route("/api/trips/{id}", get(trips::read))
        .layer(DefaultBodyLimit::max(FORM_MAX))
}

/// What a request is answered when its time is up.
pub(crate) fn late() -> Response {
    Problem::new(StatusCode::REQUEST_TIMEOUT, LATE).into_response()
}

/// The routes that take files.
pub(crate) fn uploads() -> Router<Services> {
    Router::new().route("/api/trips/gpx-upload", post(upload::upload))
}
