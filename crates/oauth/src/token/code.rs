//! A code against tokens (OAuth 2.1 §4.1.3).

use btp_kernel::{new_id, secret};

use super::{Bearer, Reason, TokenError, Tokens};
use crate::{
    AuthorizationServer,
    audit::{self, Subject},
    machine,
    params::Params,
    store::{Client, Code, Redeemed},
};

impl AuthorizationServer {
    /// Looks at the code, checks everything, and only then spends it: whoever merely saw a code can neither use it nor
    /// burn it, and only a request that would have been right shows that a code was stolen (OAuth 2.1 §7.5.2).
    pub(super) async fn redeem(&self, form: &Params) -> Result<Tokens, TokenError> {
        let code = form.one("code").ok_or(TokenError::Missing("code"))?;
        let client = self.known_client(form).await?;
        let digest = secret::digest(code);
        let stored = self.parts.store.code(&digest).await?.ok_or(TokenError::Grant(Reason::Unknown))?;
        self.fits(form, &client, &stored)?;
        self.check_resource(form, &stored.resource)?;

        let family = new_id(self.parts.clock.now(), &*self.parts.entropy);
        let bearer = Bearer {
            user: &stored.user,
            client: &client.id,
            resource: &stored.resource,
            family: &family,
            scopes: &stored.scopes,
        };
        let (refresh_token, refresh) = self.new_refresh();
        let tokens = self.answer(&bearer, refresh_token)?;
        match self.parts.store.redeem(&digest, &family, &refresh, self.parts.clock.now()).await? {
            Redeemed::Fresh => {
                audit::done("tokens_issued", bearer.subject());
                Ok(tokens)
            }
            Redeemed::Replayed => {
                audit::alarm("code_replayed", Subject { family: None, ..bearer.subject() });
                Err(TokenError::Grant(Reason::Replayed))
            }
            Redeemed::Dead => Err(TokenError::Grant(Reason::Revoked)),
        }
    }

    /// Whether the request is the one the code was made for. A code that was used is judged alike, however late, for
    /// only a request that would have been right gives its family away.
    fn fits(&self, form: &Params, client: &Client, stored: &Code) -> Result<(), TokenError> {
        let verified = form.one("code_verifier").is_some_and(|sent| machine::verifies(&stored.challenge, sent));
        let misfit = if stored.client != client.id {
            Some(Reason::OtherClient)
        } else if form.one("redirect_uri").is_some_and(|sent| sent != stored.redirect_uri) {
            Some(Reason::OtherRedirect)
        } else if !verified {
            Some(Reason::WrongVerifier)
        } else if !stored.used && stored.expires <= self.parts.clock.now() {
            Some(Reason::Expired)
        } else {
            None
        };
        misfit.map_or(Ok(()), |reason| Err(TokenError::Grant(reason)))
    }
}
