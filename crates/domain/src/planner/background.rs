//! What background jobs do to trips.

use btp_kernel::UserId;

use super::Ports;
use crate::{
    TripId,
    store::{Lease, StoreError},
};

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
        let _ = (&self.ports, owner, trip, lease);
        Err(StoreError::Gone)
    }

    /// Settles the trip as failed with code `internal`: the job's attempts are used up.
    ///
    /// # Errors
    /// As [`Background::fetch_route`].
    pub async fn give_up_route(&self, owner: &UserId, trip: &TripId, lease: &Lease) -> Result<(), StoreError> {
        let _ = (owner, trip, lease);
        Err(StoreError::Gone)
    }
}
