//! Strava routes: their GPX export, which most of the time is behind a sign-in page.

use btp_domain::{Line, SourceRef, route::FetchedRoute};
use btp_formats::{GpxError, MAX_BYTES, read_gpx};
use tokio::time::Instant;

use super::{
    Miss, Site,
    login::{is_html, is_login_address, is_login_page},
    off_thread,
    points::followable,
    site::Ask,
};

pub(super) async fn route(site: &Site, source: &SourceRef, until: Instant) -> Result<FetchedRoute, Miss> {
    let reply = site
        .get(Ask {
            path: &["routes", &source.id, "export_gpx"],
            query: &[],
            accept: "application/gpx+xml",
            cap: MAX_BYTES,
            until,
        })
        .await?;
    if is_login_address(&reply.url) {
        return Err(Miss::Login);
    }
    off_thread(move || parse(&reply.body)).await
}

/// What Strava answers, read without asking anybody.
pub(super) fn parse(body: &[u8]) -> Result<FetchedRoute, Miss> {
    if let Ok(text) = std::str::from_utf8(body)
        && is_html(text)
    {
        return Err(if is_login_page(text) { Miss::Login } else { Miss::Changed("a page instead of GPX") });
    }
    let gpx = read_gpx(body).map_err(|err| match err {
        GpxError::TooLarge => Miss::TooLarge,
        _ => Miss::Changed("not readable as GPX"),
    })?;
    let track = followable(gpx.line.tracks.concat())?;
    Ok(FetchedRoute { title: gpx.title, line: Line { tracks: vec![track] }, warnings: gpx.warnings })
}
