//! What the routes are served with.

use std::{collections::BTreeMap, ops::Deref, sync::Arc};

use async_trait::async_trait;
use btp_domain::Planner;
use btp_kernel::{BoxError, Clock, Limiter, Principal};
use btp_mcp_kit::Catalogue;
use serde_json::Value;

use crate::Settings;

/// Everything the routes use, cheap to clone.
#[derive(Clone)]
pub struct Services(Arc<Parts>);

/// The parts of [`Services`].
pub struct Parts {
    /// Addresses and whom to trust.
    pub settings: Settings,
    /// The planning engine.
    pub planner: Planner,
    /// Who is behind a bearer token.
    pub authenticate: Arc<dyn Authenticate>,
    /// The protected resources, each an MCP endpoint of its own.
    pub resources: Vec<Resource>,
    /// Limits that count per address.
    pub limiter: Arc<dyn Limiter>,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// Whether the server can do its work.
    pub readiness: Readiness,
    /// JSON-LD contexts by type, served at `/contexts/{Type}`.
    pub contexts: BTreeMap<&'static str, Value>,
}

/// Asks the parts behind the server how they are.
pub type Readiness = Arc<dyn Fn() -> futures_util::future::BoxFuture<'static, Vec<Check>> + Send + Sync>;

/// How one part behind the server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The part, for example `database`.
    pub name: &'static str,
    /// What is wrong; `None` when it is well.
    pub problem: Option<String>,
}

/// A protected resource: an MCP endpoint with its own audience and tools.
pub struct Resource {
    /// Path of the endpoint, for example `/mcp`; its address is the token's audience.
    pub path: String,
    /// Scopes it knows, in published order.
    pub scopes: Vec<String>,
    /// Its tools.
    pub catalogue: Catalogue,
    /// What an agent reads first.
    pub instructions: String,
}

/// Finds out who is behind a bearer token.
#[async_trait]
pub trait Authenticate: Send + Sync {
    /// The principal of `bearer` at the protected resource with the address `resource`.
    ///
    /// # Errors
    /// [`TokenError::Invalid`] for any token that is not alive for this resource.
    async fn principal(&self, bearer: &str, resource: &str) -> Result<Principal, TokenError>;
}

/// Why there is no principal.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The token is not alive for this resource.
    #[error("the access token is not valid for this resource")]
    Invalid,
    /// It could not be found out.
    #[error("the access token could not be checked")]
    Failed(#[source] BoxError),
}

impl Services {
    /// Services of these parts.
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl Deref for Services {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
