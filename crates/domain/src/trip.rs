//! The trip and its days: values and what is derived from them.

use btp_kernel::{Timestamp, UserId, text_id};
use jiff::civil::{Date, date};

use crate::{Failure, Point, Refusal, SourceRef, pacing::MOST_DAYS};

text_id!(
    /// A trip.
    TripId
);
text_id!(
    /// One day of a trip. A re-cut gives all days new ids; every other edit keeps them.
    StageId
);

/// A trip as its owner sees it, with its days in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Trip {
    /// Its id.
    pub id: TripId,
    /// Whose it is.
    pub owner: UserId,
    /// The caller's name for it, else the source's.
    pub title: Option<String>,
    /// Where the route comes from.
    pub source: SourceRef,
    /// How it is planned.
    pub settings: Settings,
    /// `Draft` until the first cut is stored.
    pub readiness: Readiness,
    /// Starts at 1; every accepted change of days or stored settings adds one.
    pub version: u64,
    /// IANA time zone of the line's first point, once known; decides when the trip is locked.
    pub zone: Option<String>,
    /// The line leaves the provisioned region (always false while there is none).
    pub out_of_zone: bool,
    /// What was or is being computed.
    pub computations: Computations,
    /// Why the route could not be had.
    pub failure: Option<Failure>,
    /// What was not perfect.
    pub warnings: Vec<Warning>,
    /// The days, rest days included.
    pub stages: Vec<Stage>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When anything of it last changed.
    pub updated_at: Timestamp,
}

/// How a trip is planned. Ranges are those the tools publish; [`Settings::default`] has the published defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// First day.
    pub start_date: Option<Date>,
    /// Last day as the caller last sent it; the trip's shown end is [`Trip::end_date`].
    pub end_date: Option<Date>,
    /// How much shorter each day is than the one before, 0.5 to 1.
    pub fatigue_factor: f64,
    /// Metres of ascent that cost as much as one kilometre, 5 to 1,000.
    pub elevation_penalty: f64,
    /// Cap of a day's effort in km, 30 to 300.
    pub max_distance_per_day: f64,
    /// km/h, 5 to 50.
    pub average_speed: f64,
    /// Pacing for an e-bike: climbing costs half.
    pub ebike_mode: bool,
    /// Usual hour of departure, 0 to 23.
    pub departure_hour: u8,
    /// Kinds of bed looked for, at least one, without repeats, in declaration order.
    pub accommodation_types: Vec<AccommodationType>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            start_date: None,
            end_date: None,
            fatigue_factor: 0.9,
            elevation_penalty: 50.0,
            max_distance_per_day: 80.0,
            average_speed: 15.0,
            ebike_mode: false,
            departure_hour: 8,
            accommodation_types: AccommodationType::ALL.to_vec(),
        }
    }
}

/// Latest first day: the last of [`MOST_DAYS`] is then the last date there is.
const LATEST_START: Date = date(9998, 12, 31);

impl Settings {
    /// How many days the dates span, both included; `None` unless both are set and in order.
    pub fn days(&self) -> Option<usize> {
        let (start, end) = self.start_date.zip(self.end_date)?;
        usize::try_from(end.since(start).ok()?.get_days()).ok().map(|days| days + 1)
    }

    /// Whether every value is in its range, and the dates are in order, span no more days than a trip can have and leave
    /// each of these a date.
    ///
    /// # Errors
    /// A sentence that names the argument and says what it may be.
    pub fn check(&self) -> Result<(), Refusal> {
        let between = |name, value: f64, least: f64, most: f64| {
            let inside = (least..=most).contains(&value);
            if inside {
                Ok(())
            } else {
                Err(Refusal::Invalid(format!("\"{name}\" must be between {least} and {most}.")))
            }
        };
        between("fatigueFactor", self.fatigue_factor, 0.5, 1.0)?;
        between("elevationPenalty", self.elevation_penalty, 5.0, 1000.0)?;
        between("maxDistancePerDay", self.max_distance_per_day, 30.0, 300.0)?;
        between("averageSpeed", self.average_speed, 5.0, 50.0)?;
        between("departureHour", self.departure_hour.into(), 0.0, 23.0)?;
        if self.accommodation_types.is_empty() {
            return Err(Refusal::Invalid("\"enabledAccommodationTypes\" needs at least one type.".to_owned()));
        }
        if self.start_date.is_some_and(|start| start > LATEST_START) {
            return Err(Refusal::Invalid(format!("\"startDate\" must not be after {LATEST_START}.")));
        }
        if self.start_date.zip(self.end_date).is_some_and(|(start, end)| end < start) {
            return Err(Refusal::Invalid("\"endDate\" must not be before \"startDate\".".to_owned()));
        }
        match self.days() {
            Some(days) if days > MOST_DAYS => Err(Refusal::Invalid(format!(
                "From \"startDate\" to \"endDate\" are {days} days; a trip has at most {MOST_DAYS}."
            ))),
            _ => Ok(()),
        }
    }
}

macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its published name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The value with this published name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == name)
            }
        }
    };
}
pub(crate) use names;

names! {
    /// Kinds of bed.
    AccommodationType {
        /// Camp site.
        CampSite = "camp_site",
        /// Hostel.
        Hostel = "hostel",
        /// Staffed hut.
        AlpineHut = "alpine_hut",
        /// Chalet.
        Chalet = "chalet",
        /// Guest house.
        GuestHouse = "guest_house",
        /// Hotel.
        Hotel = "hotel",
        /// Unstaffed hut.
        WildernessHut = "wilderness_hut",
    }
}
names! {
    /// Whether the trip has days.
    Readiness {
        /// No day yet.
        Draft = "draft",
        /// One day or more.
        Ready = "ready",
    }
}
names! {
    /// Status of a trip in a list.
    ListStatus {
        /// Nothing was computed.
        Draft = "draft",
        /// Something is being computed.
        Analyzing = "analyzing",
        /// It has days.
        Analyzed = "analyzed",
        /// Its route could not be had.
        Failed = "failed",
    }
}
names! {
    /// Where a day's line comes from.
    GeometryQuality {
        /// The line of the source.
        Source = "source",
        /// A router.
        Routed = "routed",
        /// A straight line between two points.
        StraightLine = "straight_line",
    }
}
names! {
    /// How far one computation is.
    Computation {
        /// Waiting or at work.
        Running = "running",
        /// Done.
        Done = "done",
        /// Failed.
        Failed = "failed",
        /// Overtaken by a later change.
        Superseded = "superseded",
    }
}

/// State of the computations of a trip; a category that nobody works on is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computations {
    /// Fetching the route and cutting it into days.
    pub route: Computation,
}

/// Something about the trip that was not perfect: a stable code and a sentence in English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Stable name, for example `dates_too_short`.
    pub code: String,
    /// A sentence for a person.
    pub message: String,
}

impl Warning {
    /// A warning.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into() }
    }

    /// That points were left out of a line, and why; `None` for none.
    pub fn points_dropped(count: usize, why: &str) -> Option<Self> {
        (count > 0).then(|| Self::new("points_dropped", format!("Points left out because {why}: {count}.")))
    }
}

/// One day.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Its id.
    pub id: StageId,
    /// Metres.
    pub distance: f64,
    /// Metres climbed; `None` when the source has no usable elevation.
    pub ascent: Option<f64>,
    /// Metres descended; `None` when unknown.
    pub descent: Option<f64>,
    /// Where it starts.
    pub start: Point,
    /// Where it ends.
    pub end: Point,
    /// Free text of the caller.
    pub label: Option<String>,
    /// Locality of the start, once known.
    pub start_label: Option<String>,
    /// Locality of the end, once known.
    pub end_label: Option<String>,
    /// A day off the bike.
    pub is_rest_day: bool,
    /// What its line is made of, in order and without a break; a rest day has none.
    pub legs: Vec<Leg>,
    /// Where its line comes from.
    pub quality: GeometryQuality,
}

/// A stretch of a day's line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leg {
    /// A part of the trip's source line.
    Source {
        /// Metres along the source line where it starts…
        from: f64,
        /// …and ends.
        to: f64,
    },
    /// A straight line between two places.
    Straight {
        /// Where it starts.
        from: Point,
        /// Where it ends.
        to: Point,
    },
}

/// One line of a list of trips.
#[derive(Clone, Debug, PartialEq)]
pub struct TripSummary {
    /// The trip.
    pub id: TripId,
    /// Its title.
    pub title: Option<String>,
    /// First day.
    pub start_date: Option<Date>,
    /// Last day, as shown.
    pub end_date: Option<Date>,
    /// Metres, rest days excluded.
    pub distance: f64,
    /// Days, rest days excluded.
    pub stage_count: usize,
    /// Created.
    pub created_at: Timestamp,
    /// Changed.
    pub updated_at: Timestamp,
    /// Status.
    pub status: ListStatus,
}

impl Trip {
    /// The last day: follows the days once there are some, else what the caller sent.
    pub fn end_date(&self) -> Option<Date> {
        match (self.settings.start_date, self.stages.len()) {
            (Some(start), days @ 1..) => {
                start.checked_add(jiff::Span::new().days(i64::try_from(days).unwrap_or(i64::MAX) - 1)).ok()
            }
            _ => self.settings.end_date,
        }
    }

    /// Whether route or days are still being computed.
    pub fn is_partial(&self) -> bool {
        self.computations.route == Computation::Running
    }

    /// Whether its first day is today or past, on `today` in the trip's own zone.
    pub fn is_locked(&self, today: Date) -> bool {
        self.settings.start_date.is_some_and(|start| start <= today)
    }

    /// Metres, rest days excluded.
    pub fn distance(&self) -> f64 {
        // The empty sum of floats is -0.
        self.ridden().map(|stage| stage.distance).sum::<f64>() + 0.0
    }

    /// The days that are ridden.
    pub fn ridden(&self) -> impl Iterator<Item = &Stage> {
        self.stages.iter().filter(|stage| !stage.is_rest_day)
    }

    /// Status as a list shows it.
    pub fn list_status(&self) -> ListStatus {
        match self.computations.route {
            Computation::Running => ListStatus::Analyzing,
            Computation::Failed if self.stages.is_empty() => ListStatus::Failed,
            _ if self.stages.is_empty() => ListStatus::Draft,
            _ => ListStatus::Analyzed,
        }
    }
}
