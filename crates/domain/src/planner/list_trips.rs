//! Lists a person's trips.

use btp_kernel::Principal;

use super::{SCOPE_READ, require};
use crate::{
    Error, Planner,
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
}
