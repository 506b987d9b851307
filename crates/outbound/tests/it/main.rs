//! The real client against a server on loopback.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod addresses;
mod collections;
mod failures;
mod keeping;
mod mail;
mod places;
mod probes;
mod reading;
mod requests;
mod resting;
mod routes;

use std::{sync::Arc, time::Duration};

use btp_domain::{
    Failure, SourceKind, SourceRef,
    route::{FetchedRoute, RouteSources},
};
use btp_outbound::{Patience, Sources, SourcesConfig};
use btp_testkit::{
    ManualClock,
    upstream::{Answer, Upstream},
};

/// As patient as production, but without pauses.
const PATIENT: Patience = Patience { total: Duration::from_secs(15), retries: 2, pause: Duration::ZERO };

const ALL: [SourceKind; 4] =
    [SourceKind::KomootTour, SourceKind::KomootCollection, SourceKind::RideWithGps, SourceKind::StravaRoute];

async fn upstream(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Upstream {
    Upstream::start(answer).await.unwrap()
}

/// Settings that lead everything to `server`.
fn config(server: &Upstream) -> SourcesConfig {
    let base = || Some(server.base().parse().unwrap());
    SourcesConfig { komoot: base(), ridewithgps: base(), strava: base(), patience: PATIENT, ..Default::default() }
}

/// Sources that all lead to `server`.
fn sources(server: &Upstream, patience: Patience) -> Sources {
    Sources::new(SourcesConfig { patience, ..config(server) }, Arc::new(ManualClock::default())).unwrap()
}

fn source(kind: SourceKind) -> SourceRef {
    SourceRef { kind, id: "222000".to_owned(), token: None }
}

async fn fetch(server: &Upstream, kind: SourceKind) -> Result<FetchedRoute, Failure> {
    sources(server, PATIENT).fetch(&source(kind)).await
}
