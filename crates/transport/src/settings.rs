//! Addresses and whom to trust.

use http::{HeaderMap, HeaderValue, Uri, header};
use ipnet::IpNet;
use url::{Origin, Url};

/// What the operator decided about addresses.
#[derive(Clone, Debug)]
pub struct Settings {
    base: String,
    url: Url,
    origins: Vec<Origin>,
    trusted_proxies: Vec<IpNet>,
}

/// Where a request says it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// No `Origin` header, or a hidden one of our own page: not a browser, or not across sites.
    Unsaid,
    /// From an origin that may call us.
    Friendly(HeaderValue),
    /// From anywhere else.
    Foreign,
}

impl Settings {
    /// `base` is `DEFAULT_URI`, the start of every address that is printed. `allowed_origins` are origins of browsers
    /// that may call the MCP endpoints beside our own; `trusted_proxies` those whose `X-Forwarded-For` is believed.
    ///
    /// # Errors
    /// `base` or an origin is not an address.
    pub fn new(base: &str, allowed_origins: &[String], trusted_proxies: Vec<IpNet>) -> Result<Self, url::ParseError> {
        let url = Url::parse(base)?;
        let origins = allowed_origins
            .iter()
            .map(|origin| Url::parse(origin).map(|url| url.origin()))
            .collect::<Result<_, _>>()?;
        Ok(Self { base: base.trim_end_matches('/').to_owned(), url, origins, trusted_proxies })
    }

    /// `DEFAULT_URI` without trailing slash.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Whether people reach us by https, so that cookies are `Secure`.
    pub fn is_https(&self) -> bool {
        self.url.scheme() == "https"
    }

    pub(crate) fn trusts(&self, address: std::net::IpAddr) -> bool {
        self.trusted_proxies.iter().any(|net| net.contains(&address))
    }

    /// Whether the request is for our host: `Host` or the address asked for (RFC 9112 §3.2.2; HTTP/2 `:authority`) names
    /// it, with our port or none, and neither names another.
    pub(crate) fn is_our_host(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let asked = uri.authority().map(http::uri::Authority::as_str);
        let hosts = headers.get_all(header::HOST).iter().map(|host| host.to_str().unwrap_or_default());
        let mut named = hosts.chain(asked).peekable();
        headers.get_all(header::HOST).iter().count() <= 1
            && named.peek().is_some()
            && named.all(|said| self.is_our_authority(said))
    }

    fn is_our_authority(&self, said: &str) -> bool {
        let Ok(said) = said.parse::<http::uri::Authority>() else { return false };
        let ours = self.url.host_str().unwrap_or_default();
        let port = said.port().map(|port| port.as_u16());
        !said.as_str().contains('@')
            && said.host().eq_ignore_ascii_case(ours)
            && (port.is_none() && !said.as_str().ends_with(':') || port == self.url.port_or_known_default())
    }

    /// Where the request comes from, judged by our own origin alone or also by those that may call the MCP endpoints.
    pub(crate) fn came(&self, headers: &HeaderMap, others: bool) -> Came {
        let mut named = headers.get_all(header::ORIGIN).iter();
        let said = match (named.next(), named.next()) {
            (None, _) => return Came::Unsaid,
            (Some(origin), None) => origin,
            _ => return Came::Foreign,
        };
        // Pages that send no referrer have browsers hide their origin too, and say in another way that it is the same.
        let same_site = headers.get("sec-fetch-site").is_some_and(|site| site == "same-origin");
        if said == "null" && same_site {
            return Came::Unsaid;
        }
        let origin = said.to_str().ok().and_then(|text| Url::parse(text).ok()).map(|url| url.origin());
        match origin {
            Some(origin) if origin == self.url.origin() || (others && self.origins.contains(&origin)) => {
                Came::Friendly(said.clone())
            }
            _ => Came::Foreign,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(base: &str) -> Settings {
        Settings::new(base, &["https://app.example.org".to_owned()], Vec::new()).unwrap()
    }

    fn ours(base: &str, host: &str) -> bool {
        let headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_str(host).unwrap())]);
        settings(base).is_our_host(&Uri::from_static("/mcp"), &headers)
    }

    #[test]
    fn our_host_with_our_port_or_none() {
        for host in ["www.example.org", "WWW.example.org", "www.example.org:443"] {
            assert!(ours("https://www.example.org", host), "{host}");
        }
        for host in [
            "example.org",
            "www.example.org.",
            "www.example.org:80",
            "www.example.org:",
            "a@www.example.org",
            "10.0.0.1",
            "",
        ] {
            assert!(!ours("https://www.example.org", host), "{host}");
        }
        assert!(ours("http://127.0.0.1:8080", "127.0.0.1:8080"));
        assert!(ours("http://[::1]:8080", "[::1]:8080"));
        assert!(!ours("http://127.0.0.1:8080", "localhost:8080"));
        assert!(!ours("http://127.0.0.1:8080", "127.0.0.1:80"));
    }

    #[test]
    fn http_2_names_the_host_in_the_address() {
        let uri = Uri::from_static("https://www.example.org/mcp");
        assert!(settings("https://www.example.org").is_our_host(&uri, &HeaderMap::new()));
        assert!(!settings("https://example.org").is_our_host(&uri, &HeaderMap::new()));
    }

    #[test]
    fn neither_the_header_nor_the_address_may_name_another_host() {
        let ours = settings("https://www.example.org");
        for (address, hosts, expected) in [
            ("https://www.example.org/mcp", &["www.example.org"][..], true),
            ("https://evil.example/mcp", &["www.example.org"], false),
            ("https://www.example.org/mcp", &["evil.example"], false),
            ("/mcp", &["www.example.org", "www.example.org"], false),
            ("/mcp", &[], false),
        ] {
            let hosts = hosts.iter().map(|host| (header::HOST, HeaderValue::from_static(host))).collect();
            assert_eq!(ours.is_our_host(&Uri::from_static(address), &hosts), expected, "{address} {hosts:?}");
        }
    }

    #[test]
    fn origins_are_compared_whole() {
        let came = |origin: &'static str, others| {
            let headers = HeaderMap::from_iter([(header::ORIGIN, HeaderValue::from_static(origin))]);
            settings("https://www.example.org").came(&headers, others)
        };
        let friendly = |origin| Came::Friendly(HeaderValue::from_static(origin));
        assert_eq!(came("https://www.example.org", false), friendly("https://www.example.org"));
        assert_eq!(came("https://www.example.org:443", false), friendly("https://www.example.org:443"));
        assert_eq!(came("https://app.example.org", true), friendly("https://app.example.org"));
        assert_eq!(came("https://app.example.org", false), Came::Foreign);
        for origin in [
            "null",
            "http://www.example.org",
            "https://www.example.org:8443",
            "https://www.example.org.evil.org",
            "junk",
        ] {
            assert_eq!(came(origin, true), Came::Foreign, "{origin}");
        }
        assert_eq!(settings("https://www.example.org").came(&HeaderMap::new(), true), Came::Unsaid);
        for (site, expected) in
            [("same-origin", Came::Unsaid), ("same-site", Came::Foreign), ("cross-site", Came::Foreign)]
        {
            let site = HeaderValue::from_static(site);
            let null = HeaderValue::from_static("null");
            let headers = [(header::ORIGIN, null), ("sec-fetch-site".parse().unwrap(), site)];
            assert_eq!(settings("https://www.example.org").came(&HeaderMap::from_iter(headers), false), expected);
        }
    }
}
