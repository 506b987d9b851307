//! Where things are: the root of the checkout, cargo's view of the workspace, the files git knows.

use std::{
    collections::BTreeSet,
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

/// What each package depends on outside its tests, as lines of depth and package.
pub(crate) fn dependency_tree() -> Result<String> {
    output(cargo().args(["tree", "--workspace", "--edges=normal,no-proc-macro", "--prefix=depth", "--locked"]))
}

/// The packages of the workspace.
pub(crate) fn members() -> Result<BTreeSet<String>> {
    let packages = metadata()?["packages"].take();
    let name = |package: &Value| package["name"].as_str().map(str::to_owned);
    Ok(packages.as_array().into_iter().flatten().filter_map(name).collect())
}

/// Where cargo puts what it builds.
pub(crate) fn target_dir() -> Result<PathBuf> {
    Ok(metadata()?["target_directory"].as_str().context("cargo names no target directory")?.into())
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

/// Cargo's view of the workspace alone.
fn metadata() -> Result<Value> {
    Ok(serde_json::from_str(&output(cargo().args(["metadata", "--format-version=1", "--no-deps", "--locked"]))?)?)
}

fn output(command: &mut Command) -> Result<String> {
    let out = command.output().with_context(|| format!("cannot start {command:?}"))?;
    ensure!(out.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&out.stderr).trim());
    Ok(String::from_utf8(out.stdout)?)
}
