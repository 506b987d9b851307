//! Logging to stderr.

use std::io::IsTerminal;

use tracing_subscriber::{EnvFilter, fmt, prelude::*};

use crate::config::ConfigError;

/// Starts logging. `rmcp` is kept at errors: below that it logs arguments.
///
/// # Errors
/// A filter that cannot be read.
pub(crate) fn start(filter: &str) -> Result<(), ConfigError> {
    let filter = EnvFilter::try_new(format!("{filter},rmcp=error,sea_orm_migration=warn"))
        .map_err(|_| ConfigError::new("LOG", "write a filter such as info or info,btp_outbound=debug"))?;
    let format = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal()).with_target(true);
    // A second start in one process (tests) keeps the first.
    let _ = tracing_subscriber::registry().with(filter).with(format).try_init();
    Ok(())
}
