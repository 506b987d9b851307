//! Reads one trip.

use btp_kernel::Principal;

use super::{SCOPE_READ, require};
use crate::{Error, Line, Planner, ShareLink, Trip, TripId};

/// A trip with all that its owner can look at.
#[derive(Clone, Debug, PartialEq)]
pub struct WholeTrip {
    /// The trip.
    pub trip: Trip,
    /// The line its days refer to; `None` while there is none.
    pub line: Option<Line>,
    /// Its public link, if it has one.
    pub link: Option<ShareLink>,
}

impl Planner {
    /// The trip with its days.
    ///
    /// # Errors
    /// A missing scope; a trip that does not exist or is not the caller's.
    pub async fn get_trip(&self, principal: &Principal, id: &TripId) -> Result<Trip, Error> {
        require(principal, SCOPE_READ)?;
        self.owned(principal, id).await
    }

    /// The trip with its days, its line and its public link.
    ///
    /// # Errors
    /// Those of [`Planner::get_trip`].
    pub async fn whole_trip(&self, principal: &Principal, id: &TripId) -> Result<WholeTrip, Error> {
        let trip = self.get_trip(principal, id).await?;
        let line = self.ports.trips.line(&principal.user, id).await?;
        let link = self.ports.trips.link(&principal.user, id).await?;
        Ok(WholeTrip { trip, line, link })
    }
}
