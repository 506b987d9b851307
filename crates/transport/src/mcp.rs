//! MCP endpoints (Streamable HTTP, revisions 2024-11-05 to 2026-07-28): one for each protected resource.
//!
//! Stateless in both eras: no sessions, no streams, one JSON body for one request.

mod batch;
mod cors;
mod error;
mod form;
mod gate;
mod handler;
mod message;

use std::{sync::Arc, time::Duration};

use axum::{
    extract::Request,
    response::Response,
    routing::{MethodRouter, any},
};
use bytes::Bytes;
use http::request::Parts;
use http_body_util::Full;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use tower::ServiceExt;

use self::handler::Handler;
use crate::{Resource, Services};

/// Longest body of a request, in bytes.
const BODY: usize = 64 * 1024;
/// Longest time for a request, calls of tools included.
const PATIENCE: Duration = Duration::from_secs(30);

/// One endpoint: its resource and rmcp's service in front of its tools.
struct Endpoint {
    services: Services,
    index: usize,
    /// Address of the resource: what tokens for it are issued to.
    address: String,
    /// Where clients find out how to get a token (RFC 9728).
    metadata: String,
    service: StreamableHttpService<Handler, NeverSessionManager>,
}

/// The endpoint of the resource with this index.
pub(crate) fn endpoint(services: &Services, index: usize) -> MethodRouter<Services> {
    let (resource, issuer) = (&services.resources[index], services.authorization.issuer());
    let handler = Handler::new(services.clone(), index);
    // Host, Origin, Accept and body size are judged by the gate, before rmcp sees the request.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(BODY)
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let endpoint = Arc::new(Endpoint {
        address: resource.protected.address(issuer),
        metadata: resource.protected.metadata_address(issuer),
        service: StreamableHttpService::new(move || Ok(handler.clone()), Arc::default(), config),
        services: services.clone(),
        index,
    });
    any(move |request: Request| gate::pass(endpoint, request))
}

impl Endpoint {
    fn resource(&self) -> &Resource {
        &self.services.resources[self.index]
    }

    /// One message through rmcp.
    async fn answer(&self, parts: Parts, body: Bytes) -> Response {
        let request = http::Request::from_parts(parts, Full::new(body));
        let Ok(response) = self.service.clone().oneshot(request).await;
        response.map(axum::body::Body::new)
    }
}

/// Everything that is read of headers before the body.
#[cfg(fuzzing)]
pub(crate) fn read_headers(headers: &http::HeaderMap) {
    let _ = (gate::bearer(headers), form::is_json(headers), form::wants_events(headers));
}
