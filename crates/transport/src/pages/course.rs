//! A shared trip as a course to take along.

use btp_domain::{Line, Settings, SharedTrip, Stage, Trip};
use btp_formats::{Course, Day, Stop};
use btp_kernel::Timestamp;
use jiff::{
    civil::{Date, date},
    tz::TimeZone,
};

use super::{
    text::Text,
    trip_view::{self, has_osm_data, service, titled, way},
};

/// The first day of a trip without dates. Devices need times, and these only tell how long the ride takes.
const UNDATED: Date = date(2000, 1, 1);

/// Why there is no course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoCourse {
    /// The trip has no days yet.
    NotComputed,
    /// It has no day of this number.
    NoDay,
    /// Nobody rides on that day.
    RestDay,
}

/// The whole trip or the day with this number as a course, in the words of a language.
pub(super) fn course(shared: &SharedTrip, day: Option<usize>, text: &Text) -> Result<Course, NoCourse> {
    let SharedTrip { trip, line } = shared;
    let lines = line.as_ref().map(|line| trip.day_lines(line)).filter(|lines| !lines.is_empty());
    let lines = lines.ok_or(NoCourse::NotComputed)?;
    let mut days: Vec<_> = trip.stages.iter().zip(lines).enumerate().collect();
    if let Some(number) = day {
        let wanted = number.checked_sub(1).filter(|&index| index < days.len()).ok_or(NoCourse::NoDay)?;
        days = vec![days.swap_remove(wanted)];
    }
    let days: Vec<_> = days
        .into_iter()
        .filter(|(_, (stage, _))| !stage.is_rest_day)
        .map(|(index, (stage, line))| ride(trip, index, stage, line, text))
        .collect();
    let title = titled(trip.title.as_deref(), text);
    Ok(Course {
        name: match (day, days.first()) {
            (_, None) => return Err(NoCourse::RestDay),
            (Some(_), Some(day)) => day.name.clone(),
            (None, Some(_)) => title.clone(),
        },
        credit: match trip.source.address() {
            Some(address) => format!("{title}. {} {}: {address}", text.route_from, service(trip.source.kind)),
            None => title,
        },
        link: trip.source.address(),
        has_osm_data: has_osm_data(trip),
        changed: trip.updated_at,
        days,
    })
}

fn ride(trip: &Trip, index: usize, stage: &Stage, line: Line, text: &Text) -> Day {
    let number = format!("{} {}", text.column_day, index + 1);
    Day {
        name: way(stage).map_or_else(|| number.clone(), |way| format!("{number}: {way}")),
        stop: Stop { name: stage.end_label.clone().unwrap_or(number), point: stage.end, bed: None },
        line,
        ascent: stage.ascent,
        descent: stage.descent,
        departs: departure(trip, index),
        speed: speed(&trip.settings, stage),
    }
}

/// The usual hour of departure of a day, where the trip begins.
fn departure(trip: &Trip, index: usize) -> Timestamp {
    let dated = trip_view::date(trip, index);
    let undated = || UNDATED.checked_add(jiff::Span::new().days(i64::try_from(index).ok()?)).ok();
    let day = dated.or_else(undated).unwrap_or(UNDATED);
    let zone = trip.zone.as_deref().and_then(|zone| TimeZone::get(zone).ok()).unwrap_or(TimeZone::UTC);
    let hour = i8::try_from(trip.settings.departure_hour).unwrap_or(0);
    let at = zone.to_timestamp(day.at(hour, 0, 0, 0));
    Timestamp::from_seconds(at.map_or(0, |at| at.as_second()))
}

/// km/h of a day: climbing slows it down, by 2 for each 500 m.
fn speed(settings: &Settings, stage: &Stage) -> f64 {
    (settings.average_speed - 2.0 * stage.ascent.unwrap_or(0.0) / 500.0).max(5.0)
}
