//! Deletes a trip, after asking.

use btp_kernel::Principal;

use super::{SCOPE_WRITE, confirmation::Call, require};
use crate::{Confirmable, Error, Impact, Planner, Refusal, Trip, TripId};

impl Planner {
    /// Deletes the trip. Without a token nothing happens and one is answered. Works on a locked trip.
    ///
    /// # Errors
    /// A missing scope; an unknown trip; a token that is not for this call.
    pub async fn delete_trip(
        &self,
        principal: &Principal,
        id: &TripId,
        token: Option<&str>,
    ) -> Result<Confirmable<()>, Error> {
        require(principal, SCOPE_WRITE)?;
        let trip = self.owned(principal, id).await?;
        let call = Call { operation: "delete_trip", arguments: &[trip.id.as_str()] };
        let Some(token) = token.filter(|token| !token.is_empty()) else {
            let impact = self.impact(trip.clone()).await?;
            return Ok(Confirmable::Ask { token: self.ask(principal, &call).await?, impact });
        };
        self.confirm(principal, &call, token).await?;
        if self.ports.trips.delete(&principal.user, id).await? {
            Ok(Confirmable::Done(()))
        } else {
            Err(Refusal::NoTrip.into())
        }
    }

    async fn impact(&self, trip: Trip) -> Result<Impact, Error> {
        Ok(Impact {
            stage_count: trip.ridden().count(),
            start_date: trip.settings.start_date,
            end_date: trip.end_date(),
            has_active_link: self.ports.trips.has_active_link(&trip.owner, &trip.id).await?,
            trip: trip.id,
            title: trip.title,
        })
    }
}
