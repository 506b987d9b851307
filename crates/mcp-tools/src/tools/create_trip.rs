//! Creates a trip.

use std::{borrow::Cow, sync::Arc};

use btp_domain::{AccommodationType, CreateTrip, SCOPE_WRITE, Settings};
use btp_mcp_kit::{Call, Hints, Spec, Tool, ToolError, canonical};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use super::{Toolbox, WRITES, date_in};
use crate::{
    answer::{Linked, trip_path},
    error::tool_error,
};

const NAME: &str = "create_trip";

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Args {
    /// Komoot tour or collection, Strava route, or RideWithGPS route, https only
    #[schemars(length(max = 2048))]
    source_url: String,
    /// Trip name; defaults to the source title
    #[schemars(length(min = 1, max = 255))]
    title: Option<String>,
    /// Departure date, RFC 3339 (for example 2026-07-01T00:00:00+00:00); needed for weather, opening days and events
    start_date: Option<String>,
    /// Last day, RFC 3339; without it the number of days follows from the distance
    end_date: Option<String>,
    /// How much shorter each day is than the previous one, 0.5 to 1.0, default 0.9
    #[schemars(range(min = 0.5, max = 1.0))]
    fatigue_factor: Option<f64>,
    /// Metres of ascent that remove one kilometre from a day, 5 to 1000, default 50
    #[schemars(range(min = 5, max = 1000))]
    elevation_penalty: Option<f64>,
    /// E-bike pacing, and charging points are looked for
    ebike_mode: Option<bool>,
    /// Usual departure hour, 0 to 23, default 8
    #[schemars(range(min = 0, max = 23))]
    departure_hour: Option<u8>,
    /// Cap on a day in km, 30 to 300, default 80
    #[schemars(range(min = 30, max = 300))]
    max_distance_per_day: Option<f64>,
    /// Average speed in km/h, 5 to 50, default 15
    #[schemars(range(min = 5, max = 50))]
    average_speed: Option<f64>,
    /// Kinds of accommodation to look for, at least one; default all
    #[schemars(length(min = 1))]
    enabled_accommodation_types: Option<Vec<Bed>>,
    /// Leave out in general. Only to make two identical creations distinct
    #[schemars(length(min = 16, max = 255), regex(pattern = "^[A-Za-z0-9_-]+$"))]
    idempotency_key: Option<String>,
}

/// A kind of bed by its published name.
struct Bed(AccommodationType);

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Answer {
    /// Trip identifier
    id: String,
    /// What was done
    result: &'static str,
    /// What to do next
    next_action: &'static str,
}

pub(super) fn tool(toolbox: Arc<Toolbox>) -> Tool {
    let spec = Spec {
        name: NAME,
        title: "Create a trip",
        description: include_str!("create_trip.md"),
        scope: SCOPE_WRITE,
        hints: Hints::default(),
        limits: WRITES,
        closed: true,
        budget: None,
    };
    Tool::new(spec, move |call| run(Arc::clone(&toolbox), call))
}

async fn run(toolbox: Arc<Toolbox>, call: Call<Args>) -> Result<Linked<Answer>, ToolError> {
    let arguments = canonical(&call.sent, &["idempotencyKey"]);
    let command = call.args.command(arguments)?;
    let created = toolbox.planner.create_trip(&call.principal, command).await.map_err(tool_error)?;
    let result = if created.replayed {
        "An identical call created this trip a moment ago; no second one was made."
    } else {
        "The trip was created and its route is being fetched."
    };
    let next_action =
        "Call get_trip with this id: days usually appear within 10 to 40 seconds; until then partial is true.";
    let path = trip_path(&created.trip);
    Ok(toolbox.linked("TripCreation", &path, Answer { id: created.trip.0, result, next_action }))
}

impl Args {
    fn command(self, arguments: String) -> Result<CreateTrip, ToolError> {
        let default = Settings::default();
        let settings = Settings {
            start_date: date_in(NAME, "startDate", self.start_date.as_deref())?,
            end_date: date_in(NAME, "endDate", self.end_date.as_deref())?,
            fatigue_factor: self.fatigue_factor.unwrap_or(default.fatigue_factor),
            elevation_penalty: self.elevation_penalty.unwrap_or(default.elevation_penalty),
            max_distance_per_day: self.max_distance_per_day.unwrap_or(default.max_distance_per_day),
            average_speed: self.average_speed.unwrap_or(default.average_speed),
            ebike_mode: self.ebike_mode.unwrap_or(default.ebike_mode),
            departure_hour: self.departure_hour.unwrap_or(default.departure_hour),
            accommodation_types: self.enabled_accommodation_types.map_or(default.accommodation_types, |beds| {
                AccommodationType::ALL.iter().copied().filter(|kind| beds.iter().any(|bed| bed.0 == *kind)).collect()
            }),
        };
        Ok(CreateTrip {
            source_url: self.source_url,
            title: self.title,
            settings,
            key: self.idempotency_key,
            arguments,
        })
    }
}

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
