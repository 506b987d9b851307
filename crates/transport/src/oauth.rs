//! The OAuth endpoints: thin clothes over the authorization server.

mod authorize;
mod consent;
mod token;
mod well_known;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    routing::{get, post},
};

use crate::Services;

/// Forms beyond this are refused, in bytes.
const FORM_MAX: usize = 64 * 1024;

/// The routes.
pub(crate) fn routes() -> Router<Services> {
    let document = || get(well_known::resource).options(well_known::preflight);
    Router::new()
        .route("/.well-known/oauth-protected-resource", document())
        .route("/.well-known/oauth-protected-resource/{*resource}", document())
        .route("/.well-known/oauth-authorization-server", get(well_known::server).options(well_known::preflight))
        .route("/oauth/authorize", get(authorize::authorize))
        .route("/oauth/consent/{handle}", get(consent::show).post(consent::answer))
        .route("/oauth/token", post(token::token).options(token::preflight))
        .route("/oauth/revoke", post(token::revoke).options(token::preflight))
        .layer(DefaultBodyLimit::max(FORM_MAX))
}
