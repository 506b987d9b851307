//! The real client against a server on loopback.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod addresses;
mod failures;
mod mail;
mod requests;
mod routes;
mod server;
mod shapes;

use std::time::Duration;

use btp_domain::{
    Failure, SourceKind, SourceRef,
    route::{FetchedRoute, RouteSources},
};
use btp_outbound::{Patience, Sources, SourcesConfig};
use server::Server;

/// As patient as production, but without pauses.
const PATIENT: Patience = Patience { total: Duration::from_secs(15), retries: 2, pause: Duration::ZERO };

/// Sources that all lead to `server`.
fn sources(server: &Server, patience: Patience) -> Sources {
    let base = || Some(server.base());
    let config = SourcesConfig { komoot: base(), ridewithgps: base(), strava: base(), patience, ..Default::default() };
    Sources::new(config).unwrap()
}

fn source(kind: SourceKind) -> SourceRef {
    SourceRef { kind, id: "222000".to_owned(), token: None }
}

async fn fetch(server: &Server, kind: SourceKind) -> Result<FetchedRoute, Failure> {
    sources(server, PATIENT).fetch(&source(kind)).await
}
