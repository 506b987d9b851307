//! What background jobs do to trips.

use std::sync::Arc;

use btp_kernel::UserId;

use super::Ports;
use crate::{
    Computation, Failure, FailureCode, Line, Readiness, SourceKind, Stage, Trip, TripId, Warning,
    pacing::{self, Cut, CutError, MOST_DAYS},
    route::FetchedRoute,
    store::{Change, Lease, StoreError},
    text,
};

/// How often a change is made again on a trip that moved meanwhile, before the job is given back.
const TRIES: usize = 5;

/// The operations of the worker.
#[derive(Clone)]
pub struct Background {
    ports: Ports,
}

impl Background {
    pub(super) fn new(ports: Ports) -> Self {
        Self { ports }
    }

    /// Fetches the trip's route, cuts it into days and stores both, or the failure, finishing the job in the same write.
    ///
    /// # Errors
    /// [`StoreError::Gone`] when the trip was deleted, [`StoreError::LeaseLost`] when another worker took over,
    /// [`StoreError::Moved`] when it changed meanwhile (try again); anything else is worth another attempt.
    pub async fn fetch_route(&self, owner: &UserId, trip: &TripId, lease: &Lease) -> Result<(), StoreError> {
        let source = self.find(owner, trip).await?.source;
        let fetched = match self.ports.sources.fetch(&source).await {
            Ok(route) => Ok(Arc::new(self.tidied(route).await?)),
            Err(failure) => Err(failure),
        };
        self.settle(owner, trip, lease, &fetched).await
    }

    /// Settles the trip as failed with code `internal`: the job's attempts are used up.
    ///
    /// # Errors
    /// As [`Background::fetch_route`].
    pub async fn give_up_route(&self, owner: &UserId, trip: &TripId, lease: &Lease) -> Result<(), StoreError> {
        let what = "The route could not be processed in several attempts. Wait a while";
        self.settle(owner, trip, lease, &Err(failure(FailureCode::Internal, what))).await
    }

    async fn tidied(&self, route: FetchedRoute) -> Result<FetchedRoute, StoreError> {
        let tidy = self.ports.aside.with(route.line.points(), move || tidied(route));
        tidy.await.map_err(StoreError::Failed)
    }

    /// Gives the trip as it is now its days, or its failure, finishing the job in the same write; again when it moved
    /// meanwhile.
    async fn settle(
        &self,
        owner: &UserId,
        id: &TripId,
        lease: &Lease,
        fetched: &Result<Arc<FetchedRoute>, Failure>,
    ) -> Result<(), StoreError> {
        let mut moved = 0;
        loop {
            let mut trip = self.find(owner, id).await?;
            let read = trip.version;
            let line = match fetched {
                Ok(route) => self.cut(&mut trip, route).await?,
                Err(failure) => fail(&mut trip, failure.clone()),
            };
            trip.updated_at = self.ports.clock.now();
            let written = Change { trip, read, line, former: None, jobs: Vec::new(), finishes: Some(lease.clone()) };
            match self.ports.trips.commit(written).await {
                Err(StoreError::Moved(_)) if moved + 1 < TRIES => moved += 1,
                outcome => return outcome,
            }
        }
    }

    async fn find(&self, owner: &UserId, id: &TripId) -> Result<Trip, StoreError> {
        self.ports.trips.find(owner, id).await?.ok_or(StoreError::Gone)
    }

    /// Gives the trip its first days: a computed result, so the version stays. What comes back is the line to store with
    /// them.
    async fn cut(&self, trip: &mut Trip, route: &Arc<FetchedRoute>) -> Result<Option<Line>, StoreError> {
        let (kind, settings, whole) = (trip.source.kind, trip.settings.clone(), Arc::clone(route));
        let cutting = self.ports.aside.with(route.line.points(), move || {
            let cut = match kind {
                SourceKind::KomootCollection => pacing::cut_by_track(&whole.line),
                _ => pacing::cut(&whole.line, &settings),
            };
            cut.map(|cut| (cut, whole.line.clone()))
        });
        Ok(match cutting.await.map_err(StoreError::Failed)? {
            Ok((cut, line)) => {
                self.give_days(trip, route, cut);
                Some(line)
            }
            Err(err) => fail(trip, uncut(&err)),
        })
    }

    /// Gives the trip these days of this route.
    pub(super) fn give_days(&self, trip: &mut Trip, route: &FetchedRoute, Cut { days, warnings }: Cut) {
        trip.stages = days.iter().map(|day| Stage::ridden(self.ports.new_stage_id(), day)).collect();
        trip.warnings = [route.warnings.clone(), warnings].concat();
        trip.title = trip.title.take().or_else(|| route.title.clone());
        trip.zone = days.first().and_then(|day| self.ports.zones.zone_at(day.start.lat, day.start.lon));
        trip.readiness = Readiness::Ready;
        trip.computations.route = Computation::Done;
        trip.failure = None;
    }
}

/// The route with its title as a name and without points that are no places.
pub(super) fn tidied(route: FetchedRoute) -> FetchedRoute {
    let (line, dropped) = route.line.without_null_island();
    let mut warnings = route.warnings;
    warnings.extend(Warning::points_dropped(dropped, "they are at 0° N 0° E, where no road is"));
    FetchedRoute { title: route.title.as_deref().and_then(text::label), line, warnings }
}

/// Settles the trip as failed.
fn fail(trip: &mut Trip, failure: Failure) -> Option<Line> {
    trip.computations.route = Computation::Failed;
    trip.failure = Some(failure);
    None
}

fn uncut(err: &CutError) -> Failure {
    let (code, what) = reason(err);
    failure(code, &what)
}

/// Why a line was not cut: the code, and a sentence without its end.
pub(super) fn reason(err: &CutError) -> (FailureCode, String) {
    let (code, what) = match err {
        CutError::NoLength => {
            (FailureCode::NoTrackPoints, "The route has fewer than two different points. Draw it at its source")
        }
        CutError::TooManyDays(days) => {
            let what = format!(
                "The route needs {days} days, a trip has at most {MOST_DAYS}. Choose longer days or a shorter route"
            );
            return (FailureCode::TooManyDays, what);
        }
        CutError::NotOnEarth => {
            (FailureCode::UpstreamChanged, "The route has coordinates that are not on Earth. Correct it at its source")
        }
        CutError::Settings(_) => {
            (FailureCode::Internal, "The settings of the trip are out of their ranges. Choose others")
        }
    };
    (code, what.to_owned())
}

/// Failed trips are not tried again: each sentence ends with making a new one.
fn failure(code: FailureCode, what: &str) -> Failure {
    Failure { code, message: format!("{what}, then delete the trip and create it again.") }
}
