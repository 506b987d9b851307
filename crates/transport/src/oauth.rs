//! oauth routes.

use axum::Router;

use crate::Services;

/// The routes.
pub(crate) fn routes() -> Router<Services> {
    Router::new()
}
