//! `release-check`: what takes too long for every change.

use anyhow::Result;

use crate::{repo, run::Report, services::Services};

/// Runs the tests marked for it, and builds the embeddable crates outside the workspace.
pub(crate) fn run(report: &mut Report) -> Result<()> {
    report.command(
        "package the embeddable crates",
        repo::cargo().args(["package", "--locked", "--allow-dirty", "-p", "btp-kernel", "-p", "btp-domain"]),
    );
    let services = Services::start()?;
    let mut tests = repo::cargo();
    tests.args(["test", "--workspace", "--locked", "--no-fail-fast", "--", "--ignored"]);
    report.tests("long tests", tests.envs(services.env()));
    Ok(())
}
