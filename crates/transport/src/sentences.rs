//! What pages, the API and the MCP endpoints say alike to machines.

/// What is behind the server does not answer, or there is too much to do.
pub(crate) const BUSY: &str = "The server is busy. Try again in a few seconds.";
/// In how many seconds to try again then.
pub(crate) const BUSY_FOR: u64 = 2;
/// The time of a request is up.
pub(crate) const LATE: &str = "The request did not arrive in time, or took too long. Try again.";
