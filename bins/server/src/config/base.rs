//! The public base address.

use std::net::{IpAddr, SocketAddr};

use url::{Host, Url};

use super::ConfigError;

/// The base address from `DEFAULT_URI`, else `DOMAIN`, else the address listened on.
pub(super) fn from_settings(
    default_uri: Option<&str>,
    domain: Option<&str>,
    listen: SocketAddr,
    tls: bool,
) -> Result<String, ConfigError> {
    match (default_uri, domain) {
        (Some(base), _) => parse_base(base),
        (None, Some(domain)) => parse_base(&format!("https://{domain}"))
            .map_err(|_| ConfigError::new("DOMAIN", "write a host name such as www.example.org")),
        (None, None) if listen.ip().is_loopback() => Ok(format!("{}://{listen}", if tls { "https" } else { "http" })),
        (None, None) => Err(ConfigError::new("DEFAULT_URI", "set it to the public https address when LISTEN is not a loopback address")),
    }
}

/// A base address that leaves no room for two spellings: exactly the origin a browser would show.
///
/// # Errors
/// Not an http(s) address; plain http on a host that is not loopback; a path, trailing slash, query, fragment, user
/// name, default port or upper-case letter.
pub fn parse_base(text: &str) -> Result<String, ConfigError> {
    let problem = |what: &str| ConfigError::new("DEFAULT_URI", what);
    let url = Url::parse(text).map_err(|_| problem("write an address such as https://www.example.org"))?;
    let loopback = match url.host() {
        Some(Host::Ipv4(ip)) => IpAddr::from(ip).is_loopback(),
        Some(Host::Ipv6(ip)) => IpAddr::from(ip).is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => return Err(problem("write an address such as https://www.example.org")),
    };
    match url.scheme() {
        "https" => {}
        "http" if loopback => {}
        "http" => return Err(problem("use https: plain http is accepted for loopback hosts only")),
        _ => return Err(problem("begin it with https://")),
    }
    let origin = url.origin().ascii_serialization();
    if origin != text {
        return Err(problem(&format!("write it as {origin}: no path, trailing slash, query, user name or upper-case letters")));
    }
    Ok(origin)
}
