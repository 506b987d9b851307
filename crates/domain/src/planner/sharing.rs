//! Public links: made, revoked, followed. Sharing works on a locked trip and leaves its version as it is.

use btp_kernel::Principal;

use super::{SCOPE_WRITE, confirmation::Call, require};
use crate::{Confirmable, Error, Planner, Refusal, ShareLink, SharedTrip, TripId};

impl Planner {
    /// The trip's public link; made when there is none.
    ///
    /// # Errors
    /// A missing scope; an unknown trip.
    pub async fn share_trip(&self, principal: &Principal, id: &TripId) -> Result<ShareLink, Error> {
        require(principal, SCOPE_WRITE)?;
        let fresh = ShareLink::new(self.ports.entropy.as_ref(), self.ports.clock.now());
        Ok(self.ports.trips.share(&principal.user, id, fresh).await?)
    }

    /// Revokes the trip's public link. Without a token nothing happens and one is answered.
    ///
    /// # Errors
    /// A missing scope; an unknown trip; [`Refusal::NotShared`]; a token that is not for this call.
    pub async fn unshare_trip(
        &self,
        principal: &Principal,
        id: &TripId,
        token: Option<&str>,
    ) -> Result<Confirmable<()>, Error> {
        require(principal, SCOPE_WRITE)?;
        let trip = self.owned(principal, id).await?;
        if self.ports.trips.link(&principal.user, id).await?.is_none() {
            return Err(Refusal::NotShared.into());
        }
        let call = Call::about(&trip, "unshare_trip");
        let Some(token) = token.filter(|token| !token.is_empty()) else {
            let action = "Revokes the public link: its address stops working at once for everyone, for good.";
            return self.ask(principal, &call, &trip, action.to_owned()).await;
        };
        self.confirm(principal, &call, token).await?;
        if self.ports.trips.unshare(&principal.user, id, self.ports.clock.now()).await? {
            Ok(Confirmable::Done(()))
        } else {
            Err(Refusal::NotShared.into())
        }
    }

    /// The trip behind a public link, for anyone who has the link.
    ///
    /// # Errors
    /// [`Refusal::NoTrip`] for a code that is unknown or revoked, or whose trip was deleted: the three never differ.
    pub async fn shared_trip(&self, code: &str) -> Result<SharedTrip, Error> {
        self.ports.trips.shared(code).await?.ok_or(Refusal::NoTrip.into())
    }
}
