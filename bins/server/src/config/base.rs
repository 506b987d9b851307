//! The public base address.

use std::net::SocketAddr;

use btp_oauth::Issuer;

use super::ConfigError;

/// The base address from `DEFAULT_URI`, else `DOMAIN`, else the address listened on.
pub(super) fn from_settings(
    default_uri: Option<&str>,
    domain: Option<&str>,
    listen: SocketAddr,
    tls: bool,
) -> Result<Issuer, ConfigError> {
    let parse = |setting: &str, text: &str| {
        Issuer::parse(text).map_err(|problem| ConfigError::new(setting, format!("{text} will not do: {problem}")))
    };
    match (default_uri, domain) {
        (Some(base), _) => parse("DEFAULT_URI", base),
        (None, Some(domain)) if domain.contains('/') => Err(ConfigError::new(
            "DOMAIN",
            "write a host name alone, for example trips.example.org; DEFAULT_URI takes an address",
        )),
        (None, Some(domain)) => parse("DOMAIN", &format!("https://{domain}")),
        (None, None) if listen.ip().is_loopback() => {
            parse("LISTEN", &format!("{}://{listen}", if tls { "https" } else { "http" }))
        }
        (None, None) => Err(ConfigError::new(
            "DEFAULT_URI",
            "set it to the public https address when LISTEN is not a loopback address",
        )),
    }
}
