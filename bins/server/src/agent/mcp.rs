//! MCP of 2026-07-28 as an agent speaks it: every request stands alone and names its version.

use anyhow::{Context, bail};
use reqwest::Url;
use serde_json::{Value, json};

use super::json as json_of;

const VERSION: &str = "2026-07-28";

/// A signed-in agent.
pub struct Session {
    http: reqwest::Client,
    mcp: Url,
    token: String,
}

impl Session {
    /// A session with a token from elsewhere.
    pub fn new(http: reqwest::Client, mcp: Url, token: String) -> Self {
        Self { http, mcp, token }
    }

    /// The access token.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Names of the tools it may call.
    ///
    /// # Errors
    /// A refusal or a transport error.
    pub async fn tools(&self) -> anyhow::Result<Vec<String>> {
        let result = self.request("tools/list", None, json!({})).await?;
        let tools = result["tools"].as_array().context("tools/list answered no list")?;
        Ok(tools.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect())
    }

    /// Calls a tool; its structured answer.
    ///
    /// # Errors
    /// The refusal's message, or a transport error.
    pub async fn call(&self, tool: &str, arguments: Value) -> anyhow::Result<Value> {
        let mut result = self.request("tools/call", Some(tool), json!({"name": tool, "arguments": arguments})).await?;
        Ok(result["structuredContent"].take())
    }

    async fn request(&self, method: &str, name: Option<&str>, mut params: Value) -> anyhow::Result<Value> {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": VERSION,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "bike-trip-planner-demo", "version": env!("CARGO_PKG_VERSION")},
        });
        let mut request = self
            .http
            .post(self.mcp.clone())
            .bearer_auth(&self.token)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", VERSION)
            .header("mcp-method", method);
        if let Some(name) = name {
            request = request.header("mcp-name", name);
        }
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let mut answer = json_of(request.body(body.to_string()).send().await?).await?;
        if let Some(error) = answer.get("error") {
            bail!("{} refused: {}", name.unwrap_or(method), error["message"].as_str().unwrap_or("?"));
        }
        Ok(answer["result"].take())
    }
}
