//! The address of a client document.

use url::{Host, Url};

use crate::Issuer;

/// The longest address, in bytes.
const MAX: usize = 512;

/// Escapes that some servers read as a path of another shape.
const ESCAPED: [&str; 4] = ["%2e", "%2f", "%5c", "%00"];

/// A `client_id` that may be fetched: judged before any name is resolved or socket opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientAddress {
    url: Url,
    host: String,
}

/// Why a `client_id` names no document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Longer than 512 bytes.
    #[error("the client_id is too long")]
    TooLong,
    /// Not an address, or not spelt as a browser would: ids are compared byte for byte, so there is one spelling.
    #[error("the client_id is no address in canonical spelling")]
    Spelling,
    /// Not https.
    #[error("the client_id is no https address")]
    Scheme,
    /// It carries a user name.
    #[error("the client_id has credentials")]
    Credentials,
    /// It carries a fragment.
    #[error("the client_id has a fragment")]
    Fragment,
    /// It names a host and no document.
    #[error("the client_id has no path")]
    Path,
    /// Its path hides dots, slashes or U+0000.
    #[error("the path of the client_id has escaped dots or slashes")]
    Escaped,
    /// An IP address: a connection to one is made without asking the resolver, where the guard is.
    #[error("the host of the client_id is an IP address")]
    Literal,
    /// A name of one label, or with a trailing dot.
    #[error("the host of the client_id is no full name")]
    Name,
    /// We do not ask ourselves.
    #[error("the client_id is on this server's own host")]
    Own,
}

impl ClientAddress {
    /// Judges `id` for the server `issuer`.
    ///
    /// # Errors
    /// See [`AddressError`]; draft-02 §3 where it is stricter than the published rules.
    pub fn parse(id: &str, issuer: &Issuer) -> Result<Self, AddressError> {
        if id.len() > MAX {
            return Err(AddressError::TooLong);
        }
        // One comparison refuses dot segments, upper-case hosts, `:443`, IPv4 in numbers, tabs, backslashes, Unicode.
        let url = Url::parse(id).ok().filter(|url| url.as_str() == id).ok_or(AddressError::Spelling)?;
        if url.scheme() != "https" {
            return Err(AddressError::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::Credentials);
        }
        if url.fragment().is_some() {
            return Err(AddressError::Fragment);
        }
        if url.path() == "/" {
            return Err(AddressError::Path);
        }
        let path = url.path().to_ascii_lowercase();
        if ESCAPED.iter().any(|escaped| path.contains(escaped)) {
            return Err(AddressError::Escaped);
        }
        let Some(Host::Domain(host)) = url.host() else { return Err(AddressError::Literal) };
        if host.ends_with('.') || !host.contains('.') {
            return Err(AddressError::Name);
        }
        if issuer.is_own_host(host) {
            return Err(AddressError::Own);
        }
        let host = host.to_owned();
        Ok(Self { url, host })
    }

    /// The address.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Its host, without port.
    pub fn host(&self) -> &str {
        &self.host
    }
}
