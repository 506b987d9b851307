//! Errors that cross a port, and how a log shows them.

use std::{error::Error, fmt::Write};

/// Any error of an implementation behind a port: kept for the log, never shown to a caller.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// `err` and its sources, joined by ": ", for the one place that logs it.
///
/// `Display` of our errors does not repeat the source, so nothing appears twice.
pub fn chain(err: &(dyn Error + 'static)) -> String {
    let mut out = err.to_string();
    let mut next = err.source();
    while let Some(source) = next {
        let _ = write!(out, ": {source}");
        next = source.source();
    }
    out
}
