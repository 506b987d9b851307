//! Komoot tours and collections: the JSON that their pages carry.

mod page;

use btp_domain::{Line, Point, Warning, pacing::MOST_DAYS, route::FetchedRoute};
use futures_util::{StreamExt, stream};
use tokio::time::Instant;

use self::page::{Embedded, Tour};
use super::{
    DOCUMENT_CAP, Miss, Site,
    login::{is_login_address, is_login_page},
    points::{line, point, title},
    site::Ask,
};

/// Tours of a collection fetched at the same time.
const AT_ONCE: usize = 4;

pub(super) async fn tour(site: &Site, id: &str, token: Option<&str>, until: Instant) -> Result<FetchedRoute, Miss> {
    let (tour, (track, warnings)) = read_tour(site, id, token, until).await?;
    Ok(FetchedRoute { title: title(tour.name), line: Line { tracks: vec![track] }, warnings })
}

pub(super) async fn collection(
    site: &Site,
    id: &str,
    token: Option<&str>,
    until: Instant,
) -> Result<FetchedRoute, Miss> {
    let page = read_page(site, &["collection", id], token, until).await?;
    let collection = page.collection.ok_or(Miss::Changed("a page without a collection"))?;
    let name = collection.name.clone();
    let (ids, untold) = collection.tours().ok_or(Miss::Changed("a collection without a list"))?;
    match ids.len() {
        0 => return Err(Miss::Empty),
        count if count > MOST_DAYS => return Err(Miss::TooManyTours(count)),
        _ => {}
    }
    let count = ids.len();
    let fetches = stream::iter(ids).map(|id| async move { read_tour(site, &id, None, until).await });
    let read: Vec<_> = fetches.buffered(AT_ONCE).collect().await;

    let (mut tracks, mut warnings, mut missing, mut first) = (Vec::new(), Vec::new(), Vec::new(), None);
    for (number, tour) in (1..).zip(read) {
        match tour {
            Ok((_, (track, about))) => {
                tracks.push(track);
                warnings.extend(about);
            }
            Err(miss) => {
                tracing::warn!(
                    source = "komoot_tour",
                    outcome = miss.code().as_str(),
                    tour = number,
                    "tour of a collection"
                );
                missing.push(number);
                first.get_or_insert(miss);
            }
        }
    }
    if let Some(miss) = first {
        if tracks.is_empty() {
            return Err(miss);
        }
        warnings.push(unread(&missing, count));
    }
    if untold > 0 {
        warnings.push(tours_missing(format!(
            "The collection has {untold} more tours than its page lists; they are not in the plan."
        )));
    }
    Ok(FetchedRoute { title: title(name), line: Line { tracks }, warnings })
}

fn unread(numbers: &[usize], of: usize) -> Warning {
    let listed = numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    tours_missing(format!(
        "{} of the {of} tours of the collection could not be read and are not in the plan: number {listed}.",
        numbers.len()
    ))
}

fn tours_missing(message: String) -> Warning {
    Warning::new("tours_missing", message)
}

type Track = (Vec<Point>, Vec<Warning>);

/// A tour and its line: from its page or, when that has another shape than the known one, from the API.
async fn read_tour(site: &Site, id: &str, token: Option<&str>, until: Instant) -> Result<(Tour, Track), Miss> {
    let read = read_page(site, &["tour", id], token, until).await;
    let changed = match read.and_then(|page| track(page.tour.ok_or(Miss::Changed("a page without a tour"))?)) {
        Err(Miss::Changed(how)) => Miss::Changed(how),
        done => return done,
    };
    match read_api(site, id, token, until).await {
        Ok(done) => Ok(done),
        // The page did not say so in words we know, but the API does.
        Err(miss) if miss.code() == btp_domain::FailureCode::PrivateOrLoginRequired => Err(miss),
        Err(_) => Err(changed),
    }
}

async fn read_page(site: &Site, path: &[&str], token: Option<&str>, until: Instant) -> Result<Embedded, Miss> {
    let query = [("share_token", token)];
    let reply = site.get(Ask { path, query: &query, accept: "text/html", cap: DOCUMENT_CAP, until }).await?;
    let html = String::from_utf8_lossy(&reply.body);
    match page::embedded(&html) {
        Some(embedded) if embedded.tour.is_some() || embedded.collection.is_some() => Ok(embedded),
        _ if is_login_address(&reply.url) || is_login_page(&html) => Err(Miss::Login),
        _ => Err(Miss::Changed("a page without its data")),
    }
}

async fn read_api(site: &Site, id: &str, token: Option<&str>, until: Instant) -> Result<(Tour, Track), Miss> {
    let reply = site
        .get(Ask {
            path: &["api", "v007", "tours", id],
            query: &[("_embedded", Some("coordinates")), ("share_token", token)],
            accept: "application/hal+json",
            cap: DOCUMENT_CAP,
            until,
        })
        .await?;
    track(serde_json::from_slice(&reply.body).map_err(|_| Miss::Changed("not the JSON of a tour"))?)
}

fn track(mut tour: Tour) -> Result<(Tour, Track), Miss> {
    let items = tour.take_items().ok_or(Miss::Changed("a tour without coordinates"))?;
    let track = line(items.iter().map(|at| point(at.lat, at.lng, at.alt)))?;
    Ok((tour, track))
}
