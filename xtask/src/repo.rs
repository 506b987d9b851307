//! Where things are: the root of the checkout, cargo's view of the workspace, the files git knows.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// The cargo that runs us.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root());
    cargo
}

/// The root of the checkout.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// `cargo metadata` of the workspace with everything it depends on, for this platform.
pub(crate) fn metadata() -> Result<Value> {
    let host = output(Command::new("rustc").arg("-vV"))?;
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    let mut command = cargo();
    command.args(["metadata", "--format-version=1", "--locked", "--filter-platform", host]);
    Ok(serde_json::from_str(&output(&mut command)?)?)
}

/// Where cargo puts what it builds.
pub(crate) fn target_dir() -> Result<PathBuf> {
    let mut command = cargo();
    let meta: Value =
        serde_json::from_str(&output(command.args(["metadata", "--format-version=1", "--no-deps", "--locked"]))?)?;
    Ok(meta["target_directory"].as_str().context("cargo names no target directory")?.into())
}

/// Every file of the checkout that git tracks or would track, relative to the root.
pub(crate) fn files() -> Result<Vec<PathBuf>> {
    let mut git = Command::new("git");
    git.current_dir(root()).args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    let mut files: Vec<PathBuf> = output(&mut git)?.lines().map(PathBuf::from).collect();
    files.retain(|path| root().join(path).is_file());
    files.sort();
    files.dedup();
    Ok(files)
}

fn output(command: &mut Command) -> Result<String> {
    let out = command.output().with_context(|| format!("cannot start {command:?}"))?;
    ensure!(out.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&out.stderr).trim());
    Ok(String::from_utf8(out.stdout)?)
}
