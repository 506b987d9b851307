//! The official Rust client signs in and runs the journey, in both protocol eras.

use std::time::Duration;

use btp_server::agent::{Browser, REDIRECT};
use reqwest::{Client, Url, redirect::Policy};
use rmcp::{
    ServiceExt,
    model::{CallToolRequestParams, ClientConfig, ProtocolVersion},
    transport::{
        AuthClient, StreamableHttpClientTransport,
        auth::{AuthorizationRequest, OAuthState},
        streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde_json::{Value, json};

use crate::{
    server::{Installation, Server, pause},
    source::Source,
};

#[tokio::test(flavor = "multi_thread")]
async fn create_read_delete() {
    let source = Source::start().await;
    let installation = Installation::new(&[("KOMOOT_URL", &source.base), ("LIMIT_MCP_TOOL_CALL", "10000/60")]);
    let server = installation.serve();
    installation.ok(&["user", "add", "ann@example.org"]);
    installation.ok(&["client", "add", "--name", "rmcp", "--id", "rmcp", "--redirect-uri", REDIRECT]);
    for legacy in [false, true] {
        journey(&installation, &server, legacy).await;
    }
}

async fn journey(installation: &Installation, server: &Server, legacy: bool) {
    let mcp = format!("{}/mcp", server.base);
    let http = Client::builder().no_proxy().redirect(Policy::none()).build().unwrap();
    let mut oauth = OAuthState::new(&mcp, None).await.unwrap();
    let request = AuthorizationRequest::new(REDIRECT)
        .with_preregistered_client("rmcp")
        .with_scopes(["trips:read", "trips:write"]);
    oauth.start_authorization(request).await.unwrap();
    let authorize: Url = oauth.get_authorization_url().await.unwrap().parse().unwrap();
    let mut browser = Browser::new(http.clone());
    browser.open(installation.link(server, "ann@example.org").parse().unwrap()).await.unwrap();
    browser.submit(&[]).await.unwrap();
    browser.open(authorize).await.unwrap();
    assert!(browser.html().contains("rmcp") && browser.html().contains("ann@example.org"));
    let back = browser.submit(&[("decision", "authorize")]).await.unwrap().unwrap();
    oauth.handle_callback_url(back.as_str()).await.unwrap();
    oauth.refresh_token().await.unwrap();
    let client = AuthClient::new(http, oauth.into_authorization_manager().unwrap());
    let transport =
        StreamableHttpClientTransport::with_client(client, StreamableHttpClientTransportConfig::with_uri(mcp));
    let mut info = ClientConfig::default();
    if legacy {
        info.protocol_version = ProtocolVersion::V_2025_11_25;
    }
    let peer = info.serve(transport).await.unwrap();
    let call = async |name: &'static str, arguments: Value| -> Value {
        let arguments = arguments.as_object().unwrap().clone();
        let result = peer.call_tool(CallToolRequestParams::new(name).with_arguments(arguments)).await.unwrap();
        result.structured_content.unwrap()
    };
    let tools = peer.list_all_tools().await.unwrap();
    assert!(tools.iter().all(|tool| tool.title.is_some() && tool.output_schema.is_some()));
    let created =
        call("create_trip", json!({"sourceUrl": "https://www.komoot.com/tour/7", "title": format!("{legacy}")})).await;
    let id = created["id"].clone();
    let mut trip = call("get_trip", json!({"id": id})).await;
    while trip["partial"] == true {
        pause(Duration::from_millis(50)).await;
        trip = call("get_trip", json!({"id": id})).await;
    }
    let stage = call("get_stage", json!({"tripId": id, "stageId": trip["stages"][0]["stageId"]})).await;
    assert_eq!(stage["dayNumber"], 1);
    let asked = call("delete_trip", json!({"id": id})).await;
    call("delete_trip", json!({"id": id, "confirmationToken": asked["confirmationToken"]})).await;
    assert_eq!(call("list_trips", json!({})).await["totalItems"], 0);
    peer.cancel().await.unwrap();
}
