//! What operators and JSON-LD readers ask.

use axum::{
    Json, Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::get,
};
use http::{StatusCode, header};
use serde_json::{Map, json};

use crate::{Services, layer::Named};

/// The routes.
pub(crate) fn routes() -> Router<Services> {
    Router::new().route("/healthz", get(healthz)).route("/readyz", get(readyz)).route("/contexts/{type}", get(context))
}

/// The process answers.
async fn healthz() -> Json<serde_json::Value> {
    Json(json!({"status": "ok"}))
}

/// The parts behind it answer too; otherwise which do not, with 503 when it cannot work without them.
async fn readyz(State(services): State<Services>) -> Response {
    let checks = (services.readiness)().await;
    let missing = |vital| checks.iter().any(|check| check.problem.is_some() && check.vital == vital);
    let (code, status) = match (missing(true), missing(false)) {
        (true, _) => (StatusCode::SERVICE_UNAVAILABLE, "not ready"),
        (false, true) => (StatusCode::OK, "degraded"),
        (false, false) => (StatusCode::OK, "ready"),
    };
    let words = checks.iter().map(|check| (check.name.to_owned(), check.problem.as_deref().unwrap_or("ok").into()));
    let body = json!({"status": status, "checks": words.collect::<Map<_, _>>()});
    (code, Json(body)).into_response()
}

/// A JSON-LD context, for any reader.
async fn context(State(services): State<Services>, Named(name): Named) -> Response {
    let Some(context) = services.contexts.get(name.as_str()) else {
        let body = json!({"error": "not_found", "error_description": "There is no such context."});
        return (StatusCode::NOT_FOUND, Json(body)).into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, "application/ld+json"),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::CACHE_CONTROL, "public, max-age=3600"),
    ];
    (headers, context.to_string()).into_response()
}
