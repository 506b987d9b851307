//! Finds places by name.

use std::sync::Arc;

use btp_domain::{
    SCOPE_READ,
    places::{FoundPlaces, MOST_PLACES, Place, PlaceQuery},
};
use btp_mcp_kit::{Call, Hints, Spec, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{READS, Toolbox};
use crate::{
    answer::{Linked, Members, degrees},
    error::tool_error,
};

/// Places of an answer when the caller does not say.
const DEFAULT_LIMIT: i64 = 5;

#[derive(Deserialize, JsonSchema)]
struct Args {
    /// What to look for: a town, a pass, a landmark
    #[schemars(length(min = 1, max = 200))]
    q: String,
    /// Number of places, clamped to 1-10, default 5
    limit: Option<i64>,
}

#[derive(Serialize, JsonSchema)]
struct Answer {
    #[serde(flatten)]
    found: Members<Found>,
    /// Whom to credit where these places are shown
    attribution: Vec<&'static str>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Found {
    /// Its name
    name: String,
    /// Latitude in degrees
    lat: f64,
    /// Longitude in degrees
    lon: f64,
    /// Full address
    display_name: String,
    /// OpenStreetMap class such as city, village, peak
    #[serde(rename = "type")]
    kind: String,
}

pub(super) fn tool(toolbox: Arc<Toolbox>) -> Tool {
    let spec = Spec {
        name: "search_places",
        title: "Search places",
        description: include_str!("search_places.md"),
        scope: SCOPE_READ,
        hints: Hints { read_only: true, open_world: true, ..Hints::default() },
        limits: READS,
        closed: false,
        budget: None,
    };
    Tool::new(spec, move |call| run(Arc::clone(&toolbox), call))
}

async fn run(toolbox: Arc<Toolbox>, call: Call<Args>) -> Result<Linked<Answer>, ToolError> {
    let limit = call.args.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MOST_PLACES as i64);
    let query = PlaceQuery { text: call.args.q, limit: usize::try_from(limit).unwrap_or(MOST_PLACES) };
    let found = toolbox.planner.search_places(&call.principal, &query).await.map_err(tool_error)?;
    let FoundPlaces { places, attribution } = found;
    let member: Vec<_> = places.into_iter().map(Found::from).collect();
    let credit = Some(attribution).filter(|credit| !credit.is_empty());
    let found = Members { total_items: member.len() as u64, member };
    Ok(toolbox.linked("PlaceList", "/places", Answer { found, attribution: credit.into_iter().collect() }))
}

impl From<Place> for Found {
    fn from(place: Place) -> Self {
        Self {
            name: place.name,
            lat: degrees(place.lat),
            lon: degrees(place.lon),
            display_name: place.display_name,
            kind: place.kind,
        }
    }
}
