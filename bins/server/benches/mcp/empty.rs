//! A tool that does nothing: on the bare library, and behind the gate of this server.

use std::{collections::BTreeMap, net::SocketAddr, path::Path, sync::Arc};

use axum::{Router, serve::ListenerExt};
use btp_accounts::{Accounts, Apps, Mail, Mailer, SignUp, Signer};
use btp_domain::{
    Failure, FailureCode, Planner, Ports, SourceRef,
    route::{FetchedRoute, RouteSources, Zones},
};
use btp_kernel::{BoxError, Clock, Limit, Limiter, Windows};
use btp_mcp_kit::{Call, Catalogue, Hints, Spec, Tool, ToolError};
use btp_oauth::{AuthorizationServer, Issuer, Keys, Policy, ProtectedResource, ScopeWords};
use btp_server::system::{SystemClock, SystemEntropy, Threads};
use btp_testkit::memory::MemoryDocuments;
use btp_transport::{Parts, Resource, Services, Settings, router};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{CallToolRequestParams, CallToolResponse, CallToolResult, ServerCapabilities, ServerConfig},
    service::RequestContext,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Serves it on the bare library; its base address.
pub(crate) async fn bare() -> String {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts();
    let service = StreamableHttpService::new(|| Ok(Empty), Arc::new(LocalSessionManager::default()), config);
    serve(Router::new().route_service("/mcp", service)).await
}

/// Serves it behind the gate, which takes the tokens of the server at `base` whose data is in `folder`; its base address.
pub(crate) async fn gated(folder: &Path, base: &str) -> String {
    let stores = btp_storage::connect(&btp_storage::file_url(&folder.join("bike-trip-planner.sqlite"))).await.unwrap();
    let key = std::fs::read_to_string(folder.join("keys/oauth.pem")).unwrap();
    let (clock, entropy): (Arc<dyn Clock>, _) = (Arc::new(SystemClock), Arc::new(SystemEntropy));
    let ceilings = ["mcp_envelope", "mcp_tool_call"].map(|name| (name, (100_000_000, 60)));
    let limiter: Arc<dyn Limiter> = Arc::new(Windows::new(BTreeMap::from(ceilings)));
    let protected = ProtectedResource {
        path: "/mcp".to_owned(),
        scopes: ["trips:read", "trips:write"]
            .map(|scope| ScopeWords { scope: scope.parse().unwrap(), en: String::new(), fr: String::new() })
            .into(),
    };
    let authorization = AuthorizationServer::new(btp_oauth::Parts {
        issuer: Issuer::parse(base).unwrap(),
        resources: vec![protected.clone()],
        keys: Keys::load(&[key]).unwrap(),
        store: stores.grants(),
        documents: Arc::new(MemoryDocuments::default()),
        policy: Policy::default(),
        limiter: Arc::clone(&limiter),
        clock: Arc::clone(&clock),
        entropy: entropy.clone(),
    });
    let accounts = Accounts::new(btp_accounts::Parts {
        store: stores.accounts(),
        mailer: Arc::new(Empty),
        limiter: Arc::clone(&limiter),
        clock: Arc::clone(&clock),
        entropy: entropy.clone(),
        base: base.to_owned(),
        sign_up: SignUp::Invite,
    });
    let services = Services::new(Parts {
        settings: Settings::new(base, &[], Vec::new()).unwrap(),
        planner: Planner::new(Ports {
            trips: stores.trips(),
            confirmations: stores.confirmations(),
            limiter: Arc::clone(&limiter),
            sources: Arc::new(Empty),
            zones: Arc::new(Empty),
            places: Vec::new(),
            aside: Arc::new(Threads),
            clock: Arc::clone(&clock),
            entropy,
        }),
        authenticate: Arc::new(authorization.clone()),
        authorization,
        apps: Apps::new(accounts.clone(), Arc::new(Empty)),
        accounts,
        resources: vec![Resource {
            protected,
            catalogue: Catalogue::new(vec![tool()], Arc::clone(&limiter), Arc::clone(&clock)),
            name: "empty".to_owned(),
            title: "Empty".to_owned(),
            version: "1".to_owned(),
            instructions: String::new(),
        }],
        limiter,
        clock,
        readiness: Arc::new(|| Box::pin(async { Vec::new() })),
        contexts: BTreeMap::new(),
    });
    serve(router(services)).await
}

async fn serve(app: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let listener = listener.tap_io(|socket| drop(socket.set_nodelay(true)));
    let app = app.into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, app).await });
    base
}

fn tool() -> Tool {
    static LIMITS: &[&Limit] = &[&btp_kernel::limit::MCP_TOOL_CALL];
    #[derive(Deserialize, JsonSchema)]
    struct Args {}
    #[derive(Serialize, JsonSchema)]
    struct Answer {
        result: &'static str,
    }
    async fn run(_: Call<Args>) -> Result<Answer, ToolError> {
        Ok(Answer { result: "done" })
    }
    let spec = Spec {
        name: "empty",
        title: "Empty",
        description: "Does nothing.",
        scope: "trips:read",
        hints: Hints::default(),
        limits: LIMITS,
        closed: false,
        budget: None,
    };
    Tool::new(spec, run)
}

/// Does nothing, whatever is asked.
#[derive(Clone)]
struct Empty;

impl ServerHandler for Empty {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::default();
        info.capabilities = ServerCapabilities::builder().enable_tools().build();
        info
    }

    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(CallToolResult::structured(json!({"result": "done"})).into())
    }
}

#[async_trait::async_trait]
impl RouteSources for Empty {
    async fn fetch(&self, _: &SourceRef) -> Result<FetchedRoute, Failure> {
        Err(Failure { code: FailureCode::NotFound, message: String::new() })
    }
}

impl Zones for Empty {
    fn zone_at(&self, _: f64, _: f64) -> Option<String> {
        None
    }
}

#[async_trait::async_trait]
impl Mailer for Empty {
    async fn send(&self, _: &Mail<'_>) -> Result<(), BoxError> {
        Ok(())
    }
}

impl Signer for Empty {
    fn sign(&self, _: &str, _: &Value) -> Result<String, BoxError> {
        Err("no app signs in here".into())
    }

    fn open(&self, _: &str, _: &str) -> Option<Value> {
        None
    }
}
