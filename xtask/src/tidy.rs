//! The tidy test: habits of the repository that no compiler keeps.

mod errors;
mod prose;

use std::{fs, path::Path};

use anyhow::{Context, Result, ensure};

use crate::repo;

/// The length no file should pass, and the one it may not.
const LONG: usize = 400;
const TOO_LONG: usize = 450;

/// A file of the repository that is text.
struct File {
    /// Relative to the root, with `/`.
    path: String,
    text: String,
}

impl File {
    fn is(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == extension)
    }
}

/// Fails when a habit is broken; names the longest files when some are long.
pub(crate) fn run() -> Result<()> {
    let files = read()?;
    for (lines, path) in longest(&files).iter().filter(|(lines, _)| *lines > LONG) {
        println!("    long: {path} has {lines} lines");
    }
    let broken = broken(&files);
    ensure!(broken.is_empty(), "not tidy:\n  {}", broken.join("\n  "));
    Ok(())
}

fn read() -> Result<Vec<File>> {
    let mut files = Vec::new();
    for path in repo::files()? {
        let bytes = fs::read(repo::root().join(&path)).with_context(|| format!("cannot read {}", path.display()))?;
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(File { path: path.to_string_lossy().into_owned(), text });
        }
    }
    Ok(files)
}

fn broken(files: &[File]) -> Vec<String> {
    let mut broken = Vec::new();
    for file in files.iter().filter(|file| file.is("rs")) {
        source(file, &mut broken);
        errors::repeated_source(file, &mut broken);
    }
    for file in files.iter().filter(|file| file.path.ends_with("/Cargo.toml")) {
        package(file, files, &mut broken);
    }
    for file in files {
        prose::places(file, &mut broken);
    }
    for file in files.iter().filter(|file| file.is("md")) {
        prose::names(file, files, &mut broken);
    }
    broken
}

fn source(file: &File, broken: &mut Vec<String>) {
    let File { path, text } = file;
    let begins = text.starts_with("//!") || text.starts_with("#![doc = include_str!(");
    if !begins {
        broken.push(format!("{path} does not begin with //!"));
    }
    let lines = text.lines().count();
    if lines > TOO_LONG {
        broken.push(format!("{path} has {lines} lines; cut it before {LONG}"));
    }
    if path.ends_with("/mod.rs") {
        broken.push(format!("{path}: write x.rs beside x/"));
    }
    // The tests of the binary wait for processes, whose clock is their own.
    let sleepless = path.contains("/tests/") && !path.starts_with("bins/") && !text.contains("start_paused");
    for (number, line) in text.lines().enumerate() {
        let place = || format!("{path}:{}", number + 1);
        if sleepless && line.contains(concat!("sleep", "(")) {
            broken.push(format!("{}: a test sleeps on paused time only", place()));
        }
        let ignored = line.trim_start().strip_prefix(concat!("#[", "ignore"));
        if ignored.is_some_and(|reason| !reason.starts_with(" = \"release-check: ")) {
            broken.push(format!("{}: no test is skipped; a long one is marked \"release-check: why\"", place()));
        }
    }
}

fn package(manifest: &File, files: &[File], broken: &mut Vec<String>) {
    let folder = manifest.path.trim_end_matches("Cargo.toml");
    if !manifest.text.contains("[lints]\nworkspace = true") {
        broken.push(format!("{}: add [lints] workspace = true", manifest.path));
    }
    let file = |name: &str| files.iter().find(|file| file.path == format!("{folder}{name}"));
    let root = file("src/lib.rs").or_else(|| file("src/main.rs"));
    let included = root.is_some_and(|root| root.text.contains("include_str!(\"../README.md\")"));
    if file("README.md").is_none() || !included {
        broken.push(format!("{folder}README.md must exist and be the documentation of the crate"));
    }
}

fn longest(files: &[File]) -> Vec<(usize, &str)> {
    let mut files: Vec<_> =
        files.iter().filter(|file| file.is("rs")).map(|file| (file.text.lines().count(), file.path.as_str())).collect();
    files.sort_by_key(|(lines, _)| std::cmp::Reverse(*lines));
    files.truncate(10);
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_tidy() {
        run().unwrap();
    }

    fn findings(path: &str, text: &str) -> Vec<String> {
        broken(&[File { path: path.to_owned(), text: text.to_owned() }])
    }

    #[test]
    fn a_source_file_says_what_it_is_for() {
        assert_eq!(findings("crates/a/src/b.rs", "fn f() {}\n"), ["crates/a/src/b.rs does not begin with //!"]);
        assert_eq!(findings("crates/a/src/b.rs", "//! B.\nfn f() {}\n"), [""; 0]);
    }

    #[test]
    fn a_test_is_not_skipped() {
        let marked = |mark: &str| format!("//! T.\n#[test]\n#[{mark}]\nfn t() {{}}\n");
        assert_eq!(findings("crates/a/tests/it/b.rs", &marked(concat!("ign", "ore"))).len(), 1);
        assert_eq!(findings("crates/a/tests/it/b.rs", &marked("ignore = \"release-check: ten minutes\"")), [""; 0]);
    }

    #[test]
    fn a_package_inherits_the_lints_and_has_a_readme() {
        assert_eq!(findings("crates/a/Cargo.toml", "[package]\n").len(), 2);
    }
}
