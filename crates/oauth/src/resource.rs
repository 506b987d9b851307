//! The protected resources tokens are issued for. Nothing else in this crate knows a path or a scope name.

use btp_kernel::{Scope, Scopes};

use crate::{Issuer, discovery::RESOURCE_METADATA_PATH};

/// One protected resource of this deployment (RFC 9728).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtectedResource {
    /// Its path below the base address, beginning with a slash; base and path are the audience of its tokens.
    pub path: String,
    /// The scopes it knows, in published order.
    pub scopes: Vec<ScopeWords>,
}

/// A scope and what it allows, in words for the consent page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeWords {
    /// The scope.
    pub scope: Scope,
    /// What it allows, in English.
    pub en: String,
    /// The same in French.
    pub fr: String,
}

impl ProtectedResource {
    /// Its address: what clients send as `resource` and tokens carry as `aud`.
    pub fn address(&self, issuer: &Issuer) -> String {
        issuer.at(&self.path)
    }

    /// Address of its metadata document (RFC 9728 §3.1).
    pub fn metadata_address(&self, issuer: &Issuer) -> String {
        issuer.at(&self.metadata_path())
    }

    /// Path of its metadata document.
    pub fn metadata_path(&self) -> String {
        format!("{RESOURCE_METADATA_PATH}{}", self.path)
    }

    /// The set of its scopes.
    pub fn scope_set(&self) -> Scopes {
        Scopes::parse(&self.scope_names().join(" "))
    }

    /// The names of its scopes, in published order.
    pub fn scope_names(&self) -> Vec<&str> {
        self.scopes.iter().map(|words| words.scope.as_str()).collect()
    }
}
