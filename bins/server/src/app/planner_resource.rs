//! The planner as a protected resource: the one place that says its path, its scopes and their words.

use std::sync::Arc;

use btp_domain::{Planner, SCOPE_READ, SCOPE_WRITE};
use btp_kernel::{Clock, Limiter};
use btp_oauth::{ProtectedResource, ScopeWords};
use btp_transport::Resource;

const PATH: &str = "/mcp";

/// As the authorization server sees it.
pub(super) fn protected() -> ProtectedResource {
    let words = |scope: &str, en: &str, fr: &str| {
        let scope = scope.parse().ok()?;
        Some(ScopeWords { scope, en: en.to_owned(), fr: fr.to_owned() })
    };
    let scopes = [
        words(
            SCOPE_READ,
            "Read your trips and their days, and search places",
            "Lire vos voyages et leurs étapes, et chercher des lieux",
        ),
        words(
            SCOPE_WRITE,
            "Create, change, share and delete your trips",
            "Créer, modifier, partager et supprimer vos voyages",
        ),
    ];
    ProtectedResource { path: PATH.to_owned(), scopes: scopes.into_iter().flatten().collect() }
}

/// As agents see it.
pub(super) fn endpoint(planner: Planner, base: &str, limiter: &Arc<dyn Limiter>, clock: &Arc<dyn Clock>) -> Resource {
    Resource {
        protected: protected(),
        catalogue: btp_mcp_tools::catalogue(planner, base, Arc::clone(limiter), Arc::clone(clock)),
        name: "bike-trip-planner".to_owned(),
        title: "Bike Trip Planner".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        instructions: btp_mcp_tools::INSTRUCTIONS.to_owned(),
    }
}
