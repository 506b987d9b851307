//! Strava routes: their GPX export, which most of the time is behind a sign-in page.

use btp_domain::{Line, route::FetchedRoute};
use btp_formats::{GpxError, MAX_BYTES, read_gpx};
use tokio::time::Instant;

use super::{
    Miss, Site,
    login::{is_html, is_login_address, is_login_page},
    points::followable,
    site::Ask,
};

pub(super) async fn route(site: &Site, id: &str, until: Instant) -> Result<FetchedRoute, Miss> {
    let reply = site
        .get(Ask {
            path: &["routes", id, "export_gpx"],
            query: &[],
            accept: "application/gpx+xml",
            cap: MAX_BYTES,
            until,
        })
        .await?;
    if is_login_address(&reply.url) {
        return Err(Miss::Login);
    }
    if let Ok(text) = std::str::from_utf8(&reply.body)
        && is_html(text)
    {
        return Err(if is_login_page(text) { Miss::Login } else { Miss::Changed("a page instead of GPX") });
    }
    // Large files take long enough to keep others waiting.
    let read = tokio::task::spawn_blocking(move || read_gpx(&reply.body)).await;
    let gpx = read.map_err(|_| Miss::Changed("the reader failed"))?.map_err(|err| match err {
        GpxError::TooLarge => Miss::TooLarge,
        _ => Miss::Changed("not readable as GPX"),
    })?;
    let track = followable(gpx.line.tracks.concat())?;
    Ok(FetchedRoute { title: gpx.title, line: Line { tracks: vec![track] }, warnings: gpx.warnings })
}
