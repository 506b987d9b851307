//! A service as this server reaches it.

use std::num::NonZeroU32;

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::{Miss, Service};
use crate::{BuildError, FetchError, InternalClient, Patience, PublicClient, Reply, Request};

/// Requests a second to a public service, over all trips; as many again may come at once.
const PACE: NonZeroU32 = NonZeroU32::new(5).expect("not zero");

pub(super) struct Site {
    service: Service,
    via: Via,
}

enum Via {
    Public { client: PublicClient, pace: Box<DefaultDirectRateLimiter> },
    Internal(InternalClient),
    Disabled,
}

/// What is asked of a site.
pub(super) struct Ask<'a> {
    /// Segments of the path, below the site's base address.
    pub(super) path: &'a [&'a str],
    /// Query parameters; those without a value are left out.
    pub(super) query: &'a [(&'a str, Option<&'a str>)],
    pub(super) accept: &'static str,
    pub(super) cap: usize,
    pub(super) until: Instant,
}

impl Site {
    pub(super) fn public(service: Service, client: PublicClient) -> Self {
        let pace = Box::new(RateLimiter::direct(Quota::per_second(PACE)));
        Self { service, via: Via::Public { client, pace } }
    }

    pub(super) fn internal(service: Service, agent: &str, patience: Patience, base: Url) -> Result<Self, BuildError> {
        Ok(Self { service, via: Via::Internal(InternalClient::new(agent, patience, base)?) })
    }

    pub(super) fn disabled(service: Service) -> Self {
        Self { service, via: Via::Disabled }
    }

    pub(super) fn service(&self) -> Service {
        self.service
    }

    /// The host that is asked, for the log.
    pub(super) fn host(&self) -> &str {
        match &self.via {
            Via::Internal(client) => client.base().host_str().unwrap_or_default(),
            _ => self.service.host(),
        }
    }

    pub(super) async fn get(&self, ask: Ask<'_>) -> Result<Reply, Miss> {
        let Ask { path, query, accept, cap, until } = ask;
        let request = |url| Request { url: address(url, path, query), accept, cap, until };
        Ok(match &self.via {
            Via::Disabled => return Err(Miss::Disabled),
            Via::Internal(client) => client.get(&request(client.base().clone())).await?,
            Via::Public { client, pace } => {
                timeout_at(until, pace.until_ready()).await.map_err(|_| FetchError::Timeout)?;
                client.get(&request(self.service.address()), self.service.hosts()).await?
            }
        })
    }
}

fn address(mut url: Url, path: &[&str], query: &[(&str, Option<&str>)]) -> Url {
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(path);
    }
    let given = || query.iter().filter_map(|(name, value)| Some((name, (*value)?)));
    if given().next().is_some() {
        url.query_pairs_mut().extend_pairs(given());
    }
    url
}
