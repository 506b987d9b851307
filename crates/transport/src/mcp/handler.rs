//! rmcp's side of an endpoint: lists and calls the tools of one resource.

use std::sync::Arc;

use btp_kernel::{Principal, chain};
use btp_mcp_kit::{Tool, ToolError, quoted};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult,
        DiscoverResult, ErrorCode, Implementation, ListToolsResult, MetaObject, PaginatedRequestParams,
        ServerCapabilities, ServerConfig, Tool as Published, ToolAnnotations,
    },
    service::RequestContext,
};
use serde_json::Value;

use crate::{Resource, Services};

/// How long a client may keep the list of tools, in milliseconds.
const TOOLS_TTL: u64 = 300_000;
/// How long a client may keep what discovery says, in milliseconds.
const DISCOVERY_TTL: u64 = 3_600_000;
/// What does not fit when the arguments do.
const BESIDE: &str = "a member beside \"arguments\" is there twice, or of another type.";
/// Where results of 2026-07-28 say who answers.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The handler of one resource; a clone is one pointer.
#[derive(Clone)]
pub(super) struct Handler(Arc<Inner>);

struct Inner {
    services: Services,
    index: usize,
    tools: Vec<Published>,
    config: ServerConfig,
    stamp: MetaObject,
}

impl Handler {
    pub(super) fn new(services: Services, index: usize) -> Self {
        let resource = &services.resources[index];
        let info = Implementation::new(resource.name.clone(), resource.version.clone());
        let mut stamp = MetaObject::default();
        stamp.insert(SERVER_INFO.to_owned(), serde_json::to_value(&info).unwrap_or_default());
        let mut config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        config.server_info = info.with_title(resource.title.clone());
        config.instructions = Some(resource.instructions.clone());
        let tools = resource.catalogue.tools().iter().map(published).collect();
        Self(Arc::new(Inner { services, index, tools, config, stamp }))
    }

    fn resource(&self) -> &Resource {
        &self.0.services.resources[self.0.index]
    }

    /// The `_meta` of a result: who answers, from 2026-07-28 on.
    fn stamp(&self, context: &RequestContext<RoleServer>) -> Option<MetaObject> {
        is_modern(context).then(|| self.0.stamp.clone())
    }

    async fn run(
        &self,
        context: &RequestContext<RoleServer>,
        name: &str,
        arguments: Value,
    ) -> Result<Value, ErrorData> {
        let principal = principal(context)?;
        let began = tokio::time::Instant::now();
        let outcome = self.resource().catalogue.call(&principal, name, arguments).await;
        let tool = self.resource().catalogue.find(name).map_or("(unknown)", |tool| tool.spec().name);
        let code = outcome.as_ref().err().map_or(0, ToolError::code);
        let us = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        tracing::info!(
            target: "btp::tool", tool, user.id = %principal.user, client.id = %principal.client, code, duration_us = us,
            "call"
        );
        outcome.map_err(|err| {
            if let ToolError::Failed(_) | ToolError::Busy(_) = err {
                tracing::error!(target: "btp::tool", tool, error = chain(&err), "a tool failed");
            }
            ErrorData::new(ErrorCode(err.code()), err.message(), err.data())
        })
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.0.config.clone()
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let mut result = DiscoverResult::from_server_info(versions, self.get_info());
        (result.ttl_ms, result.cache_scope) = (DISCOVERY_TTL, CacheScope::Public);
        Ok(result)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let principal = principal(&context)?;
        let all = self.resource().catalogue.tools().iter().zip(&self.0.tools);
        let allowed = all.filter(|(tool, _)| principal.scopes.has(tool.spec().scope)).map(|(_, tool)| tool.clone());
        let mut result = ListToolsResult::with_all_items(allowed.collect());
        (result.ttl_ms, result.cache_scope) = (Some(TOOLS_TTL), Some(CacheScope::Private));
        result.meta = self.stamp(&context);
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.map_or(Value::Null, Value::Object);
        let mut result = CallToolResult::structured(self.run(&context, &request.name, arguments).await?);
        result.meta = self.stamp(&context);
        Ok(result.into())
    }

    /// rmcp hands a known method with malformed parameters to this: they are refused like any other misfit.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let params = request.params.unwrap_or_default();
        match (request.method.as_str(), params.get("name").and_then(Value::as_str)) {
            // Scope and limits come first, as for any call; then it is refused, as arguments are that are no object.
            ("tools/call", Some(name)) => match self.run(&context, name, Value::Bool(false)).await {
                Err(refusal) if refusal.code == ErrorCode::INVALID_PARAMS && fits(params.get("arguments")) => {
                    Err(ErrorData::invalid_params(
                        format!("Invalid parameters for tool '{}': {BESIDE}", quoted(name)),
                        None,
                    ))
                }
                Err(refusal) => Err(refusal),
                Ok(_) => Err(ErrorData::internal_error("Internal error.", None)),
            },
            (method, _) => Err(needs(method, is_modern(&context)).map_or_else(
                || ErrorData::new(ErrorCode::METHOD_NOT_FOUND, quoted(method), None),
                |needs| ErrorData::invalid_params(format!("Invalid parameters: {needs}"), None),
            )),
        }
    }
}

/// Whether these can be the arguments of a tool.
fn fits(arguments: Option<&Value>) -> bool {
    arguments.is_none_or(|arguments| arguments.is_null() || arguments.is_object())
}

/// Whether the request is of the era without handshake.
fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| !version.has_initialize())
}

/// What the parameters of a method that is served must be, as a sentence. The era without handshake knows neither
/// `initialize` nor `ping`.
fn needs(method: &str, is_modern: bool) -> Option<&'static str> {
    Some(match method {
        "initialize" | "ping" if is_modern => return None,
        "initialize" => {
            "\"initialize\" needs \"protocolVersion\", a text, \"capabilities\", an object, and \"clientInfo\" with \"name\" and \"version\", which must be texts."
        }
        "server/discover" => "\"server/discover\" needs an object with \"_meta\".",
        "tools/list" | "ping" => "they must be an object.",
        "tools/call" => "\"tools/call\" needs a \"name\", which must be a text.",
        _ => return None,
    })
}

/// On whose behalf: the gate put it into the request.
fn principal(context: &RequestContext<RoleServer>) -> Result<Arc<Principal>, ErrorData> {
    let parts = context.extensions.get::<http::request::Parts>();
    let principal = parts.and_then(|parts| parts.extensions.get::<Arc<Principal>>());
    principal.cloned().ok_or_else(|| ErrorData::internal_error("Internal error.", None))
}

/// A tool as rmcp publishes it. Only hints that hold are said; without any, there are no annotations.
fn published(tool: &Tool) -> Published {
    let (spec, hints) = (tool.spec(), tool.spec().hints);
    let published = Published::new(spec.name, spec.description.trim_end(), Arc::clone(tool.input()))
        .with_title(spec.title)
        .with_raw_output_schema(Arc::clone(tool.output()));
    let mut annotations = ToolAnnotations::new();
    annotations.read_only_hint = hints.read_only.then_some(true);
    annotations.destructive_hint = hints.destructive.then_some(true);
    annotations.open_world_hint = hints.open_world.then_some(true);
    if annotations == ToolAnnotations::new() { published } else { published.with_annotations(annotations) }
}
