//! Asking before something is destroyed. The answer is a token that stands for one call and is spent by being shown.

use std::time::Duration;

use btp_kernel::{
    Principal,
    entropy::{digest, hex16},
    secret,
};

use crate::{Error, Planner, Refusal};

/// How long a token may be used.
const LIFE: Duration = Duration::from_secs(5 * 60);

/// A call that needs confirmation: the operation and its arguments in canonical form.
pub(super) struct Call<'a> {
    pub(super) operation: &'a str,
    pub(super) arguments: &'a [&'a str],
}

impl Call<'_> {
    /// What a token is bound to. The version is left out: it is checked anew on each call.
    fn binding(&self, principal: &Principal) -> String {
        let caller = [principal.user.as_str(), principal.client.as_str(), self.operation];
        let parts: Vec<_> = caller.iter().chain(self.arguments).map(|part| part.as_bytes()).collect();
        digest(&parts)
    }
}

impl Planner {
    /// A token for this call.
    pub(super) async fn ask(&self, principal: &Principal, call: &Call<'_>) -> Result<String, Error> {
        let token = hex16(self.ports.entropy.as_ref());
        let expires = self.ports.clock.now().plus(LIFE);
        self.ports.confirmations.put(&secret::digest(&token), &call.binding(principal), expires).await?;
        Ok(token)
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
