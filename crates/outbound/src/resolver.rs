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

/// Refuses a name when any of its addresses is not public: a half-good answer is an attack or a mistake.
pub(crate) struct CheckedResolver(pub(crate) Arc<dyn Lookup>);

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let lookup = self.0.clone();
        Box::pin(async move {
            let addresses = lookup.lookup(name.as_str()).await?;
            if addresses.is_empty() {
                return Err(io::Error::from(io::ErrorKind::NotFound).into());
            }
            if !addresses.iter().copied().all(is_public) {
                return Err(NotPublic.into());
            }
            Ok(Box::new(addresses.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
        })
    }
}
