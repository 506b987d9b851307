//! The REST API for web and other apps: the same planner, in its own words. Metres, civil dates, problem+json.

mod person;
mod problem;
mod trips;
mod upload;

use axum::{
    Router,
    routing::{get, post},
};

use crate::Services;

/// The routes.
pub(crate) fn routes() -> Router<Services> {
    Router::new().route("/api/trips", get(trips::list)).route("/api/trips/{id}", get(trips::read))
}

/// The routes that take files.
pub(crate) fn uploads() -> Router<Services> {
    Router::new().route("/api/trips/gpx-upload", post(upload::upload))
}
