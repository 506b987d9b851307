//! A refresh token against the next pair (OAuth 2.1 §4.3).

use btp_kernel::{Scopes, secret};

use super::{ACCESS_LIFE, Bearer, Reason, TokenError, Tokens, sealed};
use crate::{
    AuthorizationServer, audit, machine,
    params::Params,
    store::{Client, RefreshView, Rotated, Rotation, ended},
};

impl AuthorizationServer {
    pub(super) async fn refresh(&self, form: &Params) -> Result<Tokens, TokenError> {
        let token = form.one("refresh_token").ok_or(TokenError::Missing("refresh_token"))?;
        let client = self.known_client(form).await?;
        let digest = secret::digest(token);
        let held = self.held(&digest).await?;
        if let Some(rotation) = &held.rotated {
            return self.again(form, token, &client, &held, rotation).await;
        }
        if held.client != client.id {
            return Err(TokenError::Grant(Reason::OtherClient));
        }
        if !held.alive {
            return Err(TokenError::Grant(Reason::Revoked));
        }
        if held.expires <= self.parts.clock.now() {
            return Err(TokenError::Grant(Reason::Expired));
        }
        self.check_resource(form, &held.resource)?;
        let scopes = self.narrowed(form.one("scope"), &held)?;

        let bearer = bearer(&held, &scopes);
        let (refresh_token, successor) = self.new_refresh();
        let tokens = self.answer(&bearer, refresh_token)?;
        let kept = self.kept(token, &bearer, &tokens);
        match self.parts.store.rotate(&digest, &successor, kept.as_deref(), self.parts.clock.now()).await? {
            Rotated::Fresh => {
                audit::done("tokens_refreshed", bearer.subject());
                Ok(tokens)
            }
            Rotated::Already => {
                let held = self.held(&digest).await?;
                let rotation = held.rotated.as_ref().ok_or(TokenError::Grant(Reason::Revoked))?;
                self.again(form, token, &client, &held, rotation).await
            }
            Rotated::Dead => Err(TokenError::Grant(Reason::Revoked)),
        }
    }

    async fn held(&self, digest: &str) -> Result<RefreshView, TokenError> {
        self.parts.store.refresh(digest).await?.ok_or(TokenError::Grant(Reason::Unknown))
    }

    /// A token that was rotated before. A client that lost the answer, or whose processes share a token, asks the same
    /// again at once: it gets the same answer, as long as nobody has gone on with it. In every other case either the
    /// holder or whoever rotated it is not the client, and nobody can tell which, so both lose the family
    /// (RFC 9700 §4.14.2).
    async fn again(
        &self,
        form: &Params,
        token: &str,
        client: &Client,
        held: &RefreshView,
        rotation: &Rotation,
    ) -> Result<Tokens, TokenError> {
        if !held.alive {
            return Err(TokenError::Grant(Reason::Revoked));
        }
        let same = held.client == client.id && self.check_resource(form, &held.resource).is_ok();
        let scopes = self.narrowed(form.one("scope"), held).ok().filter(|_| same);
        if let Some(scopes) = scopes {
            let bearer = bearer(held, &scopes);
            if let Some(tokens) = self.repeated(token, &bearer, rotation) {
                audit::done("tokens_repeated", bearer.subject());
                return Ok(tokens);
            }
        }
        audit::alarm("refresh_reused", bearer(held, &held.scopes).subject());
        self.parts.store.revoke_family(&held.family, ended::REUSE, self.parts.clock.now()).await?;
        Err(TokenError::Grant(Reason::Reused))
    }

    /// The answer as it is kept for the grace period; `None` when there is none.
    fn kept(&self, token: &str, bearer: &Bearer<'_>, tokens: &Tokens) -> Option<Vec<u8>> {
        let answer = format!("{}\n{}", tokens.access_token, tokens.refresh_token);
        let seal = || sealed::seal(token, &bearer.request(), &answer, &*self.parts.entropy);
        (!self.parts.policy.refresh_grace.is_zero()).then(seal).flatten()
    }

    /// The kept answer within the grace period. The store forgets it once its refresh token is rotated in turn.
    fn repeated(&self, token: &str, bearer: &Bearer<'_>, rotation: &Rotation) -> Option<Tokens> {
        let age = self.parts.clock.now().since(rotation.at);
        if age >= self.parts.policy.refresh_grace {
            return None;
        }
        let answer = sealed::open(token, &bearer.request(), rotation.kept.as_deref()?)?;
        let (access_token, refresh_token) = answer.split_once('\n')?;
        Some(Tokens {
            access_token: access_token.to_owned(),
            refresh_token: refresh_token.to_owned(),
            expires_in: ACCESS_LIFE.saturating_sub(age).as_secs(),
            ..Tokens::for_scopes(bearer.scopes)
        })
    }

    /// The scopes of the next access token: those asked, which must be within the grant; all of it when none is asked.
    /// The refresh token keeps the grant (OAuth 2.1 §4.3.3).
    fn narrowed(&self, asked: Option<&str>, held: &RefreshView) -> Result<Scopes, TokenError> {
        let Some(asked) = asked else { return Ok(held.scopes.clone()) };
        let resource = self.resource(std::iter::once(held.resource.as_str()));
        let resource = resource.ok_or(TokenError::Grant(Reason::Revoked))?;
        let known = Scopes::parse(asked).common(&resource.scope_set());
        let legal = !known.is_empty() && machine::is_within(&known.to_string(), &held.scopes.to_string());
        if legal { Ok(known) } else { Err(TokenError::Scope) }
    }
}

fn bearer<'a>(held: &'a RefreshView, scopes: &'a Scopes) -> Bearer<'a> {
    Bearer { user: &held.user, client: &held.client, resource: &held.resource, family: &held.family, scopes }
}
