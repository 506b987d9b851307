//! Addresses and whom to trust.

use ipnet::IpNet;
use url::Url;

/// What the operator decided about addresses.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `DEFAULT_URI` without trailing slash: start of every address that is printed.
    pub base: String,
    /// Origins of browsers that may call the MCP endpoints, beside our own.
    pub allowed_origins: Vec<String>,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
}

impl Settings {
    /// Whether people reach us by https, so that cookies are `Secure`.
    pub fn is_https(&self) -> bool {
        self.base.starts_with("https://")
    }

    /// Host and port of the base address, the port only when it is not the scheme's own.
    pub fn authority(&self) -> String {
        let Ok(url) = Url::parse(&self.base) else { return String::new() };
        let host = url.host_str().unwrap_or_default();
        url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }
}
