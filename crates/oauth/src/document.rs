//! Client ID metadata documents (draft-ietf-oauth-client-id-metadata-document-02): a client names itself by the https
//! address of a document that says its name and where codes may be sent.
//!
//! Documents are fetched on the authorization endpoint only, for a signed-in person and within the limits; the token
//! endpoint lives on what is stored. What is judged here is pure and takes any input, for fuzzers as well.

mod address;
mod flights;
mod lifetime;
mod published;
mod resolve;

use async_trait::async_trait;
use btp_kernel::BoxError;
use url::Url;

pub use address::{AddressError, ClientAddress};
pub(crate) use flights::Flights;
pub use lifetime::lifetime;
pub use published::{ClientDocument, DocumentError};

/// The largest document that is read, in bytes.
pub const DOCUMENT_MAX: usize = 64 * 1024;

/// Fetches client documents. Whoever implements it opens no connection to an address that is not public, follows no
/// redirect, uses no proxy, sends no cookie, reads at most [`DOCUMENT_MAX`] bytes, and gives up after a few seconds.
#[async_trait]
pub trait ClientDocuments: Send + Sync {
    /// The document at `address`, as the only attempt.
    ///
    /// # Errors
    /// See [`NoDocument`].
    async fn fetch(&self, address: &Url) -> Result<Fetched, NoDocument>;
}

/// An answer with status 200.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fetched {
    /// The body.
    pub body: Vec<u8>,
    /// All of its `Cache-Control`, joined by commas; empty when there is none.
    pub cache_control: String,
    /// Its `Age` in seconds.
    pub age: u64,
}

/// Why there is no document. `Display` is fit for a log: it names no address.
#[derive(Debug, thiserror::Error)]
pub enum NoDocument {
    /// The client has withdrawn it: its host answered 404 or 410.
    #[error("the document is gone")]
    Withdrawn,
    /// Anything else: there may be one next time.
    #[error("the document could not be fetched")]
    Failed(#[source] BoxError),
}
