//! RideWithGPS routes: one JSON document.

use btp_domain::{Line, SourceRef, route::FetchedRoute};
use serde::Deserialize;
use tokio::time::Instant;

use super::{
    DOCUMENT_CAP, Miss, Site,
    login::{is_html, is_login_address, is_login_page},
    off_thread,
    points::{Number, line, point, title},
    site::Ask,
};

/// The route is at the top for anonymous readers, and below `route` in the documented answer.
#[derive(Deserialize)]
struct Route {
    route: Option<Box<Route>>,
    name: Option<String>,
    track_points: Option<Vec<TrackPoint>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct TrackPoint {
    y: Number,
    lat: Number,
    x: Number,
    lng: Number,
    lon: Number,
    e: Number,
    ele: Number,
    elevation: Number,
}

pub(super) async fn route(site: &Site, source: &SourceRef, until: Instant) -> Result<FetchedRoute, Miss> {
    let document = format!("{}.json", source.id);
    let reply = site
        .get(Ask {
            path: &["routes", &document],
            query: &[("privacy_code", source.token.as_deref())],
            accept: "application/json",
            cap: DOCUMENT_CAP,
            until,
        })
        .await?;
    if is_login_address(&reply.url) {
        return Err(Miss::Login);
    }
    off_thread(move || parse(&reply.body)).await
}

/// What RideWithGPS answers, read without asking anybody.
pub(super) fn parse(body: &[u8]) -> Result<FetchedRoute, Miss> {
    let text = String::from_utf8_lossy(body);
    if is_html(&text) && is_login_page(&text) {
        return Err(Miss::Login);
    }
    let mut document: Route = serde_json::from_str(&text).map_err(|_| Miss::Changed("not the JSON of a route"))?;
    let nested = document.route.take();
    let route = nested.map_or(document, |route| *route);
    let points = route.track_points.ok_or(Miss::Changed("no track_points"))?;
    let (track, warnings) = line(
        points.iter().map(|at| point(at.y.or(at.lat), at.x.or(at.lng).or(at.lon), at.e.or(at.ele).or(at.elevation))),
    )?;
    Ok(FetchedRoute { title: title(route.name), line: Line { tracks: vec![track] }, warnings })
}
