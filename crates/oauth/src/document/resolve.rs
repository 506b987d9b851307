//! From the `client_id` of an authorization request to the client: what an operator stored, else its document.

use std::sync::Arc;

use btp_kernel::{ClientId, Timestamp, UserId, chain, limit};
use futures_util::FutureExt;

use super::{ClientAddress, ClientDocument, NoDocument, flights::Unresolved, lifetime};
use crate::{
    AuthorizationServer, AuthorizeError, Parts, Policy, redirect,
    store::{Client, Document},
};

impl AuthorizationServer {
    /// The client `id` for a request of `person`. Its document is fetched when none is stored or the stored one is stale,
    /// but not for a request that the person has `decided` already: the answer was about the document as it is stored.
    pub(crate) async fn client(&self, id: &ClientId, person: &UserId, decided: bool) -> Result<Client, AuthorizeError> {
        if let Some(client) = self.parts.store.client(id).await? {
            if client.disabled {
                return Err(AuthorizeError::UnknownClient);
            }
            let now = self.parts.clock.now();
            if is_legal(&client, self.parts.policy) && (decided || is_fresh(&client, now)) {
                return Ok(client);
            }
        }
        let address = ClientAddress::parse(id.as_str(), &self.parts.issuer).map_err(|why| {
            if id.as_str().starts_with("https:") {
                refused(None, &why.to_string());
            }
            AuthorizeError::UnknownClient
        })?;
        let flight = match self.flights.joined(id) {
            Some(flight) => flight,
            None => {
                // Counted before the fetch and whatever comes of it: refusals are not remembered, so this is what
                // bounds how often a host is asked on a stranger's behalf.
                let counted = [
                    (&limit::OAUTH_CLIENT_METADATA_USER, person.as_str()),
                    (&limit::OAUTH_CLIENT_METADATA_HOST, address.host()),
                ];
                self.count(&counted).await?;
                self.flights.joined_or(id, || resolve(Arc::clone(&self.parts), id.clone(), address).boxed())
            }
        };
        Ok(flight.await?)
    }
}

async fn resolve(parts: Arc<Parts>, id: ClientId, address: ClientAddress) -> Result<Client, Unresolved> {
    let refused = |reason: &str| refused(Some(&address), reason);
    // Another fetch may have landed between the look at the store and this one.
    let stored = parts.store.client(&id).await?;
    if let Some(client) = stored.filter(|client| is_legal(client, parts.policy) && is_fresh(client, parts.clock.now()))
    {
        return if client.disabled { Err(Unresolved::Refused) } else { Ok(client) };
    }
    let fetched = match parts.documents.fetch(address.url()).await {
        Ok(fetched) => fetched,
        Err(why) => {
            if matches!(why, NoDocument::Withdrawn) {
                parts.store.withdraw_document(&id, parts.clock.now()).await?;
            }
            return Err(refused(&chain(&why)));
        }
    };
    let document = ClientDocument::parse(&fetched.body, &address, &parts.issuer, parts.policy)
        .map_err(|why| refused(&why.to_string()))?;
    let now = parts.clock.now();
    let expires = now.plus(lifetime(&fetched.cache_control, fetched.age));
    let client = Client {
        id,
        name: document.name,
        redirect_uris: document.redirect_uris,
        disabled: false,
        created_at: now,
        document: Some(Document { fetched_at: now, expires }),
    };
    let stored = parts.store.put_document(&client).await?;
    if stored.changed {
        tracing::warn!(target: "audit", { client.host = address.host() }, "client_document_changed");
    }
    if stored.client.disabled { Err(refused("the client is disabled")) } else { Ok(stored.client) }
}

/// Tells the operator why; the caller is told nothing of it.
fn refused(address: Option<&ClientAddress>, reason: &str) -> Unresolved {
    let host = address.map(ClientAddress::host);
    tracing::info!(target: "audit", { client.host = host, reason }, "client_document_refused");
    Unresolved::Refused
}

/// Whether what is stored may be used without asking again. What an operator stored always may.
fn is_fresh(client: &Client, now: Timestamp) -> bool {
    client.document.is_none_or(|document| now < document.expires)
}

/// Whether a stored document would still be accepted: the operator may have changed their mind since.
fn is_legal(client: &Client, policy: Policy) -> bool {
    client.document.is_none()
        || policy.localhost_redirects
        || !client.redirect_uris.iter().any(|uri| redirect::is_localhost(uri))
}
