//! A planner over stores in memory, a route source that answers what a test wants, and a catalogue over both.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use btp_domain::{
    AtOnce, Failure, FailureCode, Line, Planner, Point, Ports, SourceRef,
    places::{FoundPlaces, Place, PlaceQuery, Places, PlacesBusy},
    route::{FetchedRoute, RouteSources, Zones},
    store::Job,
};
use btp_kernel::{Clock, Principal, Scopes, Windows};
use btp_mcp_kit::{Catalogue, ToolError};
use btp_testkit::{ManualClock, SeededEntropy, conformance::Stores};
use serde_json::Value;

/// Where the server is.
pub(crate) const BASE: &str = "https://www.example.org";

/// Everything a test of the tools needs.
pub(crate) struct World {
    pub(crate) catalogue: Catalogue,
    pub(crate) clock: Arc<ManualClock>,
    planner: Planner,
    stores: Stores,
}

/// Tour 404 does not exist; every other is a flat line of as many kilometres as its id says.
struct Flat;

#[async_trait]
impl RouteSources for Flat {
    async fn fetch(&self, source: &SourceRef) -> Result<FetchedRoute, Failure> {
        if source.id == "404" {
            return Err(Failure { code: FailureCode::NotFound, message: "This route does not exist.".to_owned() });
        }
        let km: u32 = source.id.parse().unwrap();
        let degrees = 1.0 / 111.319_490_793;
        let point = |at| Point { lat: 0.0, lon: 10.0 + f64::from(at) * degrees, ele: Some(100.0) };
        let line = Line { tracks: vec![(0..=km).map(point).collect()] };
        Ok(FetchedRoute { title: Some("Round\u{202e} the\tlake\u{0}".to_owned()), line, warnings: Vec::new() })
    }
}

/// Knows villages that are called as it was asked, busily when asked for a "hurry".
struct Villages;

#[async_trait]
impl Places for Villages {
    async fn search(&self, query: &PlaceQuery) -> Result<FoundPlaces, PlacesBusy> {
        let village = |number| Place {
            name: query.text.clone(),
            lat: 47.123_456_78,
            lon: 9.0 + f64::from(number),
            display_name: format!("{}\u{202e},\n Canton {number}", query.text),
            kind: "village".to_owned(),
        };
        match query.text.as_str() {
            "hurry" => Err(PlacesBusy { retry_after: 7 }),
            "nowhere" => Ok(FoundPlaces { places: Vec::new(), attribution: "Nobody" }),
            _ => Ok(FoundPlaces {
                places: (0..10).map(village).take(query.limit).collect(),
                attribution: "The villages",
            }),
        }
    }
}

struct Utc;

impl Zones for Utc {
    fn zone_at(&self, _: f64, _: f64) -> Option<String> {
        Some("UTC".to_owned())
    }
}

impl World {
    pub(crate) fn new() -> Self {
        let (stores, clock) = (Stores::memory(), Arc::new(ManualClock::default()));
        let limiter = Arc::new(Windows::default());
        let planner = Planner::new(Ports {
            trips: Arc::clone(&stores.trips),
            confirmations: Arc::clone(&stores.confirmations),
            limiter: Arc::clone(&limiter) as _,
            sources: Arc::new(Flat),
            zones: Arc::new(Utc),
            places: vec![Arc::new(Villages)],
            aside: Arc::new(AtOnce),
            clock: Arc::clone(&clock) as _,
            entropy: Arc::new(SeededEntropy::new(7)),
        });
        let catalogue = btp_mcp_tools::catalogue(planner.clone(), BASE, limiter, Arc::clone(&clock) as _);
        Self { catalogue, clock, planner, stores }
    }

    /// Calls a tool for ann with both scopes.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Result<Value, ToolError> {
        self.call_as("ann", tool, arguments).await
    }

    pub(crate) async fn call_as(&self, user: &str, tool: &str, arguments: Value) -> Result<Value, ToolError> {
        let scopes = Scopes::parse("trips:read trips:write");
        let principal = Arc::new(Principal { user: user.into(), client: "agent".into(), scopes });
        let outcome = self.catalogue.call(&principal, tool, arguments).await;
        if let Ok(answer) = &outcome {
            self.fits(tool, answer);
        }
        outcome
    }

    /// Whether an answer is what the tool publishes, and nothing beside it.
    fn fits(&self, tool: &str, answer: &Value) {
        let mut schema = Value::Object((**self.catalogue.find(tool).unwrap().output()).clone());
        close(&mut schema);
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let misfits: Vec<_> = validator.iter_errors(answer).map(|err| err.to_string()).collect();
        assert!(misfits.is_empty(), "{tool} answers what it does not publish: {misfits:?}");
    }

    /// Does the jobs that are due.
    pub(crate) async fn work(&self) {
        let hold = Duration::from_secs(60);
        while let Some(job) = self.stores.jobs.claim("worker", self.clock.now(), hold).await.unwrap() {
            let Job::FetchRoute { owner, trip } = &job.job;
            self.planner.background().fetch_route(owner, trip, &job.lease).await.unwrap();
        }
    }

    /// A trip of so many kilometres with its days, as its id.
    pub(crate) async fn trip(&self, km: u32) -> String {
        let source = format!("https://www.komoot.com/tour/{km}");
        let created = self.call("create_trip", serde_json::json!({"sourceUrl": source})).await.unwrap();
        self.work().await;
        created["id"].as_str().unwrap().to_owned()
    }
}

/// Objects with published members may have no others.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(close);
            if members.contains_key("properties") && members.contains_key("type") {
                members.entry("additionalProperties").or_insert(Value::Bool(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}
