//! What stands in for the outside of the server: tokens, routes, mails, and tools that misbehave.

use std::{
    future::pending,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use async_trait::async_trait;
use btp_accounts::{Mail, Mailer, Signer};
use btp_domain::{
    Failure, FailureCode, Line, Point, SourceRef,
    route::{FetchedRoute, RouteSources, Zones},
};
use btp_kernel::{BoxError, Principal, Scopes};
use btp_mcp_kit::{Call, Hints, Spec, Tool, ToolError};
use btp_oauth::{AccessError, AuthorizationServer, Keys};
use btp_transport::Authenticate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::world::BASE;

/// Tokens whose text says all: `r`, `w` and `rw` are ann's, `other` is that of another agent of hers, `bob` is bob's; `t` is
/// for the resource of the tests; `broken` cannot be checked; `brief` is alive the first three times. Any other is judged by the
/// authorization server.
pub(crate) struct Tokens {
    server: AuthorizationServer,
    brief: AtomicUsize,
}

impl Tokens {
    pub(crate) fn of(server: AuthorizationServer) -> Self {
        Self { server, brief: AtomicUsize::new(0) }
    }
}

#[async_trait]
impl Authenticate for Tokens {
    async fn principal(&self, bearer: &str, resource: &str) -> Result<Principal, AccessError> {
        let (user, scopes, of) = match bearer {
            "r" => ("ann", "trips:read", "/mcp"),
            "w" => ("ann", "trips:write", "/mcp"),
            "rw" | "other" => ("ann", "trips:read trips:write", "/mcp"),
            "bob" => ("bob", "trips:read trips:write", "/mcp"),
            "t" => ("ann", "tests:run", "/tests/mcp"),
            "broken" => return Err(AccessError::Failed("the database is away".into())),
            "brief" if self.brief.fetch_add(1, Ordering::Relaxed) < 3 => ("ann", "trips:read trips:write", "/mcp"),
            issued => return self.server.principal(issued, resource).await,
        };
        if resource != format!("{BASE}{of}") {
            return Err(AccessError::Invalid);
        }
        let client = if bearer == "other" { "other" } else { "agent" };
        Ok(Principal { user: user.into(), client: client.into(), scopes: Scopes::parse(scopes) })
    }
}

/// A tool that does what its argument says.
pub(crate) fn odd_tools() -> Vec<Tool> {
    #[derive(Deserialize, JsonSchema)]
    struct Args {
        /// What to do
        what: String,
    }
    #[derive(Serialize, JsonSchema)]
    struct Answer {
        said: String,
    }
    async fn run(call: Call<Args>) -> Result<Answer, ToolError> {
        match call.args.what.as_str() {
            "panic" => panic!("as asked"),
            "hang" => pending().await,
            "fail" => Err(ToolError::Failed("secret of the database".into())),
            said => Ok(Answer { said: said.to_owned() }),
        }
    }
    let spec = Spec {
        name: "odd",
        title: "Odd",
        description: "Does what it is told.",
        scope: "tests:run",
        hints: Hints::default(),
        limits: &[],
        closed: false,
        budget: None,
    };
    vec![Tool::new(spec, run)]
}

/// Number of the only tour there is.
pub(crate) const HILLS: &str = "2026";

/// One route, no zone.
pub(crate) struct Nowhere;

#[async_trait]
impl RouteSources for Nowhere {
    async fn fetch(&self, source: &SourceRef) -> Result<FetchedRoute, Failure> {
        if source.id == HILLS {
            let hill = |i: u32| 400.0 + 300.0 * (f64::from(i) / 100.0).sin();
            let point = |i: u32| Point { lat: 47.0 + f64::from(i) * 0.0009, lon: 9.5, ele: Some(hill(i)) };
            let line = Line { tracks: vec![(0..=3000).map(point).collect()] };
            return Ok(FetchedRoute { title: None, line, warnings: Vec::new() });
        }
        Err(Failure { code: FailureCode::NotFound, message: "There is no route.".to_owned() })
    }
}

impl Zones for Nowhere {
    fn zone_at(&self, _: f64, _: f64) -> Option<String> {
        None
    }
}

/// Keeps the mails: to whom, what about, the link.
#[derive(Default)]
pub(crate) struct Letters(Mutex<Vec<Letter>>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Letter {
    pub(crate) to: String,
    pub(crate) subject: &'static str,
    pub(crate) link: Option<String>,
}

impl Letters {
    /// What was sent since this was last asked, once what runs beside the answers is through.
    pub(crate) async fn take(&self) -> Vec<Letter> {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[async_trait]
impl Mailer for Letters {
    async fn send(&self, mail: &Mail<'_>) -> Result<(), BoxError> {
        let (to, link) = (mail.to.as_str().to_owned(), mail.letter.link().map(str::to_owned));
        self.0.lock().unwrap().push(Letter { to, subject: mail.subject(), link });
        Ok(())
    }
}

pub(crate) struct SessionKeys(pub(crate) Keys);

impl Signer for SessionKeys {
    fn sign(&self, kind: &str, claims: &Value) -> Result<String, BoxError> {
        self.0.sign(kind, claims)
    }

    fn open(&self, kind: &str, token: &str) -> Option<Value> {
        self.0.open(kind, token)
    }
}
