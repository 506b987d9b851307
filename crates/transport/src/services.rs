//! What the routes are served with.

use std::{collections::BTreeMap, ops::Deref, sync::Arc};

use async_trait::async_trait;
use btp_accounts::{Accounts, Apps};
use btp_domain::Planner;
use btp_kernel::{ClientId, Clock, Limiter, Principal, UserId};
use btp_mcp_kit::Catalogue;
use btp_oauth::{AccessError, AuthorizationServer, ProtectedResource};
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::{Settings, turns::Turns, upload::Room};

/// Everything the routes use, cheap to clone.
#[derive(Clone)]
pub struct Services {
    parts: Arc<Parts>,
    /// For files that are being sent.
    pub(crate) room: Arc<Room>,
    /// For pages and files of trips.
    pub(crate) turns: Arc<Turns>,
}

/// The parts of [`Services`].
pub struct Parts {
    /// Addresses and whom to trust.
    pub settings: Settings,
    /// The planning engine.
    pub planner: Planner,
    /// Signs people's agents in.
    pub authorization: AuthorizationServer,
    /// Who is behind a bearer token.
    pub authenticate: Arc<dyn Authenticate>,
    /// People, and who is behind a session cookie.
    pub accounts: Accounts,
    /// Apps of people, and who is behind their tokens.
    pub apps: Apps,
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

/// A protected resource as an MCP endpoint: its tools, and how it introduces itself.
pub struct Resource {
    /// Its path and scopes.
    pub protected: ProtectedResource,
    /// Its tools.
    pub catalogue: Catalogue,
    /// Name of the server, as clients see it.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Its version.
    pub version: String,
    /// What an agent reads first.
    pub instructions: String,
}

/// Finds out who is behind a bearer token.
#[async_trait]
pub trait Authenticate: Send + Sync {
    /// The principal of `bearer` at the protected resource with the address `resource`.
    ///
    /// # Errors
    /// [`AccessError::Invalid`] for any token that is not alive for this resource.
    async fn principal(&self, bearer: &str, resource: &str) -> Result<Principal, AccessError>;
}

#[async_trait]
impl Authenticate for AuthorizationServer {
    async fn principal(&self, bearer: &str, resource: &str) -> Result<Principal, AccessError> {
        Self::principal(self, bearer, resource).await
    }
}

/// Asks the parts behind the server how they are.
pub type Readiness = Arc<dyn Fn() -> BoxFuture<'static, Vec<Check>> + Send + Sync>;

/// How one part behind the server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The part, for example `database`.
    pub name: &'static str,
    /// What is wrong; `None` when it is well.
    pub problem: Option<String>,
    /// Whether the server cannot work without it; otherwise it only works worse.
    pub vital: bool,
}

impl Services {
    /// Services of these parts.
    pub fn new(parts: Parts) -> Self {
        Self { parts: Arc::new(parts), room: Arc::default(), turns: Arc::default() }
    }

    /// A signed-in person acting without an agent, with every scope there is.
    pub(crate) fn person(&self, user: UserId) -> Principal {
        Principal { user, client: ClientId::from(Principal::PERSON), scopes: self.authorization.every_scope() }
    }
}

impl Deref for Services {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}
