//! Logging to stderr, and the counting of what is logged.

use std::io::IsTerminal;

use tracing::{Level, Metadata};
use tracing_subscriber::{
    EnvFilter,
    filter::{FilterExt, filter_fn},
    fmt,
    prelude::*,
};

use crate::{config::ConfigError, metrics::Counters};

/// Starts logging; `counters` count whatever `filter` keeps out of the log.
///
/// # Errors
/// A filter that cannot be read.
pub(crate) fn start(filter: &str, counters: Option<Counters>) -> Result<(), ConfigError> {
    let filter = EnvFilter::try_new(format!("{filter},sea_orm_migration=warn,sqlx=warn"))
        .map_err(|_| ConfigError::new("LOG", "write a filter such as info or info,btp_outbound=debug"))?;
    let format = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal()).with_target(true);
    let format = format.with_filter(filter.and(filter_fn(is_fit_to_log)));
    let counting = counters.map(|counters| counters.with_filter(filter_fn(Counters::counts)));
    // A second start in one process (tests) keeps the first.
    let _ = tracing_subscriber::registry().with(format).with(counting).try_init();
    Ok(())
}

/// The MCP library logs whole arguments below its errors; no filter opens that.
fn is_fit_to_log(line: &Metadata<'_>) -> bool {
    *line.level() == Level::ERROR || !line.target().starts_with("rmcp")
}
