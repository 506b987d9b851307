//! The JSON-LD contexts of the answers (JSON-LD 1.1 §4.1): schema.org terms where one fits, ours elsewhere.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Every context by the name of its type, for the server whose address is `base` (no trailing slash).
///
/// Terms that are not listed are in the vocabulary `<base>/contexts#`; a list keeps its order.
pub fn contexts(base: &str) -> BTreeMap<&'static str, Value> {
    let shared = [
        ("id", json!("schema:identifier")),
        ("tripId", json!("schema:identifier")),
        ("stageId", json!("schema:identifier")),
        ("title", json!("schema:name")),
        ("label", json!("schema:name")),
        ("startDate", json!({"@id": "schema:startDate", "@type": "schema:DateTime"})),
        ("endDate", json!({"@id": "schema:endDate", "@type": "schema:DateTime"})),
        ("createdAt", json!({"@id": "schema:dateCreated", "@type": "schema:DateTime"})),
        ("updatedAt", json!({"@id": "schema:dateModified", "@type": "schema:DateTime"})),
        ("dayNumber", json!("schema:position")),
        ("message", json!("schema:description")),
        ("lat", json!("schema:latitude")),
        ("lon", json!("schema:longitude")),
        ("ele", json!("schema:elevation")),
    ];
    let types: [(&'static str, &[(&str, Value)]); 6] = [
        (
            "TripList",
            &[
                ("TripList", json!("schema:ItemList")),
                ("totalItems", json!("schema:numberOfItems")),
                ("member", json!({"@id": "schema:itemListElement", "@container": "@list"})),
            ],
        ),
        (
            "Trip",
            &[
                ("Trip", json!("schema:Trip")),
                ("version", json!("schema:version")),
                ("sourceUrl", json!({"@id": "schema:isBasedOn", "@type": "@id"})),
                ("stages", json!({"@id": "schema:itinerary", "@container": "@list"})),
            ],
        ),
        (
            "Stage",
            &[
                ("Stage", json!("schema:Trip")),
                ("startPoint", json!("schema:fromLocation")),
                ("endPoint", json!("schema:toLocation")),
                ("weather", json!({"@type": "@json"})),
                ("alerts", json!({"@type": "@json"})),
                ("resupply", json!({"@type": "@json"})),
                ("accommodations", json!({"@type": "@json"})),
                ("selectedAccommodation", json!({"@type": "@json"})),
                ("events", json!({"@type": "@json"})),
            ],
        ),
        (
            "PlaceList",
            &[
                ("PlaceList", json!("schema:ItemList")),
                ("totalItems", json!("schema:numberOfItems")),
                ("member", json!({"@id": "schema:itemListElement", "@container": "@list"})),
                ("name", json!("schema:name")),
                ("displayName", json!("schema:address")),
                ("attribution", json!("schema:creditText")),
            ],
        ),
        ("TripCreation", &[("TripCreation", json!("schema:CreateAction")), ("result", json!("schema:description"))]),
        (
            "TripDeletion",
            &[
                ("TripDeletion", json!("schema:DeleteAction")),
                ("action", json!("schema:description")),
                ("result", json!("schema:description")),
                ("impact", json!("schema:object")),
            ],
        ),
    ];
    types.into_iter().map(|(name, own)| (name, context(base, own.iter().chain(&shared)))).collect()
}

fn context<'a>(base: &str, terms: impl Iterator<Item = &'a (&'a str, Value)>) -> Value {
    let mut context = Map::new();
    context.insert("@version".to_owned(), json!(1.1));
    context.insert("@vocab".to_owned(), format!("{base}/contexts#").into());
    context.insert("schema".to_owned(), "https://schema.org/".into());
    context.extend(terms.map(|(name, term)| ((*name).to_owned(), term.clone())));
    json!({"@context": context})
}
