//! Deletes a trip, after asking.

use btp_kernel::Principal;

use super::{SCOPE_WRITE, confirmation::Call, require};
use crate::{Confirmable, Error, Planner, Refusal, TripId};

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
        let call = Call::about(&trip, "delete_trip");
        let Some(token) = token.filter(|token| !token.is_empty()) else {
            let action = "Deletes the trip permanently, with its days and any public link.";
            return self.ask(principal, &call, &trip, action.to_owned()).await;
        };
        self.confirm(principal, &call, token).await?;
        if self.ports.trips.delete(&principal.user, id).await? {
            Ok(Confirmable::Done(()))
        } else {
            Err(Refusal::NoTrip.into())
        }
    }
}
