//! What a fuzz target reaches that nobody else needs to.

use std::net::IpAddr;

use http::{HeaderMap, Request, request::Parts};

use crate::{Settings, layer::ClientIp, mcp};

/// Reads the headers of a request from `peer` in every way the server does before it knows who asks.
pub fn headers(peer: IpAddr, headers: HeaderMap, settings: &Settings) {
    let (mut parts, ()): (Parts, ()) = Request::new(()).into_parts();
    parts.headers = headers;
    parts.extensions.insert(axum::extract::ConnectInfo(std::net::SocketAddr::new(peer, 1)));
    let ip = ClientIp::of(&parts, settings);
    assert!(ip.0.parse::<IpAddr>().is_ok() || ip.0.ends_with("::/64"), "an address or a network: {}", ip.0);
    mcp::read_headers(&parts.headers);
}
