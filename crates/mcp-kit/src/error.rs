//! Why a call gave no answer, and what of it goes on the wire.

use btp_kernel::{BoxError, text};
use serde_json::{Value, json};

/// Why a tool gave no answer. `Display` is the published message.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// The principal lacks the scope.
    #[error("insufficient_scope: this tool needs the scope {0}, which the access token does not have.")]
    Scope(&'static str),
    /// No tool has this name.
    #[error("insufficient_scope: there is no tool \"{0}\" that this access token may call.")]
    Unknown(String),
    /// A limit is used up.
    #[error("rate_limited: too many calls from this agent. Retry in {0} seconds.")]
    RateLimited(u64),
    /// The arguments do not fit the published schema.
    #[error("Invalid parameters for tool '{tool}': {misfit}")]
    Invalid {
        /// The tool.
        tool: &'static str,
        /// What does not fit.
        misfit: String,
    },
    /// The tool refused, in a sentence meant to be acted on.
    #[error("{0}")]
    Refused(String),
    /// Too busy just now.
    #[error("The server is busy. Try again in a few seconds.")]
    Busy(#[source] BoxError),
    /// Not the caller's business.
    #[error("Internal error.")]
    Failed(#[source] BoxError),
}

impl ToolError {
    /// The JSON-RPC code (JSON-RPC 2.0 §5.1; −32000 is the contract's own).
    pub fn code(&self) -> i32 {
        match self {
            Self::Scope(_) | Self::Unknown(_) | Self::RateLimited(_) => -32000,
            Self::Invalid { .. } => -32602,
            Self::Refused(_) | Self::Busy(_) | Self::Failed(_) => -32603,
        }
    }

    /// The message, free of control characters.
    pub fn message(&self) -> String {
        text::clean(&self.to_string()).into_owned()
    }

    /// The data of the JSON-RPC error.
    pub fn data(&self) -> Option<Value> {
        match self {
            Self::Scope(scope) => Some(json!({"error": "insufficient_scope", "scope": scope})),
            Self::Unknown(_) => Some(json!({"error": "insufficient_scope", "scope": null})),
            Self::RateLimited(seconds) => Some(json!({"error": "rate_limited", "retryAfter": seconds})),
            Self::Invalid { .. } | Self::Refused(_) | Self::Busy(_) | Self::Failed(_) => None,
        }
    }
}
