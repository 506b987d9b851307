//! Lists a person's trips.

use btp_kernel::Principal;

use super::{SCOPE_READ, require};
use crate::{
    Error, Planner, Trip,
    store::{TripPage, TripQuery},
};

impl Planner {
    /// One page of the caller's trips.
    ///
    /// # Errors
    /// A missing scope.
    pub async fn list_trips(&self, principal: &Principal, query: &TripQuery) -> Result<TripPage, Error> {
        require(principal, SCOPE_READ)?;
        Ok(self.ports.trips.list(&principal.user, query).await?)
    }

    /// All of the caller's trips with their days: what they take with them.
    ///
    /// # Errors
    /// A missing scope.
    pub async fn export_trips(&self, principal: &Principal) -> Result<Vec<Trip>, Error> {
        require(principal, SCOPE_READ)?;
        Ok(self.ports.trips.all(&principal.user).await?)
    }
}
