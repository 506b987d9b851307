//! Throughput of `get_trip` (ten days; token, liveness and limits on) beside that of the same rmcp with an empty tool
//! and nothing around it, as a ratio of one run. Needs `wrk`.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "it measures")]
#![expect(clippy::print_stdout, reason = "it prints figures")]

#[path = "../tests/e2e/server.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod server;
#[path = "../tests/e2e/source.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod source;

use std::{path::Path, process::Command, sync::Arc, time::Duration};

use axum::{Router, serve::ListenerExt};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{CallToolRequestParams, CallToolResponse, CallToolResult, ServerCapabilities, ServerConfig},
    service::RequestContext,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde_json::json;

const SECONDS: u32 = 8;

/// A server with one tool that does nothing.
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

#[tokio::main]
async fn main() {
    let source = source::Source::start().await;
    let mut installation = server::Installation::new(&[("KOMOOT_URL", &source.base), ("LOG", "warn")]);
    installation.raise_limits();
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    let dates =
        json!({"sourceUrl": "https://www.komoot.com/tour/2020000", "startDate": "2099-05-01", "endDate": "2099-05-10"});
    let created = session.call("create_trip", dates).await.unwrap();
    let id = created["id"].as_str().unwrap();
    let trip = server::settled(&session, id, Duration::from_secs(20)).await;
    assert_eq!(trip["stageCount"], 10);

    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let empty = format!("http://{}/mcp", listener.local_addr().unwrap());
    let config = StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true);
    let service = StreamableHttpService::new(|| Ok(Empty), Arc::new(LocalSessionManager::default()), config);
    let app = Router::new().route_service("/mcp", service);
    let listener = listener.tap_io(|socket| drop(socket.set_nodelay(true)));
    tokio::spawn(async move { axum::serve(listener, app).await });

    let folder = tempfile::tempdir().unwrap();
    let planner = script(folder.path(), "get_trip", &json!({"id": id}).to_string(), session.token());
    let nothing = script(folder.path(), "empty", "{}", session.token());
    for connections in [16, 64] {
        let base = load(connections, &nothing, &empty);
        let ours = load(connections, &planner, &format!("{}/mcp", server.base));
        println!("{connections} connections: get_trip {ours:.0}/s, empty tool {base:.0}/s, ratio {:.2}", ours / base);
    }
}

/// A request for wrk.
fn script(folder: &Path, tool: &str, arguments: &str, token: &str) -> std::path::PathBuf {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    );
    let lua = format!(
        "wrk.method = 'POST'\nwrk.body = [[{body}]]\nfor name, value in pairs({{['content-type'] = 'application/json', accept = 'application/json, text/event-stream', ['mcp-protocol-version'] = '2026-07-28', ['mcp-method'] = 'tools/call', ['mcp-name'] = '{tool}', authorization = 'Bearer {token}'}}) do wrk.headers[name] = value end\n"
    );
    let path = folder.join(format!("{tool}.lua"));
    std::fs::write(&path, lua).unwrap();
    path
}

/// Requests a second.
fn load(connections: u32, script: &Path, address: &str) -> f64 {
    let output = Command::new("wrk")
        .args(["-t1", &format!("-c{connections}"), &format!("-d{SECONDS}s"), "--latency", "-s"])
        .arg(script)
        .arg(address)
        .output()
        .expect("wrk should be installed (Debian: apt-get install wrk)");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("Non-2xx"), "{text}");
    for line in text.lines().filter(|line| line.trim_start().starts_with("50%") || line.trim_start().starts_with("99%"))
    {
        println!("    {address} {}", line.trim());
    }
    let rate = text.lines().find_map(|line| line.strip_prefix("Requests/sec:"));
    rate.expect("wrk prints its rate").trim().parse().unwrap()
}
