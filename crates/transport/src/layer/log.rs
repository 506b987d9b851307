//! One log line a request. Routes are logged as templates: handles, codes and ids in paths are not the log's business,
//! and neither are queries, headers and bodies.

use axum::{
    extract::{MatchedPath, Request},
    middleware::Next,
    response::Response,
};

/// Logs method, route, status and microseconds.
pub(crate) async fn log(request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let began = tokio::time::Instant::now();
    let response = next.run(request).await;
    let route = route.as_ref().map_or("(none)", MatchedPath::as_str);
    let status = response.status().as_u16();
    let us = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    tracing::info!(target: "btp::request", %method, route, status, duration_us = us, "request");
    response
}
