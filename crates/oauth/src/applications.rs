//! The applications a person has authorized, as their account page lists and revokes them.

use std::collections::BTreeMap;

use btp_kernel::{ClientId, Scopes, Timestamp, UserId};

use crate::{
    AuthorizationServer,
    audit::{self, Subject},
    redirect,
    store::{GrantStoreError, SignIn, ended},
};

/// What a person sees of their authorized applications.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applications {
    /// Those that hold a live token, by name.
    pub live: Vec<Application>,
    /// Sign-ins that were ended because a secret of theirs was used twice, newest first; forgotten after a month.
    pub reused: Vec<Reused>,
}

/// An application that may act for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// Its id, by which it is revoked.
    pub client: ClientId,
    /// Its name, chosen by itself or an operator: to be shown as quoted text.
    pub name: String,
    /// The host of its document, else of its first redirect address.
    pub host: String,
    /// What it may do.
    pub scopes: Scopes,
    /// Since when: its oldest sign-in that is alive.
    pub since: Timestamp,
    /// When it was last used, exact to five minutes: to be shown as a day. `None` for never.
    pub last_used: Option<Timestamp>,
}

/// A sign-in of an application that was ended because a code or refresh token was used twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reused {
    /// The application's name, as for [`Application`].
    pub name: String,
    /// Its host.
    pub host: String,
    /// When it was noticed.
    pub at: Timestamp,
}

impl AuthorizationServer {
    /// The applications `user` has authorized.
    ///
    /// # Errors
    /// Storage's.
    pub async fn applications(&self, user: &UserId) -> Result<Applications, GrantStoreError> {
        let sign_ins = self.parts.store.sign_ins(user, self.parts.clock.now()).await?;
        let mut live = BTreeMap::new();
        let mut reused = Vec::new();
        for sign_in in sign_ins {
            let (name, host) = introduced(&sign_in);
            match sign_in.reused {
                Some(at) => reused.push(Reused { name, host, at }),
                None => merge(&mut live, sign_in, name, host),
            }
        }
        let mut live: Vec<_> = live.into_values().collect();
        for application in &mut live {
            // The grant may have been used by a sign-in that has ended since.
            application.last_used = application.last_used.filter(|used| *used >= application.since);
        }
        live.sort_by(|a: &Application, b| a.name.cmp(&b.name));
        reused.sort_by_key(|notice| std::cmp::Reverse(notice.at));
        Ok(Applications { live, reused })
    }

    /// Revokes everything `user` granted to `client`: its tokens are refused from the next call on. Whether it held any.
    ///
    /// # Errors
    /// Storage's.
    pub async fn revoke_application(&self, user: &UserId, client: &ClientId) -> Result<bool, GrantStoreError> {
        let held = self.end_grants(user, Some(client), ended::USER).await? > 0;
        audit::done("application_revoked", Subject { user: Some(user), client: Some(client), ..Subject::default() });
        Ok(held)
    }

    /// Revokes everything `user` granted to anyone, because their e-mail address is about to change.
    ///
    /// # Errors
    /// Storage's.
    pub async fn revoke_all(&self, user: &UserId) -> Result<(), GrantStoreError> {
        self.end_grants(user, None, ended::EMAIL).await?;
        audit::done("applications_revoked", Subject { user: Some(user), ..Subject::default() });
        Ok(())
    }

    async fn end_grants(
        &self,
        user: &UserId,
        client: Option<&ClientId>,
        reason: &'static str,
    ) -> Result<u64, GrantStoreError> {
        self.parts.store.revoke_grants(user, client, reason, self.parts.clock.now()).await
    }
}

/// Name and host of the application, as far as they are still known.
fn introduced(sign_in: &SignIn) -> (String, String) {
    let id = sign_in.client.as_str();
    let (name, redirects) = sign_in.registered.clone().unwrap_or_else(|| (id.to_owned(), Vec::new()));
    let address = if id.starts_with("https://") { Some(id) } else { redirects.first().map(String::as_str) };
    (name, address.map(redirect::host).unwrap_or_default())
}

/// Several sign-ins of one application are one entry. They come oldest first.
fn merge(live: &mut BTreeMap<ClientId, Application>, sign_in: SignIn, name: String, host: String) {
    let SignIn { client, scopes, since, last_used, .. } = sign_in;
    match live.get_mut(&client) {
        Some(known) => {
            known.scopes = Scopes::parse(&format!("{} {scopes}", known.scopes));
            known.last_used = known.last_used.max(last_used);
        }
        None => {
            live.insert(client.clone(), Application { client, name, host, scopes, since, last_used });
        }
    }
}
