//! The two clients. Which one asks is decided by a type, never by a flag.

use std::{net::IpAddr, sync::Arc, time::Duration};

use reqwest::{Client, ClientBuilder, redirect::Policy};
use url::{Host, Url};

use crate::{
    FetchError, Lookup, Patience, Reply, Request, SystemLookup, exchange,
    exchange::Rules,
    resolver::{CheckedResolver, Reach},
};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Asks the public Internet and nothing else, whatever a name, a redirect or the environment says. Cheap to clone.
#[derive(Clone)]
pub struct PublicClient {
    http: Client,
    patience: Patience,
    reach: Reach,
}

/// Asks one origin that the operator named, on whatever network it is. Cheap to clone.
#[derive(Clone)]
pub struct InternalClient {
    http: Client,
    patience: Patience,
    base: Url,
}

/// The client could not be built.
#[derive(Debug, thiserror::Error)]
#[error("no HTTP client: are the system's CA certificates (package ca-certificates) installed?")]
pub struct BuildError(#[source] reqwest::Error);

/// `BikeTripPlanner/1.0`, with the address of the instance behind it when that is a plain one, so that a source can tell
/// whom to talk to.
pub fn user_agent(instance: Option<&Url>) -> String {
    let address = instance
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none())
        .map(|url| url.origin().ascii_serialization())
        .map_or(String::new(), |origin| format!(" (+{origin})"));
    format!("BikeTripPlanner/1.0{address}")
}

impl PublicClient {
    /// A client that resolves names as the system does.
    ///
    /// # Errors
    /// [`BuildError`] when the machine has no CA certificates.
    pub fn new(user_agent: &str, patience: Patience) -> Result<Self, BuildError> {
        Self::with_lookup(user_agent, patience, Arc::new(SystemLookup))
    }

    /// A client that resolves names by `lookup`, whose answers are judged all the same.
    ///
    /// # Errors
    /// As [`PublicClient::new`].
    pub fn with_lookup(user_agent: &str, patience: Patience, lookup: Arc<dyn Lookup>) -> Result<Self, BuildError> {
        Self::build(builder(user_agent), patience, lookup, Reach::PUBLIC)
    }

    /// A client whose Internet is this machine: it trusts `root`, and takes loopback for public.
    #[cfg(test)]
    pub(crate) fn on_loopback(
        patience: Patience,
        lookup: Arc<dyn Lookup>,
        root: reqwest::Certificate,
        port: u16,
    ) -> Result<Self, BuildError> {
        let reach = Reach { accepts: |address| address.is_loopback(), port };
        Self::build(builder(&user_agent(None)).tls_certs_only([root]), patience, lookup, reach)
    }

    fn build(
        builder: ClientBuilder,
        patience: Patience,
        lookup: Arc<dyn Lookup>,
        reach: Reach,
    ) -> Result<Self, BuildError> {
        let http = builder.https_only(true).dns_resolver(CheckedResolver(lookup, reach)).build();
        Ok(Self { http: http.map_err(BuildError)?, patience, reach })
    }

    /// GET, following redirects to `hosts` only.
    ///
    /// # Errors
    /// [`FetchError`]; anything but status 200 is one.
    pub async fn get(&self, request: &Request, hosts: &[&str]) -> Result<Reply, FetchError> {
        exchange::get(&self.http, &PublicRules { hosts, reach: self.reach }, request, self.patience).await
    }
}

impl InternalClient {
    /// A client of the origin of `base`.
    ///
    /// # Errors
    /// [`BuildError`] when `base` is https and the machine has no CA certificates.
    pub fn new(user_agent: &str, patience: Patience, base: Url) -> Result<Self, BuildError> {
        let builder = match base.scheme() {
            "http" => builder(user_agent).tls_certs_only([]),
            _ => builder(user_agent),
        };
        Ok(Self { http: builder.build().map_err(BuildError)?, patience, base })
    }

    /// The address it was built for.
    pub fn base(&self) -> &Url {
        &self.base
    }

    /// GET, following redirects within the origin only.
    ///
    /// # Errors
    /// [`FetchError`]; anything but status 200 is one.
    pub async fn get(&self, request: &Request) -> Result<Reply, FetchError> {
        exchange::get(&self.http, &InternalRules { base: &self.base }, request, self.patience).await
    }
}

/// No redirect is followed, no proxy used and nothing unpacked behind our back: a proxy would resolve names where no guard
/// looks, and what unpacks itself is counted too late.
#[expect(clippy::disallowed_methods, reason = "the one place where HTTP clients are made")]
fn builder(user_agent: &str) -> ClientBuilder {
    Client::builder()
        .user_agent(user_agent)
        .redirect(Policy::none())
        .no_proxy()
        .no_gzip()
        .referer(false)
        .retry(reqwest::retry::never())
        .connect_timeout(CONNECT_TIMEOUT)
}

struct PublicRules<'a> {
    hosts: &'a [&'a str],
    reach: Reach,
}

impl Rules for PublicRules<'_> {
    /// A connection to an IP literal is made without asking the resolver, so literals never get that far.
    fn may_ask(&self, url: &Url) -> bool {
        url.scheme() == "https" && matches!(url.host(), Some(Host::Domain(_))) && url.username().is_empty()
    }

    fn may_follow(&self, to: &Url) -> bool {
        self.may_ask(to) && to.port().is_none() && to.host_str().is_some_and(|host| self.hosts.contains(&host))
    }

    fn accepts_peer(&self, peer: Option<IpAddr>) -> bool {
        peer.is_some_and(self.reach.accepts)
    }
}

struct InternalRules<'a> {
    base: &'a Url,
}

impl Rules for InternalRules<'_> {
    fn may_ask(&self, url: &Url) -> bool {
        matches!(url.scheme(), "http" | "https") && url.origin() == self.base.origin()
    }

    fn may_follow(&self, to: &Url) -> bool {
        self.may_ask(to)
    }

    fn accepts_peer(&self, _: Option<IpAddr>) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_of_the_public_client() {
        let rules = PublicRules { hosts: &["www.komoot.com"], reach: Reach::PUBLIC };
        let follows =
            |to: &str| rules.may_follow(&Url::parse("https://www.komoot.com/tour/1").unwrap().join(to).unwrap());
        for good in
            ["/fr-fr/tour/1", "//www.komoot.com/x", "https://WWW.KOMOOT.COM/tour/1", "https://www.komoot.com:443/"]
        {
            assert!(follows(good), "{good}");
        }
        for bad in [
            "http://www.komoot.com/tour/1",
            "https://www.komoot.com:8443/",
            "https://www.komoot.com./",
            "https://www.komoot.com@localhost/",
            "https://user@www.komoot.com/",
            "https://www.komoot.com.attacker.example/",
            "https://komoot.com/",
            "https://169.254.169.254/latest/meta-data",
            "https://2130706433/",
            "https://[::1]/",
            "file:///etc/passwd",
            "data:text/html,x",
        ] {
            assert!(!follows(bad), "{bad}");
        }
    }

    #[test]
    fn redirects_of_the_internal_client() {
        let base = Url::parse("http://10.0.0.5:8080/komoot").unwrap();
        let rules = InternalRules { base: &base };
        assert!(rules.may_follow(&base.join("/login").unwrap()));
        for bad in ["http://10.0.0.5/", "https://10.0.0.5:8080/", "http://10.0.0.6:8080/", "file:///etc/passwd"] {
            assert!(!rules.may_follow(&base.join(bad).unwrap()), "{bad}");
        }
    }

    #[test]
    fn the_peer_is_judged_too() {
        let rules = PublicRules { hosts: &[], reach: Reach::PUBLIC };
        assert!(rules.accepts_peer(Some([8, 8, 8, 8].into())));
        assert!(!rules.accepts_peer(Some([10, 0, 0, 5].into())));
        assert!(!rules.accepts_peer(None));
    }

    #[test]
    fn who_is_asking() {
        let agent = |instance: &str| user_agent(Url::parse(instance).ok().as_ref());
        assert_eq!(user_agent(None), "BikeTripPlanner/1.0");
        assert_eq!(agent("https://bike.example.org/"), "BikeTripPlanner/1.0 (+https://bike.example.org)");
        assert_eq!(agent("https://ann:secret@bike.example.org/"), "BikeTripPlanner/1.0");
    }
}
