//! Asking before something is destroyed. The answer is a token that stands for one call and is spent by being shown.

use std::time::Duration;

use btp_kernel::{
    Principal,
    entropy::{digest, hex16},
    secret,
};

use crate::{Confirmable, Error, Impact, Planner, Refusal, Trip, TripId};

/// How long a token may be used.
const LIFE: Duration = Duration::from_secs(5 * 60);

/// A call that needs confirmation.
pub(super) struct Call<'a> {
    operation: &'a str,
    trip: &'a TripId,
    /// The impact spoke of the trip at this version; a token does not survive a change.
    version: u64,
    /// The other arguments in canonical form.
    arguments: String,
}

impl<'a> Call<'a> {
    /// An operation on the trip as it is, without further arguments.
    pub(super) fn about(trip: &'a Trip, operation: &'a str) -> Self {
        Self { operation, trip: &trip.id, version: trip.version, arguments: String::new() }
    }

    /// The call with these arguments, in a form that is the same for every way to write them.
    pub(super) fn with(self, arguments: String) -> Self {
        Self { arguments, ..self }
    }

    /// What a token is bound to.
    fn binding(&self, principal: &Principal) -> String {
        let version = self.version.to_string();
        let caller = [principal.user.as_str(), principal.client.as_str()];
        let call = [self.operation, self.trip.as_str(), &version, &self.arguments];
        digest(&[caller.as_slice(), &call].concat().iter().map(|part| part.as_bytes()).collect::<Vec<_>>())
    }
}

impl Planner {
    /// The question: a token for this call, and what it would do to the trip.
    pub(super) async fn ask<T>(
        &self,
        principal: &Principal,
        call: &Call<'_>,
        trip: &Trip,
        action: String,
    ) -> Result<Confirmable<T>, Error> {
        let link = self.ports.trips.link(&trip.owner, &trip.id).await?;
        let token = hex16(self.ports.entropy.as_ref());
        let expires = self.ports.clock.now().plus(LIFE);
        self.ports.confirmations.put(&secret::digest(&token), &call.binding(principal), expires).await?;
        let impact = Impact {
            trip: trip.id.clone(),
            title: trip.title.clone(),
            stage_count: trip.ridden().count(),
            start_date: trip.settings.start_date,
            end_date: trip.end_date(),
            has_active_link: link.is_some(),
            action,
        };
        Ok(Confirmable::Ask { token, impact })
    }

    /// Spends the token, whether or not it is for this call.
    ///
    /// # Errors
    /// [`Refusal::Confirmation`] when it is not, or no longer.
    pub(super) async fn confirm(&self, principal: &Principal, call: &Call<'_>, token: &str) -> Result<(), Error> {
        let taken = self.ports.confirmations.take(&secret::digest(token), self.ports.clock.now()).await?;
        if taken.is_some_and(|binding| binding == call.binding(principal)) {
            Ok(())
        } else {
            Err(Refusal::Confirmation.into())
        }
    }
}
