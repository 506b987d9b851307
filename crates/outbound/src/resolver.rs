//! The resolver of the public client: what it lets through is where the connection goes.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::is_public;

/// Turns a host name into addresses. Its answers are not trusted.
#[async_trait]
pub trait Lookup: Send + Sync {
    /// All addresses of `host`.
    ///
    /// # Errors
    /// When the name cannot be resolved.
    async fn lookup(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's resolver, the hosts file included.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemLookup;

#[async_trait]
impl Lookup for SystemLookup {
    async fn lookup(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        Ok(tokio::net::lookup_host((host, 0)).await?.map(|address| address.ip()).collect())
    }
}

/// The name leads to an address that is not public.
#[derive(Debug, thiserror::Error)]
#[error("the name leads to an address that is not public")]
pub(crate) struct NotPublic;

/// Where connections may go.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// Whether an address may be connected to.
    pub(crate) accepts: fn(IpAddr) -> bool,
    /// The port for addresses that name none; 0 for that of their scheme.
    pub(crate) port: u16,
}

impl Reach {
    /// The public Internet. Nothing else is ever built outside tests.
    pub(crate) const PUBLIC: Self = Self { accepts: is_public, port: 0 };
}

/// Refuses a name when any of its addresses is out of reach: a half-good answer is an attack or a mistake.
pub(crate) struct CheckedResolver(pub(crate) Arc<dyn Lookup>, pub(crate) Reach);

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (lookup, reach) = (self.0.clone(), self.1);
        Box::pin(async move {
            let addresses = lookup.lookup(name.as_str()).await?;
            if addresses.is_empty() {
                return Err(io::Error::from(io::ErrorKind::NotFound).into());
            }
            if !addresses.iter().copied().all(reach.accepts) {
                return Err(NotPublic.into());
            }
            Ok(Box::new(addresses.into_iter().map(move |address| SocketAddr::new(address, reach.port))) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Answers each question with the next of its answers.
    struct Rebinding(Mutex<Vec<IpAddr>>);

    #[async_trait]
    impl Lookup for Rebinding {
        async fn lookup(&self, _: &str) -> io::Result<Vec<IpAddr>> {
            Ok(self.0.lock().unwrap().pop().into_iter().collect())
        }
    }

    /// The connection goes to what this gives, so an answer that changes afterwards changes nothing; the next connection
    /// asks again and is judged again.
    #[tokio::test]
    async fn each_connection_is_judged_by_its_own_answer() {
        let answers = ["127.0.0.1", "8.8.8.8"].map(|address| address.parse().unwrap());
        let resolver = CheckedResolver(Arc::new(Rebinding(Mutex::new(answers.into()))), Reach::PUBLIC);
        let resolve = || resolver.resolve("rebind.example".parse().unwrap());
        let first: Vec<_> = resolve().await.unwrap().collect();
        assert_eq!(first, ["8.8.8.8:0".parse().unwrap()]);
        assert!(resolve().await.err().unwrap().is::<NotPublic>());
    }
}
