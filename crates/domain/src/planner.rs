//! The operations on trips, and the only place that guards them: scope, ownership, lock, version, confirmation.

mod background;
mod confirmation;
mod create_trip;
mod delete_trip;
mod editing;
mod get_stage;
mod get_trip;
mod list_trips;
mod search_places;
mod sharing;
mod upload_trip;

use std::sync::Arc;

use btp_kernel::{Clock, Entropy, Limiter, Principal};

use crate::{
    Aside, Error, Refusal, StageId, Trip, TripId,
    places::Places,
    route::{RouteSources, Zones},
    store::{ConfirmationStore, TripStore},
};

pub use background::Background;
pub use get_stage::DayView;
pub use get_trip::WholeTrip;
pub use upload_trip::PlannedRoute;

/// Scope of the operations that read.
pub const SCOPE_READ: &str = "trips:read";
/// Scope of the operations that write.
pub const SCOPE_WRITE: &str = "trips:write";

/// What the planner needs of the outside.
#[derive(Clone)]
pub struct Ports {
    /// Trips.
    pub trips: Arc<dyn TripStore>,
    /// Pending confirmations.
    pub confirmations: Arc<dyn ConfirmationStore>,
    /// Rate limits shared by all callers (`trip_create`, `geocode`).
    pub limiter: Arc<dyn Limiter>,
    /// Route sources; asked by [`Background`] only.
    pub sources: Arc<dyn RouteSources>,
    /// Time zones.
    pub zones: Arc<dyn Zones>,
    /// Sources of places, in the order in which they are asked.
    pub places: Vec<Arc<dyn Places>>,
    /// Where long lines are worked on.
    pub aside: Arc<dyn Aside>,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
}

impl Ports {
    fn new_stage_id(&self) -> StageId {
        StageId(btp_kernel::new_id(self.clock.now(), self.entropy.as_ref()))
    }
}

/// The planning engine. Cheap to clone.
#[derive(Clone)]
pub struct Planner {
    ports: Ports,
}

impl Planner {
    /// A planner over these ports.
    pub fn new(ports: Ports) -> Self {
        Self { ports }
    }

    /// What background jobs call; no principal, no scope.
    pub fn background(&self) -> Background {
        Background::new(self.ports.clone())
    }

    /// Whether the trip is locked now.
    pub fn is_locked(&self, trip: &Trip) -> bool {
        trip.is_locked(btp_kernel::today(self.ports.clock.now(), trip.zone.as_deref()))
    }

    async fn owned(&self, principal: &Principal, id: &TripId) -> Result<Trip, Error> {
        self.ports.trips.find(&principal.user, id).await?.ok_or(Refusal::NoTrip.into())
    }
}

fn require(principal: &Principal, scope: &'static str) -> Result<(), Error> {
    if principal.scopes.has(scope) { Ok(()) } else { Err(Refusal::Scope(scope).into()) }
}
