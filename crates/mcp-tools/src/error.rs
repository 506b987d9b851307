//! What the planner refuses, as tool errors.

use btp_domain::{Error, Refusal};
use btp_mcp_kit::ToolError;

/// The tool error of a planner's error.
pub(crate) fn tool_error(err: Error) -> ToolError {
    match err {
        Error::Refused(Refusal::Scope(scope)) => ToolError::Scope(scope),
        Error::Refused(Refusal::RateLimited(seconds)) => ToolError::RateLimited(seconds),
        Error::Refused(refusal) => ToolError::Refused(refusal.to_string()),
        Error::Busy(source) => ToolError::Busy(source),
        Error::Failed(source) => ToolError::Failed(source),
    }
}
