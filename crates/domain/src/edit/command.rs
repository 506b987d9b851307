//! What callers ask to change, and what they get.

use jiff::civil::Date;

use crate::{AccommodationType, Point, StageId, TripId};

/// A change of the days.
#[derive(Clone, Debug, PartialEq)]
pub struct EditStages {
    /// Which trip.
    pub trip: TripId,
    /// The version the caller holds; its absence is refused after ownership and lock.
    pub version: Option<u64>,
    /// What to change.
    pub edit: StageEdit,
}

/// What to change about the days.
#[derive(Clone, Debug, PartialEq)]
pub enum StageEdit {
    /// Inserts a day.
    Add {
        /// Where it starts.
        start: Point,
        /// Where it ends.
        end: Point,
        /// Where to insert it, from 0; at the end when absent.
        position: Option<usize>,
        /// Free text.
        label: Option<String>,
    },
    /// Changes a day; at least one of the values.
    Update {
        /// The day.
        stage: StageId,
        /// New start.
        start: Option<Point>,
        /// New end; the next day starts there.
        end: Option<Point>,
        /// New label; an empty one removes it.
        label: Option<String>,
        /// New distance in km: the day ends there along its line and that of the next ridden day.
        distance: Option<f64>,
    },
    /// Puts a day at another place in the order.
    Move {
        /// The day.
        stage: StageId,
        /// Its new index, from 0.
        to: usize,
    },
    /// Removes a day; its line goes to the next ridden day, that of the last one to the day before.
    Delete {
        /// The day.
        stage: StageId,
    },
    /// Inserts a day off the bike.
    RestDay {
        /// After this day.
        after: StageId,
    },
}

impl StageEdit {
    /// Whether it changes the line of a day: then the trip's line has to be at hand.
    pub(crate) fn is_of_lines(&self) -> bool {
        match self {
            Self::Add { .. } | Self::Delete { .. } => true,
            Self::Update { start, end, distance, .. } => start.is_some() || end.is_some() || distance.is_some(),
            Self::Move { .. } | Self::RestDay { .. } => false,
        }
    }
}

/// A change of the settings.
#[derive(Clone, Debug, PartialEq)]
pub struct UpdateSettings {
    /// Which trip.
    pub trip: TripId,
    /// The version the caller holds; its absence is refused after ownership and lock.
    pub version: Option<u64>,
    /// What to change.
    pub changes: SettingsChanges,
    /// Token of the first call's answer; none (or an empty one) asks.
    pub token: Option<String>,
}

/// New values of settings; what is absent stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SettingsChanges {
    /// The trip's name.
    pub title: Option<String>,
    /// First day.
    pub start_date: Option<Date>,
    /// Last day.
    pub end_date: Option<Date>,
    /// See [`Settings`](crate::Settings) for this and the following.
    pub fatigue_factor: Option<f64>,
    /// Metres of ascent per kilometre.
    pub elevation_penalty: Option<f64>,
    /// km.
    pub max_distance_per_day: Option<f64>,
    /// km/h.
    pub average_speed: Option<f64>,
    /// E-bike.
    pub ebike_mode: Option<bool>,
    /// Hour.
    pub departure_hour: Option<u8>,
    /// Kinds of bed.
    pub accommodation_types: Option<Vec<AccommodationType>>,
}

impl SettingsChanges {
    /// Text that is the same for every way to write these changes: numbers, dates and order are values by now.
    pub(crate) fn canonical(&self) -> String {
        format!("{self:?}")
    }
}

/// Where to sleep at the end of a day.
#[derive(Clone, Debug, PartialEq)]
pub struct ChooseAccommodation {
    /// Which trip.
    pub trip: TripId,
    /// The day.
    pub stage: StageId,
    /// The version the caller holds; its absence is refused after ownership and lock.
    pub version: Option<u64>,
    /// Latitude of one of the day's accommodations; without both coordinates the choice is cleared.
    pub lat: Option<f64>,
    /// Longitude.
    pub lon: Option<f64>,
}

/// A place to lead a day through.
#[derive(Clone, Debug, PartialEq)]
pub struct AddWaypoint {
    /// Which trip.
    pub trip: TripId,
    /// The day.
    pub stage: StageId,
    /// The place; its elevation is of no account.
    pub place: Point,
}

/// Outcome of an accepted change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The trip's version now: that of the call when nothing had to change.
    pub version: u64,
    /// What was done, in a sentence or two.
    pub result: String,
    /// What to do next, when there is something.
    pub next: Option<String>,
}
