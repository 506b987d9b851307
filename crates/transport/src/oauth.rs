//! oauth routes.

use axum::Router;

use crate::Services;

/// The routes.
#[expect(dead_code, reason = "not mounted yet")]
pub(crate) fn routes() -> Router<Services> {
    Router::new()
}
