//! `bench`: figures of a release build, each by a benchmark of the server crate.

use anyhow::Result;
use clap::Subcommand;

use crate::{repo, run::Report};

/// What to measure.
#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Throughput of `get_trip` (ten days, authorization and limits on) beside an empty tool behind the same gate, and
    /// fifty writers at once; with `BTP_TEST_POSTGRES` these on PostgreSQL too.
    Mcp,
    /// Mixed calls, while memory and descriptors are watched.
    Soak {
        /// For how long.
        #[arg(default_value_t = 10)]
        minutes: u32,
    },
    /// From `create_trip` to stored days for a route of 21,000 points served on loopback, and to the start of its job.
    Fetch,
    /// What the guard of a call costs on SQLite: signature, liveness, scope.
    Auth,
    /// Calls of one person while others send the largest file there may be, and hostile ones.
    Uploads,
}

/// Runs one benchmark.
pub(crate) fn run(report: &mut Report, bench: &Bench) -> Result<()> {
    let (name, arguments) = match bench {
        Bench::Mcp => ("mcp", Vec::new()),
        Bench::Soak { minutes } => ("mcp", vec!["--".to_owned(), "soak".to_owned(), minutes.to_string()]),
        Bench::Fetch => ("fetch", Vec::new()),
        Bench::Auth => ("auth", Vec::new()),
        Bench::Uploads => ("uploads", Vec::new()),
    };
    report
        .command(name, repo::cargo().args(["bench", "--locked", "-p", "btp-server", "--bench", name]).args(arguments));
    Ok(())
}
