//! Arguments that several tools take.

use std::borrow::Cow;

use btp_domain::{AccommodationType, Point, SettingsChanges};
use btp_mcp_kit::ToolError;
use jiff::civil::Date;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de::Error as _};

/// How a trip is planned; what is absent keeps its value, or its default on a new trip.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SettingsArgs {
    /// Trip name; a new trip has that of its source by default
    #[schemars(length(min = 1, max = 255))]
    title: Option<String>,
    /// Departure date, RFC 3339 (for example 2026-07-01T00:00:00+00:00); needed for weather, opening days and events
    start_date: Option<String>,
    /// Last day, RFC 3339; without it the number of days follows from the distance
    end_date: Option<String>,
    /// How much shorter each day is than the previous one, 0.5 to 1.0; 0.9 on a new trip
    #[schemars(range(min = 0.5, max = 1.0))]
    fatigue_factor: Option<f64>,
    /// Metres of ascent that remove one kilometre from a day, 5 to 1000; 50 on a new trip
    #[schemars(range(min = 5, max = 1000))]
    elevation_penalty: Option<f64>,
    /// E-bike pacing, and charging points are looked for
    ebike_mode: Option<bool>,
    /// Usual departure hour, 0 to 23; 8 on a new trip
    #[schemars(range(min = 0, max = 23))]
    departure_hour: Option<u8>,
    /// Cap on a day in km, 30 to 300; 80 on a new trip
    #[schemars(range(min = 30, max = 300))]
    max_distance_per_day: Option<f64>,
    /// Average speed in km/h, 5 to 50; 15 on a new trip
    #[schemars(range(min = 5, max = 50))]
    average_speed: Option<f64>,
    /// Kinds of accommodation to look for, at least one; all on a new trip
    #[schemars(length(min = 1))]
    enabled_accommodation_types: Option<Vec<Bed>>,
}

impl SettingsArgs {
    /// What `tool` is asked to change.
    ///
    /// # Errors
    /// A date that cannot be read.
    pub(crate) fn changes(self, tool: &'static str) -> Result<SettingsChanges, ToolError> {
        Ok(SettingsChanges {
            title: self.title,
            start_date: date(tool, "startDate", self.start_date.as_deref())?,
            end_date: date(tool, "endDate", self.end_date.as_deref())?,
            fatigue_factor: self.fatigue_factor,
            elevation_penalty: self.elevation_penalty,
            max_distance_per_day: self.max_distance_per_day,
            average_speed: self.average_speed,
            ebike_mode: self.ebike_mode,
            departure_hour: self.departure_hour,
            accommodation_types: self.enabled_accommodation_types.map(|beds| beds.iter().map(|bed| bed.0).collect()),
        })
    }
}

/// The date in an argument.
pub(crate) fn date(tool: &'static str, name: &str, text: Option<&str>) -> Result<Option<Date>, ToolError> {
    let parse = |text| btp_domain::parse_date(text);
    text.map(parse).transpose().map_err(|err| ToolError::Invalid { tool, misfit: format!("\"{name}\" {err}.") })
}

/// A place.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Place {
    /// Latitude in degrees
    #[schemars(range(min = -90, max = 90))]
    lat: f64,
    /// Longitude in degrees
    #[schemars(range(min = -180, max = 180))]
    lon: f64,
    /// Metres above sea level; leave out when unknown
    #[schemars(range(min = -500, max = 9000))]
    ele: Option<f64>,
}

impl From<Place> for Point {
    fn from(Place { lat, lon, ele }: Place) -> Self {
        Self { lat, lon, ele }
    }
}

/// A kind of bed by its published name.
struct Bed(AccommodationType);

impl<'de> Deserialize<'de> for Bed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        AccommodationType::from_name(&name).map(Self).ok_or_else(|| D::Error::custom("unknown kind of accommodation"))
    }
}

impl JsonSchema for Bed {
    fn schema_name() -> Cow<'static, str> {
        "Bed".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = AccommodationType::ALL.iter().map(|kind| kind.as_str()).collect();
        json_schema!({"type": "string", "enum": names})
    }
}
