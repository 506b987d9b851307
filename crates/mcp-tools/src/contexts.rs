//! The JSON-LD contexts of the answers (JSON-LD 1.1 §4.1): schema.org terms where one fits, ours elsewhere.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// What the tools that change something answer, and which action of schema.org that is.
const ACTIONS: [(&str, &str); 9] = [
    ("TripCreation", "CreateAction"),
    ("SettingsUpdate", "UpdateAction"),
    ("StageEdit", "UpdateAction"),
    ("WaypointRequest", "UpdateAction"),
    ("AccommodationChoice", "ChooseAction"),
    ("TripAnalysis", "AssessAction"),
    ("TripShare", "ShareAction"),
    ("TripUnshare", "DeactivateAction"),
    ("TripDeletion", "DeleteAction"),
];

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
    let types: [(&'static str, &[(&str, Value)]); 4] = [
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
    ];
    let outcome = [
        ("action", json!("schema:description")),
        ("result", json!("schema:description")),
        ("impact", json!("schema:object")),
        ("version", json!("schema:version")),
        ("url", json!({"@id": "schema:url", "@type": "@id"})),
    ];
    let actions = ACTIONS.map(|(name, kind)| {
        let own = (name, json!(format!("schema:{kind}")));
        (name, context(base, [&own].into_iter().chain(&outcome).chain(&shared)))
    });
    let types = types.map(|(name, own)| (name, context(base, own.iter().chain(&shared))));
    types.into_iter().chain(actions).collect()
}

fn context<'a>(base: &str, terms: impl Iterator<Item = &'a (&'a str, Value)>) -> Value {
    let mut context = Map::new();
    context.insert("@version".to_owned(), json!(1.1));
    context.insert("@vocab".to_owned(), format!("{base}/contexts#").into());
    context.insert("schema".to_owned(), "https://schema.org/".into());
    context.extend(terms.map(|(name, term)| ((*name).to_owned(), term.clone())));
    json!({"@context": context})
}
