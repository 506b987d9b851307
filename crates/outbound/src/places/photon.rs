//! Photon's `/api`: GeoJSON.

use btp_domain::places::Place;
use serde::Deserialize;
use url::Url;

use super::{address as below, most};

#[derive(Deserialize)]
struct Answer {
    features: Vec<Feature>,
}

#[derive(Deserialize)]
struct Feature {
    geometry: Geometry,
    properties: Properties,
}

#[derive(Deserialize)]
struct Geometry {
    /// Longitude, latitude.
    coordinates: (f64, f64),
}

#[derive(Deserialize)]
struct Properties {
    name: Option<String>,
    housenumber: Option<String>,
    street: Option<String>,
    city: Option<String>,
    state: Option<String>,
    country: Option<String>,
    osm_value: Option<String>,
}

pub(super) fn address(base: &Url, text: &str) -> Url {
    below(base, "api", &[("q", text), ("limit", &most())])
}

pub(super) fn read(body: &[u8]) -> Result<Vec<Place>, serde_json::Error> {
    let answer: Answer = serde_json::from_slice(body)?;
    Ok(answer.features.into_iter().filter_map(place).collect())
}

/// A house has no name but its number and street.
fn place(Feature { geometry, properties: found }: Feature) -> Option<Place> {
    let house: Vec<_> = [&found.housenumber, &found.street].into_iter().flatten().map(String::as_str).collect();
    let house = Some(house.join(" ")).filter(|name| !name.is_empty());
    let name = found.name.clone().or(house).or_else(|| found.city.clone())?;
    let mut address = vec![name.as_str()];
    address.extend([&found.city, &found.state, &found.country].into_iter().flatten().map(String::as_str));
    address.dedup();
    let (lon, lat) = geometry.coordinates;
    let display_name = address.join(", ");
    Some(Place { lat, lon, display_name, kind: found.osm_value.unwrap_or_else(|| "place".to_owned()), name })
}
