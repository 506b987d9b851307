//! What the documents name exists, and no file names a place that only its author has.

use std::collections::BTreeSet;

use super::File;

/// Hosts and folders that no file names, written apart so that this one does not.
const PLACES: &[&[&str]] = &[
    &["crates", ".io/"],
    &["npmjs", ".org"],
    &["npmjs", ".com"],
    &["pypi", ".org"],
    &["pythonhosted", ".org"],
    &["deb.debian", ".org"],
    &["\"/work", "/"],
    &["`/work", "/"],
    &[" /work", "/"],
    &["=/work", "/"],
    &["/root", "/"],
];

/// Finds names of package hosts, which belong to the package managers' own settings, and folders of one machine.
pub(super) fn places(file: &File, broken: &mut Vec<String>) {
    for place in PLACES.iter().map(|parts| parts.concat()) {
        if let Some(at) = file.text.find(&place) {
            broken.push(format!("{}:{}: names {}", file.path, line(&file.text, at), place.trim()));
        }
    }
}

/// Finds paths and `crate::name`s in backticks that do not exist.
pub(super) fn names(file: &File, files: &[File], broken: &mut Vec<String>) {
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    for (at, span) in spans(&file.text) {
        let is_there = match span.split_once("::") {
            Some((first, _)) if first.starts_with("btp_") => has_item(span, files),
            Some(_) => true,
            None => !is_path(span, folder, files) || has_path(span, folder, files),
        };
        if !is_there {
            broken.push(format!("{}:{}: there is no `{span}`", file.path, line(&file.text, at)));
        }
    }
}

/// The inline code of a document, fenced blocks left out, with where it is.
fn spans(text: &str) -> Vec<(usize, &str)> {
    let mut spans = Vec::new();
    let (mut offset, mut fenced) = (0, false);
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            let mut at = offset;
            for (index, part) in line.split('`').enumerate() {
                if index % 2 == 1 {
                    spans.push((at, part));
                }
                at += part.len() + 1;
            }
        }
        offset += line.len();
    }
    spans
}

/// Whether a span claims to be a path of this repository: it begins with a folder that is there.
fn is_path(span: &str, folder: &str, files: &[File]) -> bool {
    let legal = |char: char| char.is_ascii_alphanumeric() || "/._-".contains(char);
    let Some((first, _)) = span.split_once('/') else { return false };
    let begins =
        |root: &str| !first.is_empty() && files.iter().any(|file| file.path.starts_with(&format!("{root}{first}/")));
    span.chars().all(legal) && (begins("") || begins(&format!("{folder}/")))
}

fn has_path(span: &str, folder: &str, files: &[File]) -> bool {
    let span = span.trim_end_matches('/');
    [span.to_owned(), format!("{folder}/{span}")]
        .iter()
        .any(|path| files.iter().any(|file| file.path == *path || file.path.starts_with(&format!("{path}/"))))
}

/// Whether every name of a path such as `btp_domain::Trip::end_date` is a word of that crate.
fn has_item(span: &str, files: &[File]) -> bool {
    let mut names = span.split("::").map(|name| name.trim_end_matches(['(', ')', '!']));
    let Some(package) = names.next().and_then(|name| name.strip_prefix("btp_")) else { return false };
    let folder = match package {
        "server" => "bins/server/src/".to_owned(),
        "migrations" => "migrations/src/".to_owned(),
        room => format!("crates/{}/src/", room.replace('_', "-")),
    };
    let sources = files.iter().filter(|file| file.path.starts_with(&folder));
    let words: BTreeSet<&str> =
        sources.flat_map(|file| file.text.split(|char: char| !char.is_alphanumeric() && char != '_')).collect();
    names.all(|name| words.contains(name))
}

fn line(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> Vec<String> {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let files = [
            file("crates/domain/src/trip.rs", "//! T.\npub struct Trip;\n"),
            file("crates/domain/tests/it/main.rs", "//! M.\n"),
            file("crates/domain/README.md", text),
        ];
        let mut broken = Vec::new();
        names(&files[2], &files, &mut broken);
        broken
    }

    #[test]
    fn what_exists_may_be_named() {
        let text = "`crates/domain/src/trip.rs`, `crates/domain/`, `tests/it`, `btp_domain::Trip`, `/oauth/authorize`, `text/html`, `std::fmt`";
        assert_eq!(findings(text), [""; 0]);
        assert_eq!(findings("```\n`crates/nothing.rs`\n```\n"), [""; 0]);
    }

    #[test]
    fn what_does_not_exist_is_found() {
        assert_eq!(
            findings("\nSee `crates/domain/src/trap.rs`."),
            ["crates/domain/README.md:2: there is no `crates/domain/src/trap.rs`"]
        );
        assert_eq!(findings("`tests/unit`").len(), 1);
        assert_eq!(findings("`btp_domain::Trap`").len(), 1);
    }

    #[test]
    fn a_package_host_is_found() {
        let mut broken = Vec::new();
        let text = ["see https://pypi", ".org/project"].concat();
        places(&File { path: "a.md".to_owned(), text }, &mut broken);
        assert_eq!(broken.len(), 1);
    }
}
