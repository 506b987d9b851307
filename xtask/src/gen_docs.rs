//! `gen-docs`: the reference documents, written from the code.
//!
//! The generator is the test in `xtask/tests/docs`, which compares; asked to, it writes. It is built with the whole
//! workspace, so that it shares every dependency with the other tests.

use anyhow::Result;

use crate::{repo, run::Report};

/// Writes the documents, or with `check` only compares them.
pub(crate) fn run(report: &mut Report, check: bool) -> Result<()> {
    let mut command = repo::cargo();
    command.args(["test", "--workspace", "--test", "docs", "--locked", "--quiet"]);
    if !check {
        command.env("XTASK_WRITE_DOCS", "1");
    }
    report.command("generated documents", &mut command);
    Ok(())
}
