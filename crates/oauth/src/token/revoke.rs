//! Revocation by the client itself (RFC 7009). Not advertised, for the published metadata has no such field.

use btp_kernel::secret;

use super::TokenError;
use crate::{
    AuthorizationServer,
    audit::{self, Subject},
    params::Params,
    store::ended,
};

impl AuthorizationServer {
    /// Handles the form of a revocation request: the family of the token dies when it is the client's. A token that is
    /// unknown, dead or another client's is answered the same (RFC 7009 §2.2).
    ///
    /// # Errors
    /// See [`TokenError`].
    pub async fn revoke(&self, form: &[u8]) -> Result<(), TokenError> {
        let form = Params::parse(form);
        self.give_back(&form)
            .await
            .inspect_err(|err| audit::refused("revocation_refused", Subject::default(), &err.reason()))
    }

    async fn give_back(&self, form: &Params) -> Result<(), TokenError> {
        if let Some(name) = form.repeated() {
            return Err(TokenError::Repeated(name));
        }
        let token = form.one("token").ok_or(TokenError::Missing("token"))?;
        let client = self.known_client(form).await?;
        let refresh = self.parts.store.refresh(&secret::digest(token)).await?;
        let (family, owner) = match (refresh, self.family_of(token)) {
            (Some(held), _) => (held.family, held.client),
            (None, Some(claimed)) => claimed,
            (None, None) => return Ok(()),
        };
        if owner == client.id {
            let subject = Subject { client: Some(&client.id), family: Some(&family), ..Subject::default() };
            audit::done("token_revoked", subject);
            self.parts.store.revoke_family(&family, ended::CLIENT, self.parts.clock.now()).await?;
        }
        Ok(())
    }
}
