//! Logging to stderr.

use std::io::IsTerminal;

use tracing::{Level, Metadata};
use tracing_subscriber::{EnvFilter, filter::filter_fn, fmt, prelude::*};

use crate::config::ConfigError;

/// Starts logging.
///
/// # Errors
/// A filter that cannot be read.
pub(crate) fn start(filter: &str) -> Result<(), ConfigError> {
    let filter = EnvFilter::try_new(format!("{filter},sea_orm_migration=warn,sqlx=warn"))
        .map_err(|_| ConfigError::new("LOG", "write a filter such as info or info,btp_outbound=debug"))?;
    let format = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal()).with_target(true);
    // A second start in one process (tests) keeps the first.
    let _ = tracing_subscriber::registry().with(filter).with(format.with_filter(filter_fn(is_fit_to_log))).try_init();
    Ok(())
}

/// The MCP library logs whole arguments below its errors; no filter opens that.
fn is_fit_to_log(line: &Metadata<'_>) -> bool {
    *line.level() == Level::ERROR || !line.target().starts_with("rmcp")
}
