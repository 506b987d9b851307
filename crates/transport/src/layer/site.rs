//! Routes that a browser visits with a person's cookie answer to our own name only.

use axum::{
    Json,
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{Method, StatusCode};
use serde_json::json;

use crate::{Services, routes, settings::Came};

/// Refuses a foreign `Host`, and a foreign `Origin` on anything but GET and HEAD, unless the table of routes says that
/// the route is open to every site.
pub(crate) async fn own_site(State(services): State<Services>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    if route.is_some_and(routes::is_open) {
        return next.run(request).await;
    }
    let settings = &services.settings;
    if !settings.is_our_host(request.uri(), request.headers()) {
        return forbidden("host", "This server does not answer to this host name.");
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if !reads && settings.came(request.headers(), false) == Came::Foreign {
        return forbidden("origin", "This request comes from another site.");
    }
    next.run(request).await
}

fn forbidden(what: &str, detail: &str) -> Response {
    let body = json!({"error": format!("{what}_not_allowed"), "error_description": detail});
    (StatusCode::FORBIDDEN, Json(body)).into_response()
}
