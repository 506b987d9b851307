//! What a page shows of a trip, to its owner or to whoever has its link.

use btp_accounts::Locale;
use btp_domain::{Line, SourceKind, Stage, Trip};
use jiff::{Span, civil::Date};

use super::{Visitor, said::Said, text::Text};
use crate::drawing::{Map, Profile};

/// A trip in the visitor's words.
pub(super) struct TripView {
    pub(super) title: String,
    /// Dates, days and distance, as far as they are known.
    pub(super) summary: String,
    /// Days and distance.
    pub(super) facts: String,
    pub(super) partial: bool,
    pub(super) failure: Option<Said>,
    pub(super) warnings: Vec<Said>,
    /// Whether any day has a name or known places.
    pub(super) named: bool,
    pub(super) days: Vec<Day>,
    pub(super) map: Option<Map>,
    pub(super) profile: Option<Profile>,
    /// The profile in words.
    pub(super) heights: String,
    /// Address of the files, without `.gpx`, while there are some.
    pub(super) files: Option<String>,
    /// Where the route comes from: a name and an address.
    pub(super) source: Option<(&'static str, String)>,
    pub(super) has_osm_data: bool,
}

/// A day in the visitor's words.
pub(super) struct Day {
    pub(super) number: usize,
    pub(super) colour: usize,
    pub(super) date: Option<String>,
    pub(super) way: Option<String>,
    pub(super) alerts: Vec<Said>,
    pub(super) rest: bool,
    pub(super) distance: String,
    pub(super) ascent: String,
    pub(super) descent: String,
}

impl TripView {
    /// The trip with the line its days refer to; `link` is its public address when it has one.
    pub(super) fn of(trip: &Trip, line: Option<&Line>, link: Option<&str>, visitor: &Visitor) -> Self {
        let (text, locale) = (visitor.text(), visitor.locale);
        let lines = line.map(|line| trip.day_lines(line)).unwrap_or_default();
        let days: Vec<_> =
            trip.stages.iter().enumerate().map(|(index, stage)| day(trip, index, stage, visitor)).collect();
        let profile = Profile::of(&lines, locale);
        let files = link.filter(|_| lines.iter().any(|line| !line.tracks.is_empty())).map(str::to_owned);
        let facts = facts(trip.ridden().count(), trip.distance(), visitor);
        Self {
            title: titled(trip.title.as_deref(), text),
            summary: summary(dates(trip.settings.start_date, trip.end_date()), facts.clone()),
            facts: facts.unwrap_or_default(),
            partial: trip.is_partial(),
            failure: trip.failure.as_ref().map(|failure| Said::failure(failure, locale)),
            warnings: trip.warnings.iter().map(|warning| Said::warning(warning, locale)).collect(),
            named: days.iter().any(|day| day.way.is_some()),
            days,
            map: Map::of(&lines, locale),
            heights: profile.as_ref().map(|profile| heights(profile, text)).unwrap_or_default(),
            profile,
            files,
            source: trip.source.address().map(|address| (service(trip.source.kind), address)),
            has_osm_data: has_osm_data(trip),
        }
    }

    /// Columns of the table beside the first.
    pub(super) fn columns(&self) -> usize {
        3 + usize::from(self.named) + usize::from(self.files.is_some())
    }
}

fn day(trip: &Trip, index: usize, stage: &Stage, visitor: &Visitor) -> Day {
    let text = visitor.text();
    let metres = |value: Option<f64>| value.map_or_else(|| text.unknown.to_owned(), |m| format!("{m:.0} m"));
    Day {
        number: index + 1,
        colour: crate::drawing::colour(index),
        date: date(trip, index).map(|date| date.to_string()),
        way: way(stage),
        alerts: trip.alerts(stage).iter().map(|alert| Said::alert(alert, visitor.locale)).collect(),
        rest: stage.is_rest_day,
        distance: kilometres(stage.distance, visitor.locale),
        ascent: metres(stage.ascent),
        descent: metres(stage.descent),
    }
}

/// The date of a day, counted from 0.
pub(super) fn date(trip: &Trip, index: usize) -> Option<Date> {
    trip.settings.start_date?.checked_add(Span::new().days(i64::try_from(index).ok()?)).ok()
}

/// What a day is called, or from where to where it leads.
pub(super) fn way(stage: &Stage) -> Option<String> {
    let ends = [stage.start_label.as_deref(), stage.end_label.as_deref()].into_iter().flatten();
    let ends = ends.collect::<Vec<_>>().join(" – ");
    stage.label.clone().or_else(|| (!ends.is_empty()).then_some(ends))
}

/// The service a route comes from.
pub(super) const fn service(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::KomootTour | SourceKind::KomootCollection => "Komoot",
        SourceKind::StravaRoute => "Strava",
        SourceKind::RideWithGps => "RideWithGPS",
        SourceKind::GpxUpload => "GPX",
    }
}

/// Whether any of its line comes from a router, whose roads are OpenStreetMap's.
pub(super) fn has_osm_data(trip: &Trip) -> bool {
    trip.ridden().any(|stage| stage.quality == btp_domain::GeometryQuality::Routed)
}

pub(super) fn titled(title: Option<&str>, text: &Text) -> String {
    title.map(str::trim).filter(|title| !title.is_empty()).unwrap_or(text.untitled).to_owned()
}

pub(super) fn dates(start: Option<Date>, end: Option<Date>) -> Option<String> {
    match (start, end) {
        (Some(start), Some(end)) if start != end => Some(format!("{start} – {end}")),
        (Some(day), _) => Some(day.to_string()),
        _ => None,
    }
}

/// Days and distance; nothing while there are none.
pub(super) fn facts(days: usize, metres: f64, visitor: &Visitor) -> Option<String> {
    let text = visitor.text();
    let unit = if days == 1 { text.day } else { text.days };
    (days > 0).then(|| format!("{days} {unit} · {}", kilometres(metres, visitor.locale)))
}

pub(super) fn summary(dates: Option<String>, facts: Option<String>) -> String {
    dates.into_iter().chain(facts).collect::<Vec<_>>().join(" · ")
}

fn heights(profile: &Profile, text: &Text) -> String {
    let Profile { lowest, highest, .. } = profile;
    format!("{} {lowest} m, {} {highest} m.", text.lowest, text.highest)
}

fn kilometres(metres: f64, locale: Locale) -> String {
    let text = format!("{:.1} km", metres / 1000.0);
    match locale {
        Locale::En => text,
        Locale::Fr => text.replace('.', ","),
    }
}
