//! What commands print for people and scripts.

use std::{fmt::Display, io::Write};

/// Prints a line to standard output; a reader that went away is no error.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
