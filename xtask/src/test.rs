//! `test`: everything CI asks, in one run.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Result;

use crate::{
    check, provision, repo,
    run::{Report, announced, succeed},
    services::{Services, tied},
};

/// What to run.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Leave `check` out.
    #[arg(long)]
    no_check: bool,
    /// Run only the checks against the built binary.
    #[arg(long, conflicts_with = "no_check")]
    interop: bool,
}

/// Installs and starts what is needed, runs it all, stops what it started.
pub(crate) fn run(report: &mut Report, args: &Args) -> Result<()> {
    announced("what the tests need", provision::debian)?;
    let target = repo::target_dir()?;
    let tools = announced("clients for the interop checks", || provision::clients(&target.join("interop")))?;
    if !args.no_check && !args.interop {
        check::run(report, false)?;
    }
    let services = announced("services", Services::start)?;
    if !args.interop {
        rust_tests(report, &services);
    }
    let binary = announced("release build", || build(&target))?;
    let mut interop = tied(&tools.node);
    interop.current_dir(repo::root()).arg("xtask/interop/run.mjs").arg("--binary").arg(&binary);
    interop.arg("--python").arg(&tools.python).arg("--out").arg(target.join("interop"));
    report.tests("interop", interop.envs(services.env()));
    Ok(())
}

fn rust_tests(report: &mut Report, services: &Services) {
    let nextest = Command::new("cargo-nextest").arg("--version").output().is_ok_and(|out| out.status.success());
    let mut tests = repo::cargo();
    if nextest {
        tests.args(["nextest", "run", "--profile", "ci"]);
    } else {
        tests.args(["test", "--all-targets"]);
    }
    tests.args(["--workspace", "--locked", "--no-fail-fast"]);
    report.tests("Rust tests", tests.envs(services.env()));
    report.tests("examples in the documentation", repo::cargo().args(["test", "--workspace", "--locked", "--doc"]));
}

fn build(target: &Path) -> Result<PathBuf> {
    succeed(repo::cargo().args(["build", "--release", "--locked", "-p", "btp-server", "--bin", "bike-trip-planner"]))?;
    Ok(target.join("release/bike-trip-planner"))
}
