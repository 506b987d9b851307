//! Client documents in memory.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use async_trait::async_trait;
use btp_oauth::document::{ClientDocuments, Fetched, NoDocument};
use tokio::sync::watch;
use url::Url;

/// What clients publish, by address. An address without a document is withdrawn.
pub struct MemoryDocuments {
    state: Mutex<State>,
    answers: watch::Sender<bool>,
}

#[derive(Default)]
struct State {
    published: HashMap<String, Option<Fetched>>,
    asked: Vec<String>,
}

impl Default for MemoryDocuments {
    fn default() -> Self {
        Self { state: Mutex::default(), answers: watch::Sender::new(true) }
    }
}

impl MemoryDocuments {
    /// Publishes `body`, with its `Cache-Control`.
    pub fn publish(&self, address: &str, body: impl Into<Vec<u8>>, cache_control: &str) {
        let document = Fetched { body: body.into(), cache_control: cache_control.to_owned(), age: 0 };
        self.with(|state| state.published.insert(address.to_owned(), Some(document)));
    }

    /// Lets fetches of the address fail.
    pub fn break_off(&self, address: &str) {
        self.with(|state| state.published.insert(address.to_owned(), None));
    }

    /// Takes the document away.
    pub fn withdraw(&self, address: &str) {
        self.with(|state| state.published.remove(address));
    }

    /// Whether fetches are answered, or wait.
    pub fn answer(&self, now: bool) {
        self.answers.send_replace(now);
    }

    /// The addresses that were asked for, in order, since the last look.
    pub fn asked(&self) -> Vec<String> {
        self.with(|state| std::mem::take(&mut state.asked))
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
impl ClientDocuments for MemoryDocuments {
    async fn fetch(&self, address: &Url) -> Result<Fetched, NoDocument> {
        let found = self.with(|state| {
            state.asked.push(address.as_str().to_owned());
            state.published.get(address.as_str()).cloned()
        });
        let _ = self.answers.subscribe().wait_for(|answers| *answers).await;
        match found {
            Some(Some(document)) => Ok(document),
            Some(None) => Err(NoDocument::Failed("the host does not answer".into())),
            None => Err(NoDocument::Withdrawn),
        }
    }
}
