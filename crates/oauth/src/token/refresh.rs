//! A refresh token against the next pair (OAuth 2.1 §4.3).

use btp_kernel::{Scopes, secret};

use super::{Bearer, TokenError, Tokens};
use crate::{
    AuthorizationServer, machine,
    params::Params,
    store::{RefreshView, Rotated, ended},
};

impl AuthorizationServer {
    pub(super) async fn refresh(&self, form: &Params) -> Result<Tokens, TokenError> {
        let token = form.one("refresh_token").ok_or(TokenError::Missing("refresh_token"))?;
        let client = self.known_client(form).await?;
        let digest = secret::digest(token);
        let held = self.parts.store.refresh(&digest).await?.ok_or(TokenError::Grant)?;
        if held.rotated {
            return self.reused(&held).await;
        }
        if held.client != client.id || !held.alive || held.expires <= self.parts.clock.now() {
            return Err(TokenError::Grant);
        }
        self.check_resource(form, &held.resource)?;
        let scopes = self.narrowed(form.one("scope"), &held)?;

        let (refresh_token, successor) = self.new_refresh();
        match self.parts.store.rotate(&digest, &successor, self.parts.clock.now()).await? {
            Rotated::Fresh => {}
            Rotated::Already => return self.reused(&held).await,
            Rotated::Dead => return Err(TokenError::Grant),
        }
        let bearer = Bearer {
            user: &held.user,
            client: &held.client,
            resource: &held.resource,
            family: &held.family,
            scopes: &scopes,
        };
        self.answer(&bearer, refresh_token)
    }

    /// A token that was rotated before: either its holder or whoever rotated it is not the client, and nobody can tell
    /// which, so both lose the family (RFC 9700 §4.14.2).
    async fn reused(&self, held: &RefreshView) -> Result<Tokens, TokenError> {
        tracing::warn!(client.id = %held.client, user.id = %held.user, "oauth.refresh_reused");
        self.parts.store.revoke_family(&held.family, ended::REUSE, self.parts.clock.now()).await?;
        Err(TokenError::Grant)
    }

    /// The scopes of the next access token: those asked, which must be within the grant; all of it when none is asked.
    /// The refresh token keeps the grant (OAuth 2.1 §4.3.3).
    fn narrowed(&self, asked: Option<&str>, held: &RefreshView) -> Result<Scopes, TokenError> {
        let Some(asked) = asked else { return Ok(held.scopes.clone()) };
        let resource = self.resource(std::iter::once(held.resource.as_str())).ok_or(TokenError::Grant)?;
        let known = Scopes::parse(asked).common(&resource.scope_set());
        let legal = !known.is_empty() && machine::is_within(&known.to_string(), &held.scopes.to_string());
        if legal { Ok(known) } else { Err(TokenError::Scope) }
    }
}
