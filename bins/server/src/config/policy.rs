//! What the operator decides about OAuth.

use btp_oauth::Policy;

use super::ConfigError;

/// The decisions among the settings that `get` finds.
pub(super) fn from_settings<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Result<Policy, ConfigError> {
    let switch = |name| switch(get(name), name);
    Ok(Policy {
        localhost_redirects: switch("OAUTH_ALLOW_LOCALHOST_REDIRECTS")?,
        resource_aliases: switch("OAUTH_RESOURCE_ALIASES")?,
        ..Policy::default()
    })
}

/// A switch, off unless it says otherwise.
fn switch(value: Option<&str>, name: &str) -> Result<bool, ConfigError> {
    match value {
        None | Some("off" | "false" | "0") => Ok(false),
        Some("on" | "true" | "1") => Ok(true),
        Some(_) => Err(ConfigError::new(name, "write on or off")),
    }
}
