//! What a client says of itself, judged.

use std::collections::BTreeMap;

use serde::{Deserialize, de::IgnoredAny};

use super::ClientAddress;
use crate::{Issuer, Policy, clients, redirect};

/// A legal document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientDocument {
    /// The client's name, without what could mislead the eye.
    pub name: String,
    /// Where codes may be sent.
    pub redirect_uris: Vec<String>,
}

/// Why a document was refused. `Display` is fit for a log: it repeats nothing of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// Not a JSON object, or a member is missing, twice there, or of another type.
    #[error("the document is no JSON object of the known form (line {line}, column {column})")]
    Form {
        /// Line, from 1.
        line: usize,
        /// Column.
        column: usize,
    },
    /// It is the document of another client.
    #[error("the document has another client_id than its own address")]
    OtherClient,
    /// The name is empty or too long.
    #[error("the client_name has to have 1 to 128 characters")]
    Name,
    /// None, or too many.
    #[error("the document has to have 1 to 10 redirect_uris")]
    Redirects,
    /// Not where codes may be sent.
    #[error("redirect address {0} of the document may not be registered")]
    Redirect(usize),
    /// A secret that everyone can read.
    #[error("the document publishes a secret")]
    Secret,
    /// It can do nothing but authenticate, which we do not do.
    #[error("the client insists on a token_endpoint_auth_method other than none")]
    Authentication,
    /// It does not use codes.
    #[error("the grant_types of the document lack authorization_code")]
    GrantTypes,
}

/// The members that count. The rest is ignored: clients list grants and formats that we do not have, and nothing that is
/// merely for show, such as a logo, is fetched or shown.
#[derive(Deserialize)]
struct Published {
    client_id: String,
    client_name: String,
    redirect_uris: Vec<String>,
    token_endpoint_auth_method: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    grant_types: Option<Vec<String>>,
    client_secret: Option<IgnoredAny>,
    client_secret_expires_at: Option<IgnoredAny>,
    jwks: Option<KeySet>,
}

#[derive(Deserialize)]
struct KeySet {
    #[serde(default)]
    keys: Vec<BTreeMap<String, IgnoredAny>>,
}

/// Members of a key that nobody publishes (RFC 7518 §6).
const PRIVATE: [&str; 8] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

impl ClientDocument {
    /// Judges the `body` found at `address`.
    ///
    /// # Errors
    /// See [`DocumentError`].
    pub fn parse(body: &[u8], address: &ClientAddress, issuer: &Issuer, policy: Policy) -> Result<Self, DocumentError> {
        // An array would be read member by member.
        if body.trim_ascii_start().first() != Some(&b'{') {
            return Err(DocumentError::Form { line: 1, column: 0 });
        }
        let published: Published = serde_json::from_slice(body)
            .map_err(|err| DocumentError::Form { line: err.line(), column: err.column() })?;
        if published.client_id != address.url().as_str() {
            return Err(DocumentError::OtherClient);
        }
        if published.publishes_a_secret() {
            return Err(DocumentError::Secret);
        }
        if !published.can_do_without_authentication() {
            return Err(DocumentError::Authentication);
        }
        if published.grant_types.is_some_and(|types| !types.iter().any(|name| name == "authorization_code")) {
            return Err(DocumentError::GrantTypes);
        }
        let name = clients::shown(&published.client_name).ok_or(DocumentError::Name)?;
        let redirect_uris = published.redirect_uris;
        if !clients::REDIRECTS.contains(&redirect_uris.len()) {
            return Err(DocumentError::Redirects);
        }
        match redirect_uris.iter().position(|uri| !redirect::may_be_published(uri, issuer, policy)) {
            Some(index) => Err(DocumentError::Redirect(index + 1)),
            None => Ok(Self { name, redirect_uris }),
        }
    }
}

impl Published {
    fn publishes_a_secret(&self) -> bool {
        let mut keys = self.jwks.iter().flat_map(|set| &set.keys);
        self.client_secret.is_some()
            || self.client_secret_expires_at.is_some()
            || self.methods().any(|method| method.starts_with("client_secret"))
            || keys.any(|key| PRIVATE.iter().any(|name| key.contains_key(*name)))
    }

    /// All clients are public here. One that prefers a key and can do without is taken at its word.
    fn can_do_without_authentication(&self) -> bool {
        self.token_endpoint_auth_method.is_none() || self.methods().any(|method| method == "none")
    }

    fn methods(&self) -> impl Iterator<Item = &str> {
        let supported = self.token_endpoint_auth_methods_supported.iter().flatten();
        self.token_endpoint_auth_method.iter().chain(supported).map(String::as_str)
    }
}
