//! Nominatim's `/search` in the form `jsonv2`.

use btp_domain::places::Place;
use serde::Deserialize;
use url::Url;

use super::{address as below, most};

#[derive(Deserialize)]
struct Hit {
    lat: String,
    lon: String,
    display_name: String,
    /// Older versions do not say it.
    #[serde(default)]
    name: String,
    addresstype: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// The one that is there for everybody.
pub(super) fn public() -> Url {
    Url::parse("https://nominatim.openstreetmap.org").expect("a host makes an address")
}

pub(super) fn address(base: &Url, text: &str) -> Url {
    below(base, "search", &[("q", text), ("format", "jsonv2"), ("limit", &most()), ("addressdetails", "1")])
}

pub(super) fn read(body: &[u8]) -> Result<Vec<Place>, serde_json::Error> {
    let hits: Vec<Hit> = serde_json::from_slice(body)?;
    Ok(hits.into_iter().filter_map(place).collect())
}

fn place(hit: Hit) -> Option<Place> {
    let first = || hit.display_name.split(',').next().unwrap_or_default().to_owned();
    Some(Place {
        name: if hit.name.is_empty() { first() } else { hit.name },
        lat: hit.lat.parse().ok()?,
        lon: hit.lon.parse().ok()?,
        kind: hit.addresstype.or(hit.kind).unwrap_or_else(|| "place".to_owned()),
        display_name: hit.display_name,
    })
}
