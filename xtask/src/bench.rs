//! `bench`: figures of a release build, each by a benchmark of the server crate.

use anyhow::Result;
use clap::Subcommand;

use crate::{repo, run::Report};

/// What to measure.
#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Throughput of `get_trip` (ten days, authorization and limits on) as a ratio to an empty tool on the same library.
    Mcp,
    /// From `create_trip` to stored days for a route of 21,000 points served on loopback, and to the start of its job.
    Fetch,
    /// What the guard of a call costs on SQLite: signature, liveness, scope.
    Auth,
}

/// Runs one benchmark.
pub(crate) fn run(report: &mut Report, bench: &Bench) -> Result<()> {
    let name = match bench {
        Bench::Mcp => "mcp",
        Bench::Fetch => "fetch",
        Bench::Auth => "auth",
    };
    report.command(name, repo::cargo().args(["bench", "--locked", "-p", "btp-server", "--bench", name]));
    Ok(())
}
