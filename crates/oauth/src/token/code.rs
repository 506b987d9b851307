//! A code against tokens (OAuth 2.1 §4.1.3).

use btp_kernel::{new_id, secret};

use super::{Bearer, TokenError, Tokens};
use crate::{AuthorizationServer, machine, params::Params, store::Redeemed};

impl AuthorizationServer {
    /// Looks at the code, checks everything, and only then spends it: whoever merely saw a code can neither use it nor
    /// burn it, and only a request that would have been right shows that a code was stolen (OAuth 2.1 §7.5.2).
    pub(super) async fn redeem(&self, form: &Params) -> Result<Tokens, TokenError> {
        let code = form.one("code").ok_or(TokenError::Missing("code"))?;
        let client = self.known_client(form).await?;
        let digest = secret::digest(code);
        let stored = self.parts.store.code(&digest).await?.ok_or(TokenError::Grant)?;
        let redirect_fits = form.one("redirect_uri").is_none_or(|sent| sent == stored.redirect_uri);
        let verified = form.one("code_verifier").is_some_and(|sent| machine::verifies(&stored.challenge, sent));
        let in_time = stored.used || self.parts.clock.now() < stored.expires;
        if stored.client != client.id || !redirect_fits || !verified || !in_time {
            return Err(TokenError::Grant);
        }
        self.check_resource(form, &stored.resource)?;

        let family = new_id(self.parts.clock.now(), &*self.parts.entropy);
        let (refresh_token, refresh) = self.new_refresh();
        match self.parts.store.redeem(&digest, &family, &refresh, self.parts.clock.now()).await? {
            Redeemed::Fresh => {}
            Redeemed::Replayed => {
                tracing::warn!(client.id = %client.id, user.id = %stored.user, "oauth.code_replayed");
                return Err(TokenError::Grant);
            }
            Redeemed::Dead => return Err(TokenError::Grant),
        }
        let bearer = Bearer {
            user: &stored.user,
            client: &client.id,
            resource: &stored.resource,
            family: &family,
            scopes: &stored.scopes,
        };
        self.answer(&bearer, refresh_token)
    }
}
