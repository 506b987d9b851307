//! A person's trips: the list, and one trip day by day.

use askama::Template;
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use btp_domain::{Error, Line, ListStatus, Trip, TripId, TripSummary, WholeTrip, store::TripQuery};
use btp_kernel::chain;
use url::form_urlencoded;

use super::{
    Frame, Message, Visitor, html, see_other, share,
    text::Text,
    trip_view::{TripView, dates, facts, summary, titled},
};
use crate::{Services, aside::aside, layer::Named};

/// Trips on a page.
const PER_PAGE: u32 = 20;

#[derive(Template)]
#[template(path = "trips.html")]
struct TripsPage<'a> {
    frame: Frame<'a>,
    trips: Vec<TripLine>,
    previous: Option<u32>,
    next: Option<u32>,
}

struct TripLine {
    id: String,
    title: String,
    summary: String,
    status: &'static str,
    status_name: &'static str,
}

#[derive(Template)]
#[template(path = "trip.html")]
struct TripPage<'a> {
    frame: Frame<'a>,
    view: TripView,
    status: &'static str,
    /// Its public address.
    link: Option<String>,
}

/// The list, most recently created first.
pub(super) async fn list(State(services): State<Services>, visitor: Visitor, RawQuery(query): RawQuery) -> Response {
    let Some(principal) = visitor.principal(&services) else { return see_other("/login") };
    let page = page_number(&query.unwrap_or_default());
    let wanted = TripQuery { page, per_page: PER_PAGE, title: None, start: None, end: None };
    let found = match services.planner.list_trips(&principal, &wanted).await {
        Ok(found) => found,
        Err(err) => return refused(&visitor, &err),
    };
    let more = found.total > u64::from(page) * u64::from(PER_PAGE);
    let trips = found.trips.iter().map(|trip| line(trip, &visitor)).collect();
    let previous = (page > 1).then(|| page - 1);
    html(&TripsPage { frame: visitor.frame(), trips, previous, next: more.then_some(page + 1) }, "'self'")
}

/// One trip.
pub(super) async fn read(State(services): State<Services>, visitor: Visitor, Named(id): Named) -> Response {
    let Some(principal) = visitor.principal(&services) else { return see_other("/login") };
    let turn = services.turns.take(principal.user.as_str()).await;
    match services.planner.whole_trip(&principal, &TripId(id)).await {
        Ok(WholeTrip { trip, line, link }) => {
            let link = link.map(|link| share::address(&services, &link.code));
            aside(move || turn.until_sent(page(&trip, line.as_ref(), link, &visitor))).await
        }
        Err(err) => refused(&visitor, &err),
    }
}

fn page(trip: &Trip, line: Option<&Line>, link: Option<String>, visitor: &Visitor) -> Response {
    let view = TripView::of(trip, line, link.as_deref(), visitor);
    let status = status(trip.list_status(), visitor.text());
    html(&TripPage { frame: visitor.frame(), view, status, link }, "'self'")
}

pub(super) fn refused(visitor: &Visitor, err: &Error) -> Response {
    if matches!(err, Error::Refused(_)) {
        return Message::not_found(visitor).show(visitor);
    }
    tracing::error!(target: "btp::pages", error = chain(err), "a page could not be read");
    Message::broken(visitor, matches!(err, Error::Busy(_)))
}

fn page_number(query: &str) -> u32 {
    let number = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "page");
    number.and_then(|(_, value)| value.parse().ok()).filter(|page| (1..=1_000_000).contains(page)).unwrap_or(1)
}

fn line(trip: &TripSummary, visitor: &Visitor) -> TripLine {
    let text = visitor.text();
    TripLine {
        id: trip.id.to_string(),
        title: titled(trip.title.as_deref(), text),
        summary: summary(dates(trip.start_date, trip.end_date), facts(trip.stage_count, trip.distance, visitor)),
        status: status(trip.status, text),
        status_name: trip.status.as_str(),
    }
}

const fn status(status: ListStatus, text: &Text) -> &'static str {
    match status {
        ListStatus::Draft => text.status_draft,
        ListStatus::Analyzing => text.status_analyzing,
        ListStatus::Analyzed => text.status_analyzed,
        ListStatus::Failed => text.status_failed,
    }
}

#[cfg(test)]
mod tests {
    use super::page_number;

    #[test]
    fn pages_are_numbered_from_one() {
        for (query, page) in [("", 1), ("page=3", 3), ("page=0", 1), ("page=-1", 1), ("page=x", 1), ("x=2&page=2", 2)] {
            assert_eq!(page_number(query), page, "{query}");
        }
    }
}
