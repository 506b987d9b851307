//! The canary: whether each service still answers in the shapes that are read.

use btp_domain::{FailureCode, SourceKind, SourceRef, route::FetchedRoute};
use btp_kernel::chain;
use tokio::time::Instant;

use super::{Miss, Service, Sources, komoot, ridewithgps, strava};

/// A look at one shape of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The service.
    pub service: Service,
    /// The shape, for people.
    pub shape: &'static str,
    /// What was seen.
    pub sight: Sight,
}

/// What a probe saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// The shape that is read, with something in it.
    Known(String),
    /// Nothing to judge by: the public route that is looked at is no longer there.
    Nothing,
    /// Another shape, or no answer: what and why, fit for a log.
    Trouble(FailureCode, String),
}

/// Public routes to look at; one that its author removes raises no alarm.
const KOMOOT_TOUR: &str = "1";
const KOMOOT_COLLECTION: &str = "3093627";
const RIDEWITHGPS_ROUTE: &str = "1";
const STRAVA_ROUTE: &str = "1";

impl Sources {
    /// Looks at every shape of every service that is not switched off, one after the other, past what is kept.
    pub async fn probe(&self) -> Vec<Probe> {
        let tour = source(SourceKind::KomootTour, KOMOOT_TOUR);
        let collection = source(SourceKind::KomootCollection, KOMOOT_COLLECTION);
        let (komoot, ridewithgps, strava) = (&self.komoot, &self.ridewithgps, &self.strava);
        let mut probes = Vec::new();
        let mut note = |service, shape, sight| probes.push(Probe { service, shape, sight });
        let until = || Instant::now() + self.patience.total;
        if !komoot.is_disabled() {
            let service = Service::Komoot;
            note(service, "tour page", line(komoot::tour_page(komoot, &tour, until()).await));
            note(service, "tour API", line(komoot::tour_api(komoot, &tour, until()).await));
            note(service, "collection page", list(komoot::collection_page(komoot, &collection, until()).await));
            note(service, "collection API", list(komoot::collection_api(komoot, &collection, until()).await));
        }
        if !ridewithgps.is_disabled() {
            let route = source(SourceKind::RideWithGps, RIDEWITHGPS_ROUTE);
            note(Service::RideWithGps, "route JSON", line(ridewithgps::route(ridewithgps, &route, until()).await));
        }
        if !strava.is_disabled() {
            let route = source(SourceKind::StravaRoute, STRAVA_ROUTE);
            let sight = match strava::route(strava, &route, until()).await {
                Err(miss) if miss.code() == FailureCode::PrivateOrLoginRequired => {
                    Sight::Known("asks to sign in, as it does everybody".to_owned())
                }
                fetched => line(fetched),
            };
            note(Service::Strava, "GPX export", sight);
        }
        probes
    }
}

fn source(kind: SourceKind, id: &str) -> SourceRef {
    SourceRef { kind, id: id.to_owned(), token: None }
}

fn line(fetched: Result<FetchedRoute, Miss>) -> Sight {
    sight(fetched, |route| format!("{} points", route.line.tracks.iter().map(Vec::len).sum::<usize>()))
}

fn list(listed: Result<komoot::page::Collection, Miss>) -> Sight {
    sight(listed, |collection| format!("{} tours", collection.tours.len()))
}

fn sight<T>(seen: Result<T, Miss>, describe: impl FnOnce(&T) -> String) -> Sight {
    match seen {
        Ok(seen) => Sight::Known(describe(&seen)),
        Err(miss) => match miss.code() {
            FailureCode::NotFound | FailureCode::Gone => Sight::Nothing,
            code => Sight::Trouble(code, chain(&miss)),
        },
    }
}
