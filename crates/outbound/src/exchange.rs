//! One GET, whoever asks: redirects, retries, the deadline and the cap on the body.

use std::{error::Error, net::IpAddr, time::Duration};

use reqwest::{
    Client, Response, StatusCode,
    header::{ACCEPT, ACCEPT_ENCODING, HeaderMap, LOCATION, RETRY_AFTER},
};
use tokio::time::{Instant, sleep, timeout_at};
use url::Url;

use crate::{body, resolver::NotPublic};

const MAX_REDIRECTS: usize = 2;
/// The longest `Retry-After` that is waited for inside a call.
const SHORT_WAIT: Duration = Duration::from_secs(3);

/// What to ask for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The address.
    pub url: Url,
    /// `Accept`.
    pub accept: &'static str,
    /// Most bytes of the body, counted before and after decompression.
    pub cap: usize,
    /// When to give up, retries included.
    pub until: Instant,
}

/// How long and how often a client tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For one fetch, however many requests it takes.
    pub total: Duration,
    /// Further attempts after a transport error, a 5xx, or a 429 that says to come back within seconds.
    pub retries: u32,
    /// Before the first of them; doubled for the next.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { total: Duration::from_secs(15), retries: 2, pause: Duration::from_millis(300) }
    }
}

/// An answer with status 200.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Where it came from, after redirects.
    pub url: Url,
    /// Its headers.
    pub headers: HeaderMap,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

/// Why there is no answer. `Display` is fit for a log: no path, no query, nothing of a body.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The address, or one that its name leads to, may not be asked. Nothing was sent to it.
    #[error("the address may not be asked")]
    BlockedAddress,
    /// A redirect to a host that is not expected, or one too many. It was not followed.
    #[error("redirected to {}", .0.host_str().unwrap_or("an address without a host"))]
    RedirectedElsewhere(Box<Url>),
    /// Another status than 200.
    #[error("answered with status {status}")]
    Status {
        /// The status.
        status: StatusCode,
        /// `Retry-After`, when it was given in seconds.
        retry_after: Option<Duration>,
    },
    /// The body is larger than the cap.
    #[error("the body is too large")]
    TooLarge,
    /// The body is not packed as its head says, or in a way that was not asked for.
    #[error("the body cannot be unpacked")]
    Garbled,
    /// No complete answer by the deadline.
    #[error("no answer in time")]
    Timeout,
    /// No address, no connection, or one that broke.
    #[error("could not be reached")]
    Unreachable(#[source] reqwest::Error),
}

/// What sets the two clients apart.
pub(crate) trait Rules: Sync {
    /// Whether the address may be asked at all.
    fn may_ask(&self, url: &Url) -> bool;
    /// Whether a redirect to the address is followed.
    fn may_follow(&self, to: &Url) -> bool;
    /// Whether a connection to this peer is acceptable.
    fn accepts_peer(&self, peer: Option<IpAddr>) -> bool;
}

pub(crate) async fn get(
    http: &Client,
    rules: &impl Rules,
    request: &Request,
    patience: Patience,
) -> Result<Reply, FetchError> {
    let attempts = async {
        let mut pause = patience.pause;
        for _ in 0..patience.retries {
            match follow(http, rules, request).await {
                Err(err) if err.may_pass() => sleep(err.asked_wait().unwrap_or(pause)).await,
                done => return done,
            }
            pause *= 2;
        }
        follow(http, rules, request).await
    };
    timeout_at(request.until, attempts).await.unwrap_or(Err(FetchError::Timeout))
}

async fn follow(http: &Client, rules: &impl Rules, request: &Request) -> Result<Reply, FetchError> {
    let mut url = request.url.clone();
    for _ in 0..=MAX_REDIRECTS {
        if !rules.may_ask(&url) {
            return Err(FetchError::BlockedAddress);
        }
        let response =
            http.get(url.clone()).header(ACCEPT, request.accept).header(ACCEPT_ENCODING, body::ACCEPTED).send().await?;
        if !rules.accepts_peer(response.remote_addr().map(|peer| peer.ip())) {
            return Err(FetchError::BlockedAddress);
        }
        let Some(target) = redirect(&url, &response) else { return read(response, url, request.cap).await };
        if !rules.may_follow(&target) {
            return Err(FetchError::RedirectedElsewhere(Box::new(target)));
        }
        url = target;
    }
    Err(FetchError::RedirectedElsewhere(Box::new(url)))
}

fn redirect(from: &Url, response: &Response) -> Option<Url> {
    let location = response.headers().get(LOCATION).filter(|_| response.status().is_redirection())?;
    from.join(location.to_str().ok()?).ok()
}

async fn read(response: Response, url: Url, cap: usize) -> Result<Reply, FetchError> {
    if response.status() != StatusCode::OK {
        let seconds = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
        return Err(FetchError::Status { status: response.status(), retry_after: seconds.map(Duration::from_secs) });
    }
    let headers = response.headers().clone();
    Ok(Reply { url, headers, body: body::read(response, cap).await? })
}

impl FetchError {
    /// Whether another attempt may fare better.
    fn may_pass(&self) -> bool {
        match self {
            Self::Status { status, .. } => status.is_server_error() || self.asked_wait().is_some(),
            // Not the deadline, which ends all attempts, but a connection that took too long.
            Self::Timeout | Self::Unreachable(_) => true,
            Self::BlockedAddress | Self::RedirectedElsewhere(_) | Self::TooLarge | Self::Garbled => false,
        }
    }

    /// How long a busy server asked to wait, when that is short.
    fn asked_wait(&self) -> Option<Duration> {
        match self {
            Self::Status { status: StatusCode::TOO_MANY_REQUESTS, retry_after } => {
                retry_after.filter(|wait| *wait <= SHORT_WAIT)
            }
            _ => None,
        }
    }
}

impl From<reqwest::Error> for FetchError {
    fn from(err: reqwest::Error) -> Self {
        let blocked = std::iter::successors(err.source(), |err| (*err).source()).any(|err| err.is::<NotPublic>());
        match () {
            () if blocked => Self::BlockedAddress,
            () if err.is_timeout() => Self::Timeout,
            // The address holds share tokens: it must not reach a log.
            () => Self::Unreachable(err.without_url()),
        }
    }
}
