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
use btp_oauth::discovery::{AUTHORIZE_PATH, SERVER_METADATA_PATH, TOKEN_PATH};

use crate::{Services, pages::FORM_MAX};

/// The routes.
pub(crate) fn routes() -> Router<Services> {
    let document = || get(well_known::resource).options(well_known::preflight);
    Router::new()
        .route("/.well-known/{*document}", document())
        .route(SERVER_METADATA_PATH, get(well_known::server).options(well_known::preflight))
        .route(AUTHORIZE_PATH, get(authorize::authorize))
        .route("/oauth/consent/{handle}", get(consent::show).post(consent::answer))
        .route(TOKEN_PATH, post(token::token).options(token::preflight))
        .route("/oauth/revoke", post(token::revoke).options(token::preflight))
        .layer(DefaultBodyLimit::max(FORM_MAX))
}
