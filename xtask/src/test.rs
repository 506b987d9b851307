//! `test`: everything CI asks, in one run.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Result;

use crate::{
    check, fuzz,
    provision::{self, Clients},
    repo,
    run::{Report, announced, succeed},
    services::{Services, tied},
};

/// How long each fuzz target runs: enough to see that it still builds and that its seeds pass.
const FUZZ_SECONDS: u32 = 5;

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
    let tools = clients()?;
    if !args.no_check && !args.interop {
        check::run(report, false)?;
    }
    let services = announced("services", Services::start)?;
    if !args.interop {
        rust_tests(report, &services);
        fuzz::run(report, &fuzz::Args { seconds: FUZZ_SECONDS, targets: Vec::new() })?;
    }
    let binary = announced("the binary", || build(Profile::Dev))?;
    interop(report, &services, &tools, &binary)
}

/// The clients of the interop checks, installed when they are not there.
pub(crate) fn clients() -> Result<Clients> {
    let folder = repo::target_dir()?.join("interop");
    announced("clients for the interop checks", || provision::clients(&folder))
}

/// Other people's clients against this binary.
pub(crate) fn interop(report: &mut Report, services: &Services, tools: &Clients, binary: &Path) -> Result<()> {
    let mut interop = tied(&tools.node);
    interop.current_dir(repo::root()).arg("xtask/interop/run.mjs").arg("--binary").arg(binary);
    interop.arg("--python").arg(&tools.python).arg("--out").arg(repo::target_dir()?.join("interop"));
    report.tests("interop", interop.envs(services.env()));
    Ok(())
}

fn rust_tests(report: &mut Report, services: &Services) {
    let nextest = Command::new("cargo-nextest").arg("--version").output().is_ok_and(|out| out.status.success());
    let mut tests = repo::cargo();
    if nextest {
        tests.args(["nextest", "run", "--profile", "ci"]);
    } else {
        tests.args(["test", "--lib", "--bins", "--tests"]);
    }
    tests.args(["--workspace", "--locked", "--no-fail-fast"]);
    report.tests("Rust tests", tests.envs(services.env()));
    report.tests("examples in the documentation", repo::cargo().args(["test", "--workspace", "--locked", "--doc"]));
}

/// How the binary is built: as the tests have it already, or as it is shipped, which takes ten minutes more.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    Dev,
    Release,
}

/// Builds the binary; its path.
pub(crate) fn build(profile: Profile) -> Result<PathBuf> {
    let (name, folder) = match profile {
        Profile::Dev => ("dev", "debug"),
        Profile::Release => ("release", "release"),
    };
    let binary = ["-p", "btp-server", "--bin", "bike-trip-planner"];
    succeed(repo::cargo().args(["build", "--locked", "--profile", name]).args(binary))?;
    Ok(repo::target_dir()?.join(folder).join("bike-trip-planner"))
}
