//! What an operator may decide differently.

use std::time::Duration;

/// The operator's choices; the default is as published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Whether a client document may name `http://localhost` addresses (`OAUTH_ALLOW_LOCALHOST_REDIRECTS`).
    pub localhost_redirects: bool,
    /// Whether a resource may also be named with a trailing slash, and the first one by our bare address
    /// (`OAUTH_RESOURCE_ALIASES`). Tokens carry the one canonical address all the same.
    pub resource_aliases: bool,
    /// How long a client that repeats a refresh gets the same answer (`OAUTH_REFRESH_GRACE_SECONDS`); zero for never.
    pub refresh_grace: Duration,
}

impl Default for Policy {
    fn default() -> Self {
        Self { localhost_redirects: false, resource_aliases: false, refresh_grace: Duration::from_secs(30) }
    }
}
