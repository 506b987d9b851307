//! Deletes a trip, after asking.

use btp_kernel::Principal;

use super::{SCOPE_WRITE, require};
use crate::{Confirmable, Error, Planner, TripId};

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
        let _ = (id, token);
        Err(crate::Refusal::Invalid("not built yet".to_owned()).into())
    }
}
