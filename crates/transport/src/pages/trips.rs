//! A person's trips: the list, and one trip day by day.

use askama::Template;
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use btp_accounts::Locale;
use btp_domain::{Error, ListStatus, Trip, TripId, TripSummary, store::TripQuery};
use btp_kernel::chain;
use jiff::{Span, civil::Date};
use url::form_urlencoded;

use super::{Frame, Message, Visitor, html, see_other, text::Text};
use crate::{Services, layer::Named};

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
    dates: Option<String>,
    facts: String,
    status: &'static str,
    status_name: &'static str,
}

#[derive(Template)]
#[template(path = "trip.html")]
struct TripPage<'a> {
    frame: Frame<'a>,
    title: String,
    dates: Option<String>,
    facts: String,
    status: &'static str,
    partial: bool,
    failure: Option<String>,
    warnings: Vec<String>,
    /// Whether any day has a name or known places.
    named: bool,
    days: Vec<Day>,
}

struct Day {
    number: usize,
    date: Option<String>,
    way: Option<String>,
    rest: bool,
    distance: String,
    ascent: String,
    descent: String,
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
    match services.planner.get_trip(&principal, &TripId(id)).await {
        Ok(trip) => html(&page(&trip, &visitor), "'self'"),
        Err(err) => refused(&visitor, &err),
    }
}

fn refused(visitor: &Visitor, err: &Error) -> Response {
    if matches!(err, Error::Refused(_)) {
        return Message::not_found(visitor).show(visitor);
    }
    tracing::error!(target: "btp::pages", error = chain(err), "a page could not be read");
    Message::failed(visitor).show(visitor)
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
        dates: dates(trip.start_date, trip.end_date),
        facts: facts(trip.stage_count, trip.distance, visitor),
        status: status(trip.status, text),
        status_name: trip.status.as_str(),
    }
}

fn page<'a>(trip: &Trip, visitor: &'a Visitor) -> TripPage<'a> {
    let text = visitor.text();
    let day = |index: usize| trip.settings.start_date?.checked_add(Span::new().days(i64::try_from(index).ok()?)).ok();
    let days = trip.stages.iter().enumerate().map(|(index, stage)| {
        let ends = [stage.start_label.as_deref(), stage.end_label.as_deref()].into_iter().flatten();
        let ends = ends.collect::<Vec<_>>().join(" – ");
        let metres = |value: Option<f64>| value.map_or_else(|| text.unknown.to_owned(), |m| format!("{m:.0} m"));
        Day {
            number: index + 1,
            date: day(index).map(|date| date.to_string()),
            way: stage.label.clone().or_else(|| (!ends.is_empty()).then_some(ends)),
            rest: stage.is_rest_day,
            distance: kilometres(stage.distance, visitor.locale),
            ascent: metres(stage.ascent),
            descent: metres(stage.descent),
        }
    });
    let days: Vec<_> = days.collect();
    TripPage {
        frame: visitor.frame(),
        title: titled(trip.title.as_deref(), text),
        dates: dates(trip.settings.start_date, trip.end_date()),
        facts: facts(trip.ridden().count(), trip.distance(), visitor),
        status: status(trip.list_status(), text),
        partial: trip.is_partial(),
        failure: trip.failure.as_ref().map(|failure| failure.message.clone()),
        warnings: trip.warnings.iter().map(|warning| warning.message.clone()).collect(),
        named: days.iter().any(|day| day.way.is_some()),
        days,
    }
}

fn titled(title: Option<&str>, text: &Text) -> String {
    title.map(str::trim).filter(|title| !title.is_empty()).unwrap_or(text.untitled).to_owned()
}

fn dates(start: Option<Date>, end: Option<Date>) -> Option<String> {
    match (start, end) {
        (Some(start), Some(end)) if start != end => Some(format!("{start} – {end}")),
        (Some(day), _) => Some(day.to_string()),
        _ => None,
    }
}

fn facts(days: usize, metres: f64, visitor: &Visitor) -> String {
    let text = visitor.text();
    let unit = if days == 1 { text.day } else { text.days };
    format!("{days} {unit} · {}", kilometres(metres, visitor.locale))
}

fn kilometres(metres: f64, locale: Locale) -> String {
    let text = format!("{:.1} km", metres / 1000.0);
    match locale {
        Locale::En => text,
        Locale::Fr => text.replace('.', ","),
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
    use btp_domain::{
        Computation, Computations, GeometryQuality, Leg, Point, Readiness, Settings, SourceKind, SourceRef, Stage, StageId,
        Warning,
    };
    use btp_kernel::Timestamp;

    use super::*;

    fn stage(number: usize, distance: f64, ascent: Option<f64>) -> Stage {
        let point = Point { lat: 47.0, lon: 9.5, ele: None };
        Stage {
            id: StageId(number.to_string()),
            distance,
            ascent,
            descent: ascent,
            start: point,
            end: point,
            label: None,
            start_label: None,
            end_label: None,
            is_rest_day: false,
            legs: vec![Leg::Source { from: 0.0, to: distance }],
            quality: GeometryQuality::Source,
        }
    }

    fn trip() -> Trip {
        let first = Stage { label: Some("<i>Rhine</i>".to_owned()), ..stage(1, 80_040.0, Some(512.4)) };
        let rest = Stage { is_rest_day: true, ..stage(2, 0.0, None) };
        let labels = (Some("Sargans".to_owned()), Some("Chur".to_owned()));
        let last = Stage { start_label: labels.0, end_label: labels.1, ..stage(3, 31_960.0, None) };
        Trip {
            id: "trip".into(),
            owner: "ann".into(),
            title: Some("  ".to_owned()),
            source: SourceRef { kind: SourceKind::KomootTour, id: "1".to_owned(), token: None },
            settings: Settings { start_date: Some("2026-12-31".parse().unwrap()), ..Settings::default() },
            readiness: Readiness::Ready,
            version: 1,
            zone: None,
            out_of_zone: false,
            computations: Computations { route: Computation::Done },
            failure: None,
            warnings: vec![Warning { code: "dates_too_short".to_owned(), message: "Long days.".to_owned() }],
            stages: vec![first, rest, last],
            created_at: Timestamp::from_seconds(0),
            updated_at: Timestamp::from_seconds(0),
        }
    }

    #[test]
    fn the_days_of_a_trip() {
        let visitor = Visitor { session: None, locale: Locale::Fr, reads_html: true };
        let html = page(&trip(), &visitor).render().unwrap();
        for said in [
            "Voyage sans titre",
            "2026-12-31 – 2027-01-02 · 2 jours · 112,0 km · Prêt",
            "<li>Long days.</li>",
            "&#60;i&#62;Rhine&#60;/i&#62;",
            "80,0 km",
            "512 m",
            "2027-01-01",
            "Jour de repos",
            "Sargans – Chur",
            "inconnu",
        ] {
            assert!(html.contains(said), "{said}: {html}");
        }
        assert!(!html.contains("role=\"alert\"") && !html.contains("role=\"status\""));
    }

    #[test]
    fn pages_are_numbered_from_one() {
        for (query, page) in [("", 1), ("page=3", 3), ("page=0", 1), ("page=-1", 1), ("page=x", 1), ("x=2&page=2", 2)] {
            assert_eq!(page_number(query), page, "{query}");
        }
    }
}
