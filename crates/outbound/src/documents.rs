//! What OAuth clients publish about themselves, fetched from wherever a stranger says.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use btp_oauth::document::{ClientDocuments, DOCUMENT_MAX, Fetched, NoDocument};
use reqwest::{
    StatusCode,
    header::{AGE, CACHE_CONTROL, HeaderMap, HeaderName},
};
use tokio::{
    sync::Semaphore,
    time::{Instant, timeout_at},
};
use url::Url;

use crate::{BuildError, FetchError, Lookup, Patience, PublicClient, Reply, Request};

/// One attempt: whoever waits is a person in front of a browser.
const PATIENCE: Patience = Patience { total: Duration::from_secs(5), retries: 0, pause: Duration::ZERO };

/// Fetches under way at the same time, in this process.
const AT_ONCE: usize = 8;

/// Fetches client documents through the guarded client: https by name only, public addresses only, no redirect, no proxy,
/// no cookie, 64 KiB, five seconds from the first look-up to the last byte.
pub struct Documents {
    client: PublicClient,
    patience: Patience,
    turns: Semaphore,
}

impl Documents {
    /// A fetcher that resolves names as the system does.
    ///
    /// # Errors
    /// As [`PublicClient::new`].
    pub fn new(user_agent: &str) -> Result<Self, BuildError> {
        Ok(Self::over(PublicClient::new(user_agent, PATIENCE)?, PATIENCE))
    }

    /// A fetcher that resolves names by `lookup`, whose answers are judged all the same.
    ///
    /// # Errors
    /// As [`PublicClient::new`].
    pub fn with_lookup(user_agent: &str, lookup: Arc<dyn Lookup>) -> Result<Self, BuildError> {
        Ok(Self::over(PublicClient::with_lookup(user_agent, PATIENCE, lookup)?, PATIENCE))
    }

    fn over(client: PublicClient, patience: Patience) -> Self {
        Self { client, patience, turns: Semaphore::new(AT_ONCE) }
    }

    async fn get(&self, address: &Url) -> Result<Reply, FetchError> {
        let until = Instant::now() + self.patience.total;
        let Ok(Ok(_turn)) = timeout_at(until, self.turns.acquire()).await else { return Err(FetchError::Timeout) };
        // The type is not asked for: some hosts of documents call everything plain text.
        let request = Request { url: address.clone(), accept: "application/json", cap: DOCUMENT_MAX, until };
        self.client.get(&request, &[]).await
    }
}

#[async_trait]
impl ClientDocuments for Documents {
    async fn fetch(&self, address: &Url) -> Result<Fetched, NoDocument> {
        match self.get(address).await {
            Ok(Reply { headers, body, .. }) => Ok(Fetched {
                body,
                cache_control: joined(&headers, &CACHE_CONTROL),
                age: joined(&headers, &AGE).parse().unwrap_or(0),
            }),
            Err(FetchError::Status { status: StatusCode::NOT_FOUND | StatusCode::GONE, .. }) => {
                Err(NoDocument::Withdrawn)
            }
            Err(err) => Err(NoDocument::Failed(Box::new(err))),
        }
    }
}

fn joined(headers: &HeaderMap, name: &HeaderName) -> String {
    let values: Vec<_> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    values.join(", ")
}

#[cfg(test)]
mod stand_in;
#[cfg(test)]
mod tests;
