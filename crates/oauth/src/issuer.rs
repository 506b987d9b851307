//! The base address of the server: OAuth issuer and start of every address it publishes.

use std::fmt;

use url::{Host, Url};

/// The base address, in the one spelling a browser would show: scheme, host, port when it is not the scheme's own, and
/// nothing after it. As issuer it is compared byte for byte (RFC 8414 §3.3, RFC 9207 §2.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer(String);

/// The text is no base address.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum IssuerError {
    /// Not an http(s) address with a host.
    #[error("it is not an address such as https://www.example.org")]
    NotAnAddress,
    /// Plain http beyond this machine.
    #[error("plain http is accepted for loopback hosts only")]
    Insecure,
    /// There is another spelling of it.
    #[error("it must be written as {0}, without path, query, user name, default port or upper-case letters")]
    Ambiguous(String),
}

impl Issuer {
    /// The base address `text`, which must be in its canonical spelling already.
    ///
    /// # Errors
    /// See [`IssuerError`].
    pub fn parse(text: &str) -> Result<Self, IssuerError> {
        let url = Url::parse(text).map_err(|_| IssuerError::NotAnAddress)?;
        let loopback = match url.host() {
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost",
            None => return Err(IssuerError::NotAnAddress),
        };
        match url.scheme() {
            "https" => {}
            "http" if loopback => {}
            "http" => return Err(IssuerError::Insecure),
            _ => return Err(IssuerError::NotAnAddress),
        }
        let origin = url.origin().ascii_serialization();
        if origin == text { Ok(Self(origin)) } else { Err(IssuerError::Ambiguous(origin)) }
    }

    /// The address as text, without trailing slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `host`, a name in lower case or an address, is ours or below it.
    pub fn is_own_host(&self, host: &str) -> bool {
        let url = Url::parse(&self.0).ok();
        let ours = url.as_ref().and_then(Url::host_str).unwrap_or_default();
        host.strip_suffix(ours).is_some_and(|below| below.is_empty() || below.ends_with('.'))
    }

    /// The address of `path`, which begins with a slash.
    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }
}

impl fmt::Display for Issuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // oauth row: 3.4-2
    // attack: 93
    #[test]
    fn one_spelling_only() {
        for good in [
            "https://a.example",
            "https://a.example:8443",
            "http://127.0.0.1:8080",
            "http://[::1]",
            "http://localhost:1",
        ] {
            assert_eq!(Issuer::parse(good).map(|issuer| issuer.to_string()).as_deref(), Ok(good));
        }
        for ambiguous in [
            "https://a.example/",
            "https://A.example",
            "https://a.example:443",
            "https://u@a.example",
            "https://a.example/x",
            "https://a.example?",
        ] {
            assert!(matches!(Issuer::parse(ambiguous), Err(IssuerError::Ambiguous(_))), "{ambiguous}");
        }
        let issuer = Issuer::parse("https://a.example:8443").unwrap();
        for (host, own) in [("a.example", true), ("b.a.example", true), ("ba.example", false), ("example", false)] {
            assert_eq!(issuer.is_own_host(host), own, "{host}");
        }
        assert_eq!(Issuer::parse("http://a.example"), Err(IssuerError::Insecure));
        assert_eq!(Issuer::parse("ftp://a.example"), Err(IssuerError::NotAnAddress));
        assert_eq!(Issuer::parse("a.example"), Err(IssuerError::NotAnAddress));
    }
}
