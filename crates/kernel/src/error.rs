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

    /// As errors of others are: one whose text repeats its source, and one whose does not.
    #[derive(Debug)]
    struct Failed(String, std::fmt::Error);

    impl std::fmt::Display for Failed {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(&self.0)
        }
    }

    impl Error for Failed {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.1)
        }
    }

    #[test]
    fn each_source_is_said_once() {
        let said = format!("it failed: {}", std::fmt::Error);
        assert_eq!(chain(&Failed("it failed".to_owned(), std::fmt::Error)), said);
        assert_eq!(chain(&Failed(said.clone(), std::fmt::Error)), said);
    }
}
