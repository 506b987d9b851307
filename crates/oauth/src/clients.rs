//! The clients an operator makes.

use std::{ops::RangeInclusive, sync::Arc};

use btp_kernel::{ClientId, Clock, Entropy, entropy::hex, text};

use crate::{
    audit::{self, Subject},
    presets::Preset,
    redirect::{self, RedirectError},
    store::{Client, GrantStore, GrantStoreError},
};

/// How many characters a name has.
const NAME: RangeInclusive<usize> = 1..=128;
/// How many redirect addresses a client has.
pub(crate) const REDIRECTS: RangeInclusive<usize> = 1..=10;

/// Adds, lists, disables and enables clients. Cheap to clone.
#[derive(Clone)]
pub struct Clients {
    store: Arc<dyn GrantStore>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

/// Why a client was not added.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The id has another form.
    #[error("a client id has 1 to 64 letters, digits or -._~ and is no UUID")]
    Id,
    /// Someone has the id.
    #[error("a client with this id exists already")]
    Taken,
    /// The operator disabled it.
    #[error("the client {0} is disabled; `client enable {0}` brings it back")]
    Disabled(ClientId),
    /// Nothing of the name can be seen, or it is too long.
    #[error("a client name has 1 to 128 characters that can be seen")]
    Name,
    /// None, or too many.
    #[error("a client has 1 to 10 redirect addresses")]
    Redirects,
    /// One of them may not be registered.
    #[error(transparent)]
    Redirect(#[from] RedirectError),
    /// Storage refused.
    #[error(transparent)]
    Store(#[from] GrantStoreError),
}

impl Clients {
    /// Over this store.
    pub fn new(store: Arc<dyn GrantStore>, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Self {
        Self { store, clock, entropy }
    }

    /// Adds a public client; without `id` it gets one.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn add(&self, id: Option<&str>, name: &str, redirect_uris: Vec<String>) -> Result<Client, ClientError> {
        let name = shown(name).ok_or(ClientError::Name)?;
        if !REDIRECTS.contains(&redirect_uris.len()) {
            return Err(ClientError::Redirects);
        }
        redirect_uris.iter().try_for_each(|address| redirect::check_registered(address))?;
        let id = id.map_or_else(|| self.new_id(), str::to_owned);
        if !is_legal_id(&id) {
            return Err(ClientError::Id);
        }
        if self.store.client(&id.as_str().into()).await?.is_some() {
            return Err(ClientError::Taken);
        }
        self.put(id, name, redirect_uris).await
    }

    /// Adds a client that is known by name, or brings it up to date.
    ///
    /// # Errors
    /// It is disabled; storage's.
    pub async fn add_preset(&self, preset: &Preset) -> Result<Client, ClientError> {
        let known = self.store.client(&preset.id.into()).await?;
        if let Some(disabled) = known.filter(|client| client.disabled) {
            return Err(ClientError::Disabled(disabled.id));
        }
        let redirect_uris = preset.redirect_uris.iter().map(|&uri| uri.to_owned()).collect();
        self.put(preset.id.to_owned(), preset.title.to_owned(), redirect_uris).await
    }

    async fn put(&self, id: String, name: String, redirect_uris: Vec<String>) -> Result<Client, ClientError> {
        let (disabled, created_at) = (false, self.clock.now());
        let client = Client { id: id.into(), name, redirect_uris, disabled, created_at, document: None };
        self.store.put_client(&client).await?;
        Ok(client)
    }

    /// Every client, by id.
    ///
    /// # Errors
    /// Storage's.
    pub async fn list(&self) -> Result<Vec<Client>, GrantStoreError> {
        self.store.clients().await
    }

    /// Disables a client and ends everything it was granted. Whether there was one.
    ///
    /// # Errors
    /// Storage's.
    pub async fn disable(&self, id: &str) -> Result<bool, GrantStoreError> {
        let id = ClientId::from(id);
        let known = self.store.disable_client(&id, self.clock.now()).await?;
        if known {
            audit::done("client_disabled", Subject { client: Some(&id), ..Subject::default() });
        }
        Ok(known)
    }

    /// Enables a client again. What it was granted stays ended: people authorize it anew. Whether there was one.
    ///
    /// # Errors
    /// Storage's.
    pub async fn enable(&self, id: &str) -> Result<bool, GrantStoreError> {
        let id = ClientId::from(id);
        let known = self.store.enable_client(&id).await?;
        if known {
            audit::done("client_enabled", Subject { client: Some(&id), ..Subject::default() });
        }
        Ok(known)
    }

    fn new_id(&self) -> String {
        let mut bytes = [0; 8];
        self.entropy.fill(&mut bytes);
        format!("client-{}", hex(&bytes))
    }
}

/// The name as people are shown it; `None` when nothing is left of it, or it is too long.
pub(crate) fn shown(name: &str) -> Option<String> {
    let name = name.trim();
    if !NAME.contains(&name.chars().count()) {
        return None;
    }
    let name: String = text::clean(name).chars().filter(|c| !is_invisible(*c)).collect();
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// Characters that take no room, by which two names look like one.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Text that is neither an address (those name metadata documents) nor could be the id of a person.
fn is_legal_id(id: &str) -> bool {
    let plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte));
    let uuid = id.len() == 36 && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    plain && !uuid && (1..=64).contains(&id.len())
}
