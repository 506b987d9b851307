//! Every route, once as a table that tests and documents read, once as a router.

use std::time::Duration;

use axum::{
    Json, Router, middleware,
    response::{IntoResponse, Response},
};
use btp_oauth::discovery::{AUTHORIZE_PATH, RESOURCE_METADATA_PATH, SERVER_METADATA_PATH, TOKEN_PATH};
use http::StatusCode;
use serde_json::json;
use tower_http::catch_panic::CatchPanicLayer;

use crate::{Services, api, health, layer, mcp, oauth, pages, upload};

/// Longest time for any request: a backstop over the endpoints' own patience.
const PATIENCE: Duration = Duration::from_secs(35);
/// The same for uploads: 30 MB at 1 Mbit/s.
pub(crate) const UPLOAD_PATIENCE: Duration = Duration::from_secs(240);

/// One route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// HTTP method.
    pub method: &'static str,
    /// Path, with `{parameters}`.
    pub path: &'static str,
    /// Who it is for.
    pub who: Who,
}

/// Who a route is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Everyone, from every site: it takes any `Host` and any `Origin`.
    Anyone,
    /// A browser without a session, on our own site.
    Visitor,
    /// A signed-in person, on our own site.
    Person,
}

const fn route(method: &'static str, path: &'static str, who: Who) -> Route {
    Route { method, path, who }
}

/// Every route but the MCP endpoints: those are the paths of the protected resources, and take agents' tokens only.
pub const ROUTES: &[Route] = &[
    route("GET", RESOURCE_METADATA_PATH, Who::Anyone),
    route("GET", "/.well-known/{*document}", Who::Anyone),
    route("GET", SERVER_METADATA_PATH, Who::Anyone),
    route("GET", AUTHORIZE_PATH, Who::Visitor),
    route("POST", TOKEN_PATH, Who::Anyone),
    route("POST", "/oauth/revoke", Who::Anyone),
    route("GET", "/oauth/consent/{handle}", Who::Person),
    route("POST", "/oauth/consent/{handle}", Who::Person),
    route("GET", "/login", Who::Visitor),
    route("POST", "/login", Who::Visitor),
    route("GET", "/auth/verify", Who::Visitor),
    route("POST", "/auth/verify", Who::Visitor),
    route("POST", "/auth/logout", Who::Visitor),
    route("GET", "/", Who::Person),
    route("GET", "/style.css", Who::Visitor),
    route("GET", "/account", Who::Person),
    route("POST", "/account/applications/revoke", Who::Person),
    route("POST", "/account/language", Who::Person),
    route("GET", "/account/email", Who::Person),
    route("POST", "/account/email", Who::Person),
    route("POST", "/account/email/confirm", Who::Person),
    route("GET", "/account/delete", Who::Person),
    route("POST", "/account/delete", Who::Person),
    route("GET", "/trips", Who::Person),
    route("POST", "/trips", Who::Person),
    route("GET", "/trips/{id}", Who::Person),
    route("POST", "/api/auth/request-link", Who::Visitor),
    route("POST", "/api/auth/verify", Who::Visitor),
    route("POST", "/api/auth/refresh", Who::Visitor),
    route("POST", "/api/auth/logout", Who::Person),
    route("GET", "/api/account/export", Who::Person),
    route("GET", "/s/{code}", Who::Visitor),
    route("GET", "/s/{code}/{day}", Who::Visitor),
    route("GET", "/api/trips", Who::Person),
    route("POST", "/api/trips/gpx-upload", Who::Person),
    route("GET", "/api/trips/{id}", Who::Person),
    route("GET", "/contexts/{type}", Who::Anyone),
    route("GET", "/healthz", Who::Anyone),
    route("GET", "/readyz", Who::Anyone),
];

/// Whether a route takes any `Host` and `Origin`.
pub(crate) fn is_open(path: &str) -> bool {
    // Discovery documents have paths of the resources' making.
    path.starts_with("/.well-known/") || ROUTES.iter().any(|route| route.path == path && route.who == Who::Anyone)
}

/// The whole server.
pub fn router(services: Services) -> Router {
    let patience = |time| middleware::from_fn_with_state(time, layer::patience);
    let site = Router::new()
        .merge(oauth::routes())
        .merge(pages::routes())
        .merge(api::routes())
        .merge(health::routes())
        .fallback(pages::nothing)
        .layer(patience(PATIENCE))
        .merge(upload::routes().layer(patience(UPLOAD_PATIENCE)))
        .method_not_allowed_fallback(pages::other_method)
        .layer(middleware::from_fn_with_state(services.clone(), layer::keep_session))
        .layer(middleware::from_fn_with_state(services.clone(), layer::own_site));
    let endpoints = services.resources.iter().enumerate();
    endpoints
        .fold(site, |router, (index, resource)| {
            let endpoint = mcp::endpoint(&services, index).layer(patience(PATIENCE));
            router.route(&resource.protected.path, endpoint)
        })
        .layer(middleware::from_fn_with_state(services.clone(), layer::security_headers))
        .layer(CatchPanicLayer::custom(|_| failed()))
        .layer(middleware::from_fn(layer::log))
        .with_state(services)
}

fn failed() -> Response {
    let body = json!({"error": "server_error", "error_description": "Internal error."});
    (StatusCode::INTERNAL_SERVER_ERROR, Json(body)).into_response()
}
