//! A stand-in route source on loopback: it answers as a Komoot tour page does, so that the real fetcher runs.

use axum::{Router, extract::Path, http::StatusCode, response::Html, routing::get};
use serde_json::json;
use tokio::net::TcpListener;
use url::Url;

use super::route;

/// Number of the demo's tour.
pub(super) const TOUR: u64 = 1_000_001;

/// Serves the demo's tour on a free loopback port until the process ends; its base address.
pub(super) async fn start() -> anyhow::Result<Url> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let base = Url::parse(&format!("http://{}", listener.local_addr()?))?;
    let app = Router::new().route("/tour/{id}", get(tour));
    tokio::spawn(async move { axum::serve(listener, app).await });
    Ok(base)
}

async fn tour(Path(id): Path<u64>) -> Result<Html<String>, StatusCode> {
    if id != TOUR {
        return Err(StatusCode::NOT_FOUND);
    }
    let items: Vec<_> =
        route::points().into_iter().map(|(lat, lng, alt)| json!({"lat": lat, "lng": lng, "alt": alt})).collect();
    let props = json!({"page": {"_embedded": {"tour": {"name": route::TITLE, "_embedded": {"coordinates": {"items": items}}}}}});
    // The page carries JSON in a JavaScript string: encoded twice.
    let literal = serde_json::Value::String(props.to_string()).to_string();
    Ok(Html(format!("<!doctype html><title>{}</title><script>kmtBoot.setProps({literal});</script>", route::TITLE)))
}
