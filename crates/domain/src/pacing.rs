//! Cutting a line into days, by effort. Pure: no port, no clock, the same answer each time.
//!
//! The effort of a stretch is its kilometres plus its climbing, counted as kilometres
//! ([`Settings::elevation_penalty`] metres each, twice as many on an e-bike). Days get shorter by the fatigue factor, none
//! asks for more than the cap, and none for less than [`LEAST_EFFORT`] while there is enough for all.

mod budget;

use crate::{
    Line, Point, Refusal, Settings, Warning,
    elevation::{Profile, known_elevation},
    geo::Path,
};

/// Most days of a trip.
pub const MOST_DAYS: usize = 366;
/// Effort of the shortest day, in km, unless all are equal.
pub const LEAST_EFFORT: f64 = 30.0;
/// Metres between two tracks that are worth telling.
const LEAST_GAP: f64 = 100.0;
/// Days over the cap by less than this part of it are rounding.
const SLACK: f64 = 1e-6;

/// A line cut into days.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// The days in order; their distances add up to the line's.
    pub days: Vec<Day>,
    /// What was not perfect.
    pub warnings: Vec<Warning>,
}

/// One ridden day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Day {
    /// Metres along the line where it starts…
    pub from: f64,
    /// …and ends; the next one starts there.
    pub to: f64,
    /// Metres climbed; `None` when unknown.
    pub ascent: Option<f64>,
    /// Metres descended; `None` when unknown.
    pub descent: Option<f64>,
    /// Where it starts.
    pub start: Point,
    /// Where it ends.
    pub end: Point,
}

impl Day {
    /// Metres.
    pub fn distance(&self) -> f64 {
        self.to - self.from
    }
}

/// Why a line was not cut.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CutError {
    /// A setting is out of its range.
    #[error(transparent)]
    Settings(#[from] Refusal),
    /// A coordinate is not a number or out of its range.
    #[error("the line has a point that is not on Earth")]
    NotOnEarth,
    /// Fewer than two points, or all in one place.
    #[error("the line has no length")]
    NoLength,
    /// The settings need more than [`MOST_DAYS`].
    #[error("the line needs {0} days")]
    TooManyDays(usize),
}

/// Cuts a line into the days of the dates, when both are set, else into as many as the cap asks for.
///
/// # Errors
/// [`CutError`]; nothing is cut then.
pub fn cut(line: &Line, settings: &Settings) -> Result<Cut, CutError> {
    settings.check()?;
    cut_surveyed(line, &survey(line)?, settings)
}

/// The same for a line that was surveyed before, and settings that were checked.
pub(crate) fn cut_surveyed(
    line: &Line,
    (path, profile): &(Path<'_>, Option<Profile>),
    settings: &Settings,
) -> Result<Cut, CutError> {
    let length = path.length();
    // Kilometres that a metre of ascent counts for; the profile speaks of metres on both sides.
    let weight = if profile.is_some() { climbing_weight(settings) } else { 0.0 };
    let total = length / 1000.0 + profile.as_ref().map_or(0.0, Profile::ascent) * weight;
    let cap = settings.max_distance_per_day;

    let wanted = (total / cap - SLACK).ceil().max(1.0) as usize;
    let days = settings.days().unwrap_or(wanted);
    if days > MOST_DAYS {
        return Err(CutError::TooManyDays(days));
    }
    let mut sum = 0.0;
    let mut ends: Vec<f64> = budget::budgets(total, days, cap, settings.fatigue_factor)
        .into_iter()
        .map(|budget| {
            sum += budget;
            let place = |profile: &Profile| profile.place_of(sum * 1000.0, weight * 1000.0);
            profile.as_ref().map_or(sum * 1000.0, place).min(length)
        })
        .collect();
    ends[days - 1] = length;

    let mut warnings = warnings(line, profile.as_ref());
    if total > (days as f64 + SLACK) * cap {
        warnings.push(Warning::new(
            DATES_TOO_SHORT,
            format!(
                "{days} days are not enough to stay under {cap} km a day: with its climbing the route counts for {total:.0} km."
            ),
        ));
    }
    Ok(Cut { days: between(path, profile.as_ref(), &ends), warnings })
}

/// One day for each track, as the author of a collection cut them, whatever the settings.
///
/// # Errors
/// [`CutError`], but for settings; nothing is cut then.
pub fn cut_by_track(line: &Line) -> Result<Cut, CutError> {
    let (path, profile) = survey(line)?;
    let mut ends: Vec<f64> = path.tracks().filter_map(|(_, along)| along.last().copied()).collect();
    ends.dedup(); // a track without length is no day
    ends.retain(|&end| end > 0.0);
    if ends.len() > MOST_DAYS {
        return Err(CutError::TooManyDays(ends.len()));
    }
    let days = Warning::new(
        "collection_days",
        "The days are the tours of the collection, as its author cut them; pacing settings and dates do not cut them again.",
    );
    let warnings = [vec![days], warnings(line, profile.as_ref())].concat();
    Ok(Cut { days: between(&path, profile.as_ref(), &ends), warnings })
}

/// Codes of the warnings of a cut, which the next one replaces.
pub(crate) const WARNINGS: [&str; 4] =
    [DATES_TOO_SHORT, "elevation_unknown", "elevation_incomplete", "collection_days"];

/// Code of the warning that the dates leave too few days.
pub(crate) const DATES_TOO_SHORT: &str = "dates_too_short";

/// Effort in km of so many metres with so much climbing.
pub fn effort(distance: f64, ascent: Option<f64>, settings: &Settings) -> f64 {
    distance / 1000.0 + ascent.unwrap_or(0.0) * climbing_weight(settings)
}

/// Whether a day of so many metres with so much climbing asks for more than the cap.
pub fn is_over_cap(distance: f64, ascent: Option<f64>, settings: &Settings) -> bool {
    effort(distance, ascent, settings) > settings.max_distance_per_day * (1.0 + SLACK)
}

fn climbing_weight(settings: &Settings) -> f64 {
    1.0 / (settings.elevation_penalty * if settings.ebike_mode { 2.0 } else { 1.0 })
}

/// Distances and climbing of a line: most of the work of cutting it.
pub(crate) fn survey(line: &Line) -> Result<(Path<'_>, Option<Profile>), CutError> {
    if !line.tracks.iter().flatten().all(Point::is_on_earth) {
        return Err(CutError::NotOnEarth);
    }
    let path = Path::new(line);
    // Two points of one place differ by rounding, if at all.
    if path.length() < 1.0 {
        return Err(CutError::NoLength);
    }
    let profile = Profile::of(&path);
    Ok((path, profile))
}

fn between(path: &Path<'_>, profile: Option<&Profile>, ends: &[f64]) -> Vec<Day> {
    let place = |point: Point| Point { ele: point.ele.and_then(known_elevation), ..point };
    let mut from = 0.0;
    ends.iter()
        .filter_map(|&to| {
            let climbed = profile.and_then(|profile| profile.between(from, to));
            let (start, end) = (place(path.go_at(from)?), place(path.stop_at(to)?));
            let day = Day { from, to, ascent: climbed.map(|it| it.0), descent: climbed.map(|it| it.1), start, end };
            from = to;
            Some(day)
        })
        .collect()
}

/// What is not perfect about the line itself.
fn warnings(line: &Line, profile: Option<&Profile>) -> Vec<Warning> {
    gap_warning(line).into_iter().chain(elevation_warning(profile)).collect()
}

fn gap_warning(line: &Line) -> Option<Warning> {
    let gaps: Vec<f64> = line.gaps().filter(|&gap| gap > LEAST_GAP).collect();
    let longest = gaps.iter().copied().reduce(f64::max)?;
    let (count, sum) = (gaps.len(), gaps.iter().sum::<f64>());
    let km = |metres: f64| format!("{:.1} km", metres / 1000.0);
    Some(Warning::new(
        "gaps",
        format!(
            "Parts of the route do not join: gaps {count}, {} in all, the longest {}. They are not ridden and not counted.",
            km(sum),
            km(longest)
        ),
    ))
}

fn elevation_warning(profile: Option<&Profile>) -> Option<Warning> {
    match profile {
        None => Some(Warning::new(
            "elevation_unknown",
            "More than half of the route has no usable elevation: its climbing is unknown, the days are cut by distance alone.",
        )),
        Some(profile) if profile.has_holes() => Some(Warning::new(
            "elevation_incomplete",
            "Parts of the route have no usable elevation: their climbing is not counted.",
        )),
        Some(_) => None,
    }
}
