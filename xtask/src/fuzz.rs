//! `fuzz`: coverage-guided fuzzing of whatever strangers send.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};

use crate::{
    repo,
    run::{Report, announced, succeed},
};

/// What libFuzzer needs compiled in: counters of edges and the operands of comparisons. All of it is stable.
const COVERAGE: &str = "--cfg fuzzing -Ccodegen-units=1 -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// An input that takes longer than this is a defect (seconds).
const SLOW: u32 = 10;

/// What to fuzz, and for how long.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Seconds for each target.
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) seconds: u32,
    /// The targets, by the names of the files in xtask/fuzz/targets; all of them when none is named.
    #[arg(value_name = "TARGET")]
    pub(crate) targets: Vec<String>,
}

/// Builds the targets and runs each from its seeds; what broke one is kept below the target folder.
pub(crate) fn run(report: &mut Report, args: &Args) -> Result<()> {
    let known = targets()?;
    for name in &args.targets {
        ensure!(known.contains(name), "no fuzz target is called {name}; there are: {}", known.join(", "));
    }
    let work = repo::target_dir()?.join("fuzz");
    let built = announced("fuzz targets", || build(&work))?;
    for name in known.iter().filter(|name| args.targets.is_empty() || args.targets.contains(name)) {
        report.step(&format!("fuzz {name} for {} s", args.seconds), || fuzz(&work, &built, name, args.seconds));
    }
    Ok(())
}

fn folder() -> PathBuf {
    repo::root().join("xtask/fuzz")
}

/// What a target starts from: kept with the crate whose tests judge the same files.
fn seeds(name: &str) -> Result<PathBuf> {
    let crates =
        fs::read_dir(repo::root().join("crates"))?.map(|folder| Ok(folder?.path().join("tests/seeds").join(name)));
    let folders = crates.collect::<Result<Vec<_>>>()?;
    folders.into_iter().find(|folder| folder.is_dir()).with_context(|| format!("no crate has seeds for {name}"))
}

/// Their names, in order.
fn targets() -> Result<Vec<String>> {
    let files = fs::read_dir(folder().join("targets")).context("xtask/fuzz/targets")?;
    let name = |file: fs::DirEntry| file.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut names = files.map(|file| Ok(name(file?))).collect::<Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

/// The folder of the executables. They are built with the versions the product is built with: its lock file is theirs. A
/// target platform is named so that build scripts are compiled without the flags.
fn build(work: &Path) -> Result<PathBuf> {
    fs::copy(repo::root().join("Cargo.lock"), folder().join("Cargo.lock")).context("Cargo.lock")?;
    let version = Command::new("rustc").arg("-vV").output().context("rustc")?;
    let version = String::from_utf8(version.stdout)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    let mut cargo = repo::cargo();
    cargo.current_dir(folder()).args(["build", "--release", "--bins", "--target", host]);
    succeed(cargo.env("RUSTFLAGS", COVERAGE).env("CARGO_TARGET_DIR", work))?;
    Ok(work.join(host).join("release"))
}

fn fuzz(work: &Path, built: &Path, name: &str, seconds: u32) -> Result<()> {
    let (found, broke) = (work.join("corpus").join(name), work.join("broke").join(name));
    fs::create_dir_all(&found)?;
    fs::create_dir_all(&broke)?;
    let mut target = Command::new(built.join(name));
    target.arg(format!("-max_total_time={seconds}")).arg(format!("-timeout={SLOW}"));
    target.arg(format!("-artifact_prefix={}/", broke.display()));
    let run = target.arg(found).arg(seeds(name)?).output()?;
    let said = String::from_utf8_lossy(&run.stderr);
    ensure!(run.status.success(), "{}, see {}\n{said}", run.status, broke.display());
    println!("    {}", said.lines().last().unwrap_or_default());
    Ok(())
}
