//! Changes the settings: some ask for other days, some move the trip, most leave the days alone.

use super::{Refusal, SettingsChanges, Stage, StageId, invalid};
use crate::{
    AccommodationType, Leg, Line, Settings, SourceKind, Trip,
    pacing::{self, Cut, CutError, MOST_DAYS},
    text,
};

/// What new settings do to the days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing is new.
    Nothing,
    /// They stay as they are.
    Kept,
    /// They stay, on other dates.
    Shifted,
    /// The trip is cut again: new days, and what was made by hand is lost.
    Recut,
}

/// The trip with new settings, and what they do.
pub(crate) struct Replanned {
    pub(crate) trip: Trip,
    pub(crate) effect: Effect,
    lost: Vec<String>,
}

/// Changes the settings of `trip`; when they ask for other days, [`Replanned::recut`] makes those.
///
/// # Errors
/// Values out of their ranges; dates that leave no day or too many; a title without a letter.
pub(crate) fn replan(trip: &Trip, changes: &SettingsChanges) -> Result<Replanned, Refusal> {
    let old = &trip.settings;
    let new = changes.applied_to(old);
    if let (Some(start), Some(end), None) = (changes.start_date, old.end_date, changes.end_date)
        && end < start
    {
        return Err(invalid(format!(
            "The trip ends on {end}, so that no day is left from {start} on. Send both \"startDate\" and \"endDate\"."
        )));
    }
    new.check()?;
    let mut after = Trip { settings: new, ..trip.clone() };
    if let Some(title) = &changes.title {
        after.title = Some(text::title(title)?);
    }
    Ok(Replanned { effect: effect(trip, &after), lost: Vec::new(), trip: after })
}

impl SettingsChanges {
    /// `old` with what is to change; what is absent stays.
    pub fn applied_to(&self, old: &Settings) -> Settings {
        let types = self.accommodation_types.as_ref().map(|wanted| {
            AccommodationType::ALL.iter().copied().filter(|kind| wanted.contains(kind)).collect::<Vec<_>>()
        });
        Settings {
            start_date: self.start_date.or(old.start_date),
            end_date: self.end_date.or(old.end_date),
            fatigue_factor: self.fatigue_factor.unwrap_or(old.fatigue_factor),
            elevation_penalty: self.elevation_penalty.unwrap_or(old.elevation_penalty),
            max_distance_per_day: self.max_distance_per_day.unwrap_or(old.max_distance_per_day),
            average_speed: self.average_speed.unwrap_or(old.average_speed),
            ebike_mode: self.ebike_mode.unwrap_or(old.ebike_mode),
            departure_hour: self.departure_hour.unwrap_or(old.departure_hour),
            accommodation_types: types.unwrap_or_else(|| old.accommodation_types.clone()),
        }
    }
}

/// The one table of what asks for what.
fn effect(before: &Trip, after: &Trip) -> Effect {
    let (old, new) = (&before.settings, &after.settings);
    let pace = |it: &Settings| (it.fatigue_factor, it.elevation_penalty, it.max_distance_per_day, it.ebike_mode);
    let dates = |it: &Settings| (it.start_date, it.end_date);
    // The days of a collection are its author's.
    let is_cut = before.source.kind != SourceKind::KomootCollection;
    let other_span = dates(old) != dates(new) && new.days().is_some_and(|days| days != before.stages.len());
    if old == new && before.title == after.title {
        Effect::Nothing
    } else if is_cut && (pace(old) != pace(new) || other_span) {
        Effect::Recut
    } else if old.start_date != new.start_date {
        Effect::Shifted
    } else {
        Effect::Kept
    }
}

impl Replanned {
    /// Cuts the trip again, whose days are still those of before.
    ///
    /// # Errors
    /// More days than a trip can have.
    pub(crate) fn recut(
        &mut self,
        before: &Settings,
        line: &Line,
        new_id: impl Fn() -> StageId,
    ) -> Result<(), Refusal> {
        let refused = |err| match err {
            CutError::Settings(refusal) => refusal,
            CutError::TooManyDays(days) => {
                invalid(format!("These settings need {days} days; a trip has at most {MOST_DAYS}. Choose longer days."))
            }
            CutError::NoLength | CutError::NotOnEarth => Refusal::Computing,
        };
        let survey = pacing::survey(line).map_err(refused)?;
        let cut = pacing::cut_surveyed(line, &survey, &self.trip.settings).map_err(refused)?;
        self.lost = losses(&self.trip.stages, pacing::cut_surveyed(line, &survey, before).ok());
        self.trip.stages = cut.days.iter().map(|day| Stage::ridden(new_id(), day)).collect();
        self.trip.warnings.retain(|warning| !pacing::WARNINGS.contains(&warning.code.as_str()));
        self.trip.warnings.extend(cut.warnings);
        Ok(())
    }

    /// What the change will do.
    pub(crate) fn action(&self) -> String {
        match self.effect {
            Effect::Nothing => "Changes nothing: every value is what it is already.".to_owned(),
            Effect::Kept => "Changes the settings; the days stay as they are.".to_owned(),
            Effect::Shifted => format!("Moves the trip to {}; the days stay as they are.", self.dates()),
            Effect::Recut => {
                let lost = match &self.lost[..] {
                    [] => "Nothing made by hand is lost.".to_owned(),
                    lost => format!("Lost: {}.", lost.join(", ")),
                };
                format!("Cuts the trip into days again: {}, with new identifiers. {lost}", self.days())
            }
        }
    }

    /// What the change did.
    pub(crate) fn result(&self) -> String {
        match self.effect {
            Effect::Nothing => "Nothing changed: every value was what it is already.".to_owned(),
            Effect::Kept => "The settings were changed; the days stayed as they were.".to_owned(),
            Effect::Shifted => format!("The trip was moved to {}; the days stayed as they were.", self.dates()),
            Effect::Recut => format!("The trip was cut into days again: {}, with new identifiers.", self.days()),
        }
    }

    fn days(&self) -> String {
        count(self.trip.stages.len(), "day", "days")
    }

    fn dates(&self) -> String {
        match (self.trip.settings.start_date, self.trip.end_date()) {
            (Some(start), Some(end)) => format!("{start} to {end}"),
            _ => "other dates".to_owned(),
        }
    }
}

/// What of these days no cut brings back; `cut` is what they were when they were cut.
fn losses(stages: &[Stage], cut: Option<Cut>) -> Vec<String> {
    let is_as_cut = cut.is_some_and(|cut| {
        let ridden: Vec<_> = stages.iter().filter(|day| !day.is_rest_day).map(|day| &day.legs).collect();
        let cut = cut.days.iter().map(|day| [Leg::Source { from: day.from, to: day.to }]);
        ridden.len() == cut.len() && ridden.iter().zip(cut).all(|(legs, cut)| legs[..] == cut)
    });
    let rest = stages.iter().filter(|day| day.is_rest_day).count();
    let labels = stages.iter().filter(|day| day.label.is_some()).count();
    let split = (!is_as_cut).then(|| "the day split made by hand".to_owned());
    let rest = (rest > 0).then(|| count(rest, "rest day", "rest days"));
    let labels = (labels > 0).then(|| count(labels, "day label", "day labels"));
    [split, rest, labels].into_iter().flatten().collect()
}

fn count(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}
