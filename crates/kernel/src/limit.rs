//! The published rate limits, as a table, and the port that counts.

use async_trait::async_trait;

use crate::{BoxError, Timestamp};

/// One published limit: at most `count` in any `seconds`, per key.
#[derive(Debug, PartialEq, Eq)]
pub struct Limit {
    /// Its name; `LIMIT_<NAME>` in the environment overrides its figures.
    pub name: &'static str,
    /// How many are let through…
    pub count: u32,
    /// …in any window of this many seconds.
    pub seconds: u32,
    /// What is counted apart, in words for the manual.
    pub key: &'static str,
    /// What it applies to, in words for the manual.
    pub applies_to: &'static str,
}

macro_rules! limits {
    ($($(#[$doc:meta])* $const:ident = $name:literal, $count:literal / $seconds:literal, $key:literal, $applies:literal;)*) => {
        $($(#[$doc])* pub static $const: Limit =
            Limit { name: $name, count: $count, seconds: $seconds, key: $key, applies_to: $applies };)*
        /// Every limit, in the order of the reference.
        pub static ALL: &[&Limit] = &[$(&$const),*];
    };
}

limits! {
    /// Requests to an MCP endpoint.
    MCP_ENVELOPE = "mcp_envelope", 300 / 60, "client IP", "every HTTP request to an MCP endpoint, before authentication";
    /// Tool calls.
    MCP_TOOL_CALL = "mcp_tool_call", 60 / 60, "user + OAuth client", "every tool call (each message of a batch counts)";
    /// Calls of tools that write.
    MCP_MUTATION = "mcp_mutation", 20 / 60, "user + OAuth client", "calls of tools that write, on top of mcp_tool_call";
    /// New trips.
    TRIP_CREATE = "trip_create", 10 / 60, "user", "creating a trip (shared with the apps)";
    /// Place searches.
    GEOCODE = "geocode", 30 / 60, "user", "searching a place (shared with the apps)";
    /// Authorization requests.
    OAUTH_AUTHORIZE = "oauth_authorize", 30 / 300, "user", "/oauth/authorize";
    /// Token requests.
    OAUTH_TOKEN = "oauth_token", 60 / 60, "client IP", "/oauth/token";
    /// New client documents, by person.
    OAUTH_CLIENT_METADATA_USER = "oauth_client_metadata_user", 20 / 3600, "user", "resolving a new client document";
    /// New client documents, by host.
    OAUTH_CLIENT_METADATA_HOST = "oauth_client_metadata_host", 60 / 3600, "host of the client_id", "resolving a new client document";
    /// Mails with a link, by the address they go to.
    MAIL_ADDRESS = "mail_address", 3 / 900, "e-mail address", "mails with a link, whoever asks for them; links already sent stay usable";
    /// Mails with a link, by who asks for them.
    MAIL_IP = "mail_ip", 20 / 900, "client IP", "asking for a mail with a link: signing in, another e-mail address";
    /// Data exports.
    ACCOUNT_EXPORT = "account_export", 3 / 3600, "user", "exporting the account's data";
    /// Public trips.
    SHARED_TRIP = "shared_trip", 60 / 60, "client IP", "pages and files of shared trips";
}

/// A limit refused the request; nothing was counted.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the limit {limit} is used up: retry in {retry_after} seconds")]
pub struct Exceeded {
    /// Name of the limit that refused.
    pub limit: &'static str,
    /// Whole seconds, at least 1, after which one more is let through.
    pub retry_after: u64,
}

/// Why nothing was taken.
#[derive(Debug, thiserror::Error)]
pub enum LimitError {
    /// A limit refused.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// The counter itself failed.
    #[error("the rate limiter failed")]
    Failed(#[source] BoxError),
}

/// Counts calls in true sliding windows: in no window of `seconds` are more than `count` let through.
#[async_trait]
pub trait Limiter: Send + Sync {
    /// Takes one of each `(limit, key)`, or none: all or nothing.
    ///
    /// # Errors
    /// [`LimitError::Exceeded`] with the limit whose wait is longest; then nothing was counted.
    async fn take(&self, of: &[(&'static Limit, &str)], now: Timestamp) -> Result<(), LimitError>;
}
