//! The authorization server: what it is made of, and its clients.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use btp_kernel::{Clock, Entropy, Limiter, Scopes, Timestamp};

use crate::{
    Issuer, Keys, Policy, ProtectedResource,
    discovery::{RESOURCE_METADATA_PATH, ResourceMetadata, ServerMetadata},
    document::{ClientDocuments, Flights},
    store::GrantStore,
    token::Verified,
};

/// What the authorization server is made of.
pub struct Parts {
    /// Who we are.
    pub issuer: Issuer,
    /// What tokens are issued for; a request that names none means the first.
    pub resources: Vec<ProtectedResource>,
    /// What signs access tokens.
    pub keys: Keys,
    /// Clients, requests, codes, tokens.
    pub store: Arc<dyn GrantStore>,
    /// Fetches what clients publish about themselves.
    pub documents: Arc<dyn ClientDocuments>,
    /// What the operator decided.
    pub policy: Policy,
    /// Counts authorization requests.
    pub limiter: Arc<dyn Limiter>,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
}

/// The authorization server. Cheap to clone.
#[derive(Clone)]
pub struct AuthorizationServer {
    pub(crate) parts: Arc<Parts>,
    /// When the grant behind a family was last noted as used, by this process.
    pub(crate) touched: Arc<Mutex<HashMap<String, Timestamp>>>,
    /// Access tokens whose signature is known to be good.
    pub(crate) verified: Arc<Verified>,
    /// The client documents that are being fetched.
    pub(crate) flights: Arc<Flights>,
}

impl AuthorizationServer {
    /// A server of these parts.
    pub fn new(parts: Parts) -> Self {
        Self { parts: Arc::new(parts), touched: Arc::default(), verified: Arc::default(), flights: Arc::default() }
    }

    /// Who we are.
    pub fn issuer(&self) -> &Issuer {
        &self.parts.issuer
    }

    /// What tokens are issued for.
    pub fn resources(&self) -> &[ProtectedResource] {
        &self.parts.resources
    }

    /// Every scope of every resource: what a signed-in person may do on our own pages.
    pub fn every_scope(&self) -> Scopes {
        let names: Vec<_> = self.parts.resources.iter().flat_map(ProtectedResource::scope_names).collect();
        Scopes::parse(&names.join(" "))
    }

    /// The document at [`crate::discovery::SERVER_METADATA_PATH`].
    pub fn metadata(&self) -> ServerMetadata {
        ServerMetadata::of(&self.parts.issuer)
    }

    /// The documents of the resources by path; the first is also at the path without a resource.
    pub fn resource_metadata(&self) -> Vec<(String, ResourceMetadata)> {
        let document = |resource: &ProtectedResource| ResourceMetadata::of(resource, &self.parts.issuer);
        let named = self.parts.resources.iter().map(|resource| (resource.metadata_path(), document(resource)));
        let bare = self.parts.resources.first().map(|first| (RESOURCE_METADATA_PATH.to_owned(), document(first)));
        named.chain(bare).collect()
    }

    /// The resource that all of `addresses` name; the first when none is given.
    pub(crate) fn resource<'a>(&self, mut addresses: impl Iterator<Item = &'a str>) -> Option<&ProtectedResource> {
        let Some(address) = addresses.next() else { return self.parts.resources.first() };
        let resource = self.named_resource(address)?;
        addresses.all(|other| self.named_resource(other) == Some(resource)).then_some(resource)
    }

    /// The resource that `address` names: byte for byte, but for the aliases that the operator allows.
    pub(crate) fn named_resource(&self, address: &str) -> Option<&ProtectedResource> {
        let exact = |address: &str| {
            self.parts.resources.iter().find(|resource| resource.address(&self.parts.issuer) == address)
        };
        let alias = || {
            let bare = address.strip_suffix('/').unwrap_or(address);
            let ours = (bare == self.parts.issuer.as_str()).then(|| self.parts.resources.first()).flatten();
            exact(bare).or(ours)
        };
        exact(address).or_else(|| self.parts.policy.resource_aliases.then(alias).flatten())
    }

    /// The addresses a client may name, in words for an error message.
    pub(crate) fn accepted_resources(&self) -> String {
        let addresses: Vec<_> =
            self.parts.resources.iter().map(|resource| resource.address(&self.parts.issuer)).collect();
        addresses.join(" or ")
    }
}
