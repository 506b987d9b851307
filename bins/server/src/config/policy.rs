//! What the operator decides about OAuth.

use std::time::Duration;

use btp_oauth::{Policy, store::KEPT_FOR};

use super::ConfigError;

/// The decisions among the settings that `get` finds.
pub(super) fn from_settings<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Result<Policy, ConfigError> {
    let switch = |name| switch(get(name), name);
    Ok(Policy {
        localhost_redirects: switch("OAUTH_ALLOW_LOCALHOST_REDIRECTS")?,
        resource_aliases: switch("OAUTH_RESOURCE_ALIASES")?,
        refresh_grace: grace(get("OAUTH_REFRESH_GRACE_SECONDS"))?,
    })
}

/// Seconds, at most as long as an answer is kept.
fn grace(value: Option<&str>) -> Result<Duration, ConfigError> {
    let Some(text) = value else { return Ok(Policy::default().refresh_grace) };
    let grace = text.parse().ok().map(Duration::from_secs).filter(|grace| *grace <= KEPT_FOR);
    grace.ok_or_else(|| {
        let problem = format!("write seconds from 0, which switches it off, to {}", KEPT_FOR.as_secs());
        ConfigError::new("OAUTH_REFRESH_GRACE_SECONDS", problem)
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
