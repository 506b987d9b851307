//! The address a request counts for.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv6Addr, SocketAddr},
};

use axum::extract::{ConnectInfo, FromRequestParts};
use http::{HeaderMap, request::Parts};

use crate::{Services, Settings};

/// The client's address as limits count it: an IPv4 address, or an IPv6 network of 64 bits, which is what one
/// customer has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClientIp(pub(crate) String);

impl ClientIp {
    /// The address of the peer; behind a trusted proxy, the last address in `X-Forwarded-For` that is no trusted proxy.
    pub(crate) fn of(parts: &Parts, settings: &Settings) -> Self {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        Self(peer.map_or_else(|| "unknown".to_owned(), |peer| network(client(peer, &parts.headers, settings))))
    }
}

impl FromRequestParts<Services> for ClientIp {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, services: &Services) -> Result<Self, Infallible> {
        Ok(Self::of(parts, &services.settings))
    }
}

fn client(peer: IpAddr, headers: &HeaderMap, settings: &Settings) -> IpAddr {
    let mut nearest = peer.to_canonical();
    let hops = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
    let hops: Vec<_> = hops.flat_map(|value| value.split(',')).collect();
    for hop in hops.into_iter().rev() {
        if !settings.trusts(nearest) {
            break;
        }
        // What cannot be read was not written by a proxy of ours: the one that passed it on is as far as we know.
        let Some(address) = address(hop.trim()) else { break };
        nearest = address;
    }
    nearest
}

/// An address with or without port.
fn address(hop: &str) -> Option<IpAddr> {
    let bare = || hop.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'))?.parse().ok();
    let address = hop.parse().ok().or_else(|| hop.parse::<SocketAddr>().ok().map(|socket| socket.ip())).or_else(bare);
    address.map(|address: IpAddr| address.to_canonical())
}

fn network(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{}/64", Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn seen(peer: &str, forwarded: &[&'static str]) -> String {
        let proxies = ["10.0.0.0/8", "2001:db8:ffff::/48"].iter().map(|net| net.parse().unwrap()).collect();
        let settings = Settings::new("https://www.example.org", &[], proxies).unwrap();
        let name = http::HeaderName::from_static("x-forwarded-for");
        let headers = forwarded.iter().map(|value| (name.clone(), HeaderValue::from_static(value))).collect();
        network(client(peer.parse().unwrap(), &headers, &settings))
    }

    // attack: 77
    #[test]
    fn only_trusted_proxies_are_believed() {
        for (peer, forwarded, expected) in [
            ("203.0.113.9", &[][..], "203.0.113.9"),
            ("203.0.113.9", &["198.51.100.1"], "203.0.113.9"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["1.1.1.1", "198.51.100.1, 10.2.2.2"], "198.51.100.1"),
            ("10.0.0.1", &["10.3.3.3, 10.2.2.2"], "10.3.3.3"),
            ("10.0.0.1", &["1.1.1.1, junk, 10.2.2.2"], "10.2.2.2"),
            ("10.0.0.1", &["198.51.100.1:4711"], "198.51.100.1"),
            ("10.0.0.1", &["[2001:db8::5]:80"], "2001:db8::/64"),
            ("10.0.0.1", &["[2001:db8::5]"], "2001:db8::/64"),
            ("::ffff:10.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            ("2001:db8:0:1:aaaa::1", &[], "2001:db8:0:1::/64"),
            ("2001:db8:ffff::1", &["::ffff:198.51.100.1"], "198.51.100.1"),
        ] {
            assert_eq!(seen(peer, forwarded), expected, "{peer} {forwarded:?}");
        }
    }
}
