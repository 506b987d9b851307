//! Errors that cross a port, and how a log shows them.

use std::{error::Error, fmt::Write};

/// Any error of an implementation behind a port: kept for the log, never shown to a caller.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// `err` and its sources, joined by ": ", for the one place that logs it.
///
/// `Display` of our errors does not repeat the source, and where that of others does, it is said once.
pub fn chain(err: &(dyn Error + 'static)) -> String {
    let mut out = err.to_string();
    let mut next = err.source();
    while let Some(source) = next {
        let words = source.to_string();
        if !out.ends_with(&words) {
            let _ = write!(out, ": {words}");
        }
        next = source.source();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    enum Failed {
        #[error("it failed")]
        Silent(#[source] std::fmt::Error),
        #[error("it failed: {0}")]
        Repeating(#[source] std::fmt::Error),
    }

    #[test]
    fn each_source_is_said_once() {
        let said = format!("it failed: {}", std::fmt::Error);
        assert_eq!(chain(&Failed::Silent(std::fmt::Error)), said);
        assert_eq!(chain(&Failed::Repeating(std::fmt::Error)), said);
    }
}
