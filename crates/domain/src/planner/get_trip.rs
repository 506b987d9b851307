//! Reads one trip.

use btp_kernel::Principal;

use super::{SCOPE_READ, require};
use crate::{Error, Planner, Trip, TripId};

impl Planner {
    /// The trip with its days.
    ///
    /// # Errors
    /// A missing scope; a trip that does not exist or is not the caller's.
    pub async fn get_trip(&self, principal: &Principal, id: &TripId) -> Result<Trip, Error> {
        require(principal, SCOPE_READ)?;
        self.owned(principal, id).await
    }
}
