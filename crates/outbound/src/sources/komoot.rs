//! Komoot tours and collections: the JSON that their pages carry or, when a page has another shape than the known one,
//! that of the API behind them.

pub(super) mod page;

use std::sync::Arc;

use btp_domain::{FailureCode, Line, SourceKind, SourceRef, Warning, pacing::MOST_DAYS, route::FetchedRoute};
use futures_util::{StreamExt, stream};
use tokio::time::Instant;

use self::page::{Collection, Listing};
use super::{DOCUMENT_CAP, Miss, Site, Sources, login::is_login_address, off_thread, points::title, site::Ask};

/// Tours of a collection fetched at the same time.
const AT_ONCE: usize = 4;
/// Entries on a page of the API's list, the most it gives.
const LISTED: &str = "100";

/// What is asked for, and how.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    site: &'a Site,
    token: Option<&'a str>,
    until: Instant,
}

pub(super) async fn tour(site: &Site, source: &SourceRef, until: Instant) -> Result<FetchedRoute, Miss> {
    match tour_page(site, source, until).await {
        Err(Miss::Changed(how)) => tour_api(site, source, until).await.map_err(|miss| rather(miss, how)),
        done => done,
    }
}

/// The tour of its page alone.
pub(super) async fn tour_page(site: &Site, source: &SourceRef, until: Instant) -> Result<FetchedRoute, Miss> {
    let wanted = Wanted::of(site, source, until);
    match source.smart_tour() {
        Some(id) => wanted.page(&["smarttour", id], page::tour).await,
        None => wanted.page(&["tour", &source.id], page::tour).await,
    }
}

/// The tour of the API alone.
pub(super) async fn tour_api(site: &Site, source: &SourceRef, until: Instant) -> Result<FetchedRoute, Miss> {
    let wanted = Wanted::of(site, source, until);
    let Some(id) = source.smart_tour() else {
        let coordinates = [("_embedded", Some("coordinates"))];
        return wanted.api(&["tours", &source.id], &coordinates, page::api_tour).await;
    };
    // A smart tour gives its line apart from its name.
    let line = wanted.api(&["smart_tours", id, "coordinates"], &[], page::api_coordinates).await?;
    let name = wanted.api(&["smart_tours", id], &[], page::api_name).await.ok().flatten();
    Ok(FetchedRoute { title: title(name), ..line })
}

pub(super) async fn collection(
    sources: &Sources,
    source: &SourceRef,
    until: Instant,
) -> Result<FetchedRoute, Arc<Miss>> {
    let Collection { name, tours, left_out } = list(&sources.komoot, source, until).await?;
    match tours.len() {
        0 => return Err(Miss::Empty.into()),
        count if count > MOST_DAYS => return Err(Miss::TooManyTours(count + left_out).into()),
        _ => {}
    }
    let count = tours.len();
    let fetches = stream::iter(tours).map(|id| async move {
        // The token opens the collection; each tour has its own.
        sources.line(&SourceRef { kind: SourceKind::KomootTour, id, token: None }, until).await
    });
    let read: Vec<_> = fetches.buffered(AT_ONCE).collect().await;

    let (mut tours, mut warnings, mut missing, mut first) = (Vec::new(), Vec::new(), Vec::new(), None);
    for (number, tour) in (1..).zip(read) {
        match tour {
            Ok(tour) => {
                warnings.extend(tour.value.warnings.iter().cloned());
                tours.push(tour.value);
            }
            Err(miss) => {
                missing.push((number, miss.code()));
                first.get_or_insert(miss);
            }
        }
    }
    if let Some(miss) = first {
        if tours.is_empty() {
            return Err(miss);
        }
        warnings.push(unread(&missing, count));
    }
    if left_out > 0 {
        warnings.push(tours_missing(format!(
            "The collection has {left_out} more entries than could be listed; they are not in the plan."
        )));
    }
    let join = move || Ok(tours.iter().flat_map(|tour| tour.line.tracks.iter().cloned()).collect());
    let tracks = off_thread(join).await.map_err(Arc::new)?;
    Ok(FetchedRoute { title: title(name), line: Line { tracks }, warnings })
}

/// The tours of a collection: from its page or, when that does not have them all, from the API.
async fn list(site: &Site, source: &SourceRef, until: Instant) -> Result<Collection, Miss> {
    match collection_page(site, source, until).await {
        Ok(page) if page.left_out == 0 => Ok(page),
        // The author's first tours are worth more than nothing.
        Ok(page) => Ok(Wanted::of(site, source, until).api_list(&source.id, page.name.clone()).await.unwrap_or(page)),
        Err(Miss::Changed(how)) => collection_api(site, source, until).await.map_err(|miss| rather(miss, how)),
        Err(miss) => Err(miss),
    }
}

/// The list of the page alone.
pub(super) async fn collection_page(site: &Site, source: &SourceRef, until: Instant) -> Result<Collection, Miss> {
    Wanted::of(site, source, until).page(&["collection", &source.id], page::collection).await
}

/// The list of the API alone.
pub(super) async fn collection_api(site: &Site, source: &SourceRef, until: Instant) -> Result<Collection, Miss> {
    let wanted = Wanted::of(site, source, until);
    let listed = wanted.api_list(&source.id, None).await?;
    let name = wanted.api(&["collections", &source.id], &[], page::api_name).await.ok().flatten();
    Ok(Collection { name, ..listed })
}

/// The API may say what the page did not say in words we know; else what the page was like tells the operator more.
fn rather(of_api: Miss, of_page: &'static str) -> Miss {
    match of_api.code() {
        FailureCode::PrivateOrLoginRequired | FailureCode::NoTrackPoints => of_api,
        _ => Miss::Changed(of_page),
    }
}

fn unread(missing: &[(usize, FailureCode)], of: usize) -> Warning {
    let listed = missing.iter().map(|(number, code)| format!("{number} ({})", code.as_str())).collect::<Vec<_>>();
    tours_missing(format!(
        "{} of the {of} tours of the collection could not be read and are not in the plan: number {}.",
        missing.len(),
        listed.join(", ")
    ))
}

fn tours_missing(message: String) -> Warning {
    Warning::new("tours_missing", message)
}

impl<'a> Wanted<'a> {
    fn of(site: &'a Site, source: &'a SourceRef, until: Instant) -> Self {
        Self { site, token: source.token.as_deref(), until }
    }

    async fn page<T: Send + 'static>(self, path: &[&str], parse: fn(&[u8]) -> Result<T, Miss>) -> Result<T, Miss> {
        let query = [("share_token", self.token)];
        let Self { site, until, .. } = self;
        let reply = site.get(Ask { path, query: &query, accept: "text/html", cap: DOCUMENT_CAP, until }).await?;
        let at_login = is_login_address(&reply.url);
        match off_thread(move || parse(&reply.body)).await {
            Err(Miss::Changed(_)) if at_login => Err(Miss::Login),
            parsed => parsed,
        }
    }

    async fn api<T: Send + 'static>(
        self,
        path: &[&str],
        query: &[(&str, Option<&str>)],
        parse: impl FnOnce(&[u8]) -> Result<T, Miss> + Send + 'static,
    ) -> Result<T, Miss> {
        let path = [&["api", "v007"], path].concat();
        let query = [query, &[("share_token", self.token)]].concat();
        let ask =
            Ask { path: &path, query: &query, accept: "application/hal+json", cap: DOCUMENT_CAP, until: self.until };
        let reply = self.site.get(ask).await?;
        off_thread(move || parse(&reply.body)).await
    }

    async fn api_list(self, id: &str, name: Option<String>) -> Result<Collection, Miss> {
        let mut all = Listing::default();
        while !all.is_whole() && all.tours.len() <= MOST_DAYS {
            let page = all.pages.to_string();
            let query = [("page", Some(page.as_str())), ("limit", Some(LISTED))];
            let path = ["collections", id, "compilation", ""];
            all = self.api(&path, &query, move |body| page::api_listing(body).map(|page| all.and(page))).await?;
        }
        Ok(Collection { name, left_out: all.left_out(), tours: all.tours })
    }
}
