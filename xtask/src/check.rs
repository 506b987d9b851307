//! `check`: all that can be judged without running the product.

use std::process::Command;

use anyhow::Result;

use crate::{
    gen_docs, layers, repo,
    run::{Report, announced, succeed},
    tidy,
};

/// Runs every check, also after one failed; with `quick` only those that compile nothing.
pub(crate) fn run(report: &mut Report, quick: bool) -> Result<()> {
    report.command("format", repo::cargo().args(["fmt", "--all", "--check"]));
    report.step("tidy", tidy::run);
    report.step("layers", layers::run);
    report.step("dependencies", || {
        install_deny()?;
        succeed(repo::cargo().args(["deny", "--locked", "check", "bans", "licenses", "sources"]))
    });
    if quick {
        return Ok(());
    }
    report.command(
        "lints",
        repo::cargo().args(["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]),
    );
    report.command(
        "rustdoc",
        repo::cargo()
            .args(["doc", "--workspace", "--no-deps", "--document-private-items", "--locked"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    );
    gen_docs::run(report, true)
}

fn install_deny() -> Result<()> {
    if Command::new("cargo-deny").arg("--version").output().is_ok_and(|out| out.status.success()) {
        return Ok(());
    }
    announced("cargo-deny is missing: installing it (about five minutes, once)", || {
        succeed(repo::cargo().args(["install", "cargo-deny", "--locked", "--quiet"]))
    })
}
