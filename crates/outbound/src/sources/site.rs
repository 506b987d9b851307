//! A service as this server reaches it.

use std::{sync::Arc, time::Duration};

use btp_kernel::Clock;
use governor::{DefaultDirectRateLimiter, RateLimiter};
use reqwest::StatusCode;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, timeout_at},
};
use url::Url;

use super::{Miss, Service};
use crate::{
    BuildError, FetchError, InternalClient, Patience, PublicClient, Reply, Request,
    breaker::{Breaker, Health},
};

/// Requests to a public service at the same time.
const AT_ONCE: usize = 4;
/// A service that did not answer for so long had its chance; less may have been left of the time for the whole fetch.
const FAIR: Duration = Duration::from_secs(5);

pub(super) struct Site {
    service: Service,
    via: Via,
    breaker: Breaker,
}

enum Via {
    Public { client: PublicClient, pace: Box<Pace> },
    Internal(InternalClient),
    Disabled,
}

/// Keeps a public service from being asked too often.
struct Pace {
    rate: DefaultDirectRateLimiter,
    at_once: Semaphore,
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
    pub(super) fn public(service: Service, client: PublicClient, clock: Arc<dyn Clock>) -> Self {
        let rate = RateLimiter::direct(service.pace());
        let pace = Box::new(Pace { rate, at_once: Semaphore::new(AT_ONCE) });
        Self::via(service, Via::Public { client, pace }, clock)
    }

    pub(super) fn internal(
        service: Service,
        agent: &str,
        patience: Patience,
        base: Url,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, BuildError> {
        Ok(Self::via(service, Via::Internal(InternalClient::new(agent, patience, base)?), clock))
    }

    pub(super) fn disabled(service: Service, clock: Arc<dyn Clock>) -> Self {
        Self::via(service, Via::Disabled, clock)
    }

    fn via(service: Service, via: Via, clock: Arc<dyn Clock>) -> Self {
        Self { service, via, breaker: Breaker::new(clock) }
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

    pub(super) fn is_disabled(&self) -> bool {
        matches!(self.via, Via::Disabled)
    }

    pub(super) async fn get(&self, ask: Ask<'_>) -> Result<Reply, Miss> {
        self.breaker.admit()?;
        let Ask { path, query, accept, cap, until } = ask;
        let request = |url| Request { url: address(url, path, query), accept, cap, until };
        let (began, answer) = match &self.via {
            Via::Disabled => return Err(Miss::Disabled),
            Via::Internal(client) => (Instant::now(), client.get(&request(client.base().clone())).await),
            Via::Public { client, pace } => {
                let _turn = pace.turn(until).await?;
                (Instant::now(), client.get(&request(self.service.address()), self.service.hosts()).await)
            }
        };
        self.breaker.report(health(&answer, began.elapsed()));
        Ok(answer?)
    }
}

impl Pace {
    /// Waits for this request's turn; it lasts until the permit is dropped.
    async fn turn(&self, until: Instant) -> Result<SemaphorePermit<'_>, FetchError> {
        let turn = async {
            let permit = self.at_once.acquire().await;
            self.rate.until_ready().await;
            permit
        };
        timeout_at(until, turn).await.ok().and_then(Result::ok).ok_or(FetchError::Timeout)
    }
}

/// What an answer that took `span` says about the service.
fn health(answer: &Result<Reply, FetchError>, span: Duration) -> Health {
    match answer {
        Err(FetchError::Status { status: StatusCode::TOO_MANY_REQUESTS, retry_after }) => Health::Busy(*retry_after),
        Err(FetchError::Status { status, .. }) if status.is_server_error() => Health::Failing,
        Err(FetchError::Unreachable(_)) => Health::Failing,
        Err(FetchError::Timeout) if span >= FAIR => Health::Failing,
        Err(FetchError::Timeout | FetchError::BlockedAddress) => Health::Unknown,
        _ => Health::Well,
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
