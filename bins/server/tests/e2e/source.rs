//! A route source on loopback that answers as told, by the number of the tour or route.

use std::{
    sync::{Arc, Mutex},
    time::Instant,
};

use axum::{
    Router,
    body::Body,
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use serde_json::{Value, json};
use tokio::net::TcpListener;

const LOGIN: &str = "<title>Log in</title><form action=\"/signin\"><input type=\"password\" name=\"password\"></form>";

type Asked = Arc<Mutex<Vec<Instant>>>;

/// Base address and counter of a running source.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) base: String,
    asked: Asked,
}

/// A straight line of `points` points, 20 m apart, climbing gently.
pub(crate) fn line(points: usize) -> Vec<(f64, f64, f64)> {
    (0..points).map(|i| (46.0 + i as f64 * 0.00018, 5.0, 200.0 + (i as f64 * 0.004).sin() * 80.0)).collect()
}

impl Source {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let asked = Asked::default();
        let app = Router::new()
            .route("/tour/{id}", get(tour))
            .route("/collection/{id}", get(collection))
            .route("/routes/{id}", get(ride))
            .route("/routes/{id}/export_gpx", get(gpx))
            .route("/login", get(async || html(LOGIN)))
            .with_state(asked.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { base, asked }
    }

    /// When tour pages were asked for.
    pub(crate) fn asked(&self) -> Vec<Instant> {
        self.asked.lock().unwrap().clone()
    }
}

async fn tour(State(asked): State<Asked>, Path(id): Path<u64>) -> Response {
    asked.lock().unwrap().push(Instant::now());
    match id {
        404 => StatusCode::NOT_FOUND.into_response(),
        403 => StatusCode::FORBIDDEN.into_response(),
        410 => StatusCode::GONE.into_response(),
        429 => (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "120")]).into_response(),
        500 => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        1001 => html(LOGIN),
        1002 => html("<title>New design</title><div id=\"app\"></div>"),
        1003 => html(&page("Empty", &[])),
        1004 => std::future::pending().await,
        1005 => html(&"x".repeat(40 << 20)),
        1006 => Redirect::temporary("http://127.0.0.2:9/tour/1").into_response(),
        1007 => html(&page("One point", &line(1))),
        big @ 2_000_000..3_000_000 => html(&page("Long tour", &line((big - 2_000_000) as usize))),
        _ => html(&page("A quiet ride", &line(10_000))),
    }
}

async fn collection(Path(id): Path<u64>) -> Response {
    let items: Vec<Value> = (1..=3).map(|n| json!({"id": id * 10 + n})).collect();
    let props = json!({"page": {"_embedded": {"collectionHal": {"name": "Three tours", "_embedded":
        {"compilation": {"_embedded": {"items": items}}}}}}});
    html(&boot(&props))
}

async fn ride(Path(name): Path<String>) -> Response {
    let Some(id) = name.strip_suffix(".json") else { return StatusCode::NOT_FOUND.into_response() };
    if id == "404" {
        return StatusCode::NOT_FOUND.into_response();
    }
    let points: Vec<Value> = line(10_000).iter().map(|(lat, lon, ele)| json!({"x": lon, "y": lat, "e": ele})).collect();
    let route = json!({"name": "A ride", "track_points": points});
    // Even numbers answer as to a key holder: nested.
    let body = if id.ends_with(['0', '2', '4', '6', '8']) { json!({"route": route}) } else { route };
    ([(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

async fn gpx(Path(id): Path<u64>) -> Response {
    if id == 1 {
        return Redirect::temporary("/login").into_response();
    }
    let points: String = line(5_000)
        .iter()
        .map(|(lat, lon, ele)| format!("<trkpt lat=\"{lat}\" lon=\"{lon}\"><ele>{ele}</ele></trkpt>"))
        .collect();
    let body = format!(
        "<?xml version=\"1.0\"?><gpx version=\"1.1\" creator=\"x\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><name>A route</name><trkseg>{points}</trkseg></trk></gpx>"
    );
    ([(header::CONTENT_TYPE, "application/gpx+xml")], body).into_response()
}

fn html(text: &str) -> Response {
    ([(header::CONTENT_TYPE, "text/html")], Body::from(text.to_owned())).into_response()
}

fn page(name: &str, points: &[(f64, f64, f64)]) -> String {
    let items: Vec<Value> = points.iter().map(|(lat, lng, alt)| json!({"lat": lat, "lng": lng, "alt": alt})).collect();
    boot(&json!({"page": {"_embedded": {"tour": {"name": name, "_embedded": {"coordinates": {"items": items}}}}}}))
}

fn boot(props: &Value) -> String {
    format!("<script>kmtBoot.setProps({});</script>", Value::String(props.to_string()))
}
