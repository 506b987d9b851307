//! Whole files, each imported or refused as reviewed: small made ones, and real ones where they are at hand.

use std::{fmt::Write, path::Path};

use btp_domain::{Line, PlannedRoute, Settings, route::FetchedRoute};
use btp_formats::read_gpx;

/// What becomes of a file, in one line.
fn outcome(bytes: &[u8]) -> String {
    let gpx = match read_gpx(bytes) {
        Ok(gpx) => gpx,
        Err(err) => return format!("refused: {err}"),
    };
    let route = FetchedRoute { title: gpx.title, line: gpx.line, warnings: gpx.warnings };
    let points = |line: &Line| line.tracks.iter().map(Vec::len).sum::<usize>();
    let read = points(&route.line);
    let plan = match PlannedRoute::new(route, &Settings::default()) {
        Ok(plan) => plan,
        Err(err) => return format!("{read} points, refused: {err}"),
    };
    let (line, days) = (&plan.route().line, &plan.cut().days);
    let ascent: Option<f64> = days.iter().map(|day| day.ascent).sum();
    let km = line.length() / 1000.0;
    let mut said = format!("{} points in {}, {km:.2} km, {} days, ", points(line), line.tracks.len(), days.len());
    match ascent {
        Some(up) => write!(said, "{up:.0} m up").unwrap(),
        None => said.push_str("climb unknown"),
    }
    for warning in plan.route().warnings.iter().chain(&plan.cut().warnings) {
        write!(said, ", {}", warning.code).unwrap();
    }
    said
}

/// Compares each file of the folder with its line in the table.
fn review(folder: &Path, table: &[(&str, &str)]) {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let found: Vec<_> = files
        .iter()
        .map(|file| {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            (name, outcome(&std::fs::read(file).unwrap()))
        })
        .collect();
    let table: Vec<_> = table.iter().map(|(name, line)| ((*name).to_owned(), (*line).to_owned())).collect();
    assert_eq!(found, table);
}

#[test]
fn made_files() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds/gpx");
    review(&seeds, &[]);
}

#[test]
fn real_files() {
    #[expect(clippy::disallowed_methods, reason = "where a test finds what is not in the repository")]
    let Some(folder) = std::env::var_os("BTP_TEST_GPX") else {
        return said("no real GPX files were read: BTP_TEST_GPX names no folder");
    };
    review(Path::new(&folder), &[]);
}

#[expect(clippy::print_stderr, reason = "what was not tested is said")]
fn said(what: &str) {
    eprintln!("{what}");
}
