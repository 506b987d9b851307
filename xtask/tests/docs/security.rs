//! `docs/security.md`: a row that is called tested has a test that carries its number, and a test carries no other numbers.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Where tests live.
const PLACES: [&str; 3] = ["crates", "bins", "xtask/interop"];

/// What a comment above a test begins with, and what the rows it names begin with.
const TAGS: [(&str, &str); 2] = [("// oauth row: ", ""), ("// attack: ", "A")];

/// How a test, or a rule that a suite asks, begins.
const TESTS: [&str; 7] =
    ["#[test]", "#[tokio::test", "fn ", "async fn ", "pub(super) async fn ", "await check(", "for (const "];

/// State by row.
fn rows(page: &str) -> BTreeMap<String, String> {
    let cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows = cells.filter_map(|line| Some((line.split_once(" | ")?.0, line.rsplit_once(" | ")?.1)));
    rows.filter(|(row, _)| *row != "row").map(|(row, state)| (row.to_owned(), state.to_owned())).collect()
}

/// The rows that the tests of one file carry, or the tag that stands above no test.
fn carried(text: &str) -> Result<Vec<String>, String> {
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some((list, letter)) = TAGS.iter().find_map(|(tag, letter)| Some((line.strip_prefix(tag)?, letter))) else {
            continue;
        };
        let below = lines[index..].iter().find(|line| !line.starts_with("//")).copied().unwrap_or_default();
        if !TESTS.iter().any(|start| below.starts_with(start)) {
            return Err(format!("{line} stands above {below}"));
        }
        found.extend(list.split(',').map(|row| format!("{letter}{}", row.trim())));
    }
    Ok(found)
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of tests").flatten() {
        let path = entry.path();
        let named = |name: &str| path.file_name().is_some_and(|it| it == name);
        if path.is_dir() && !named("node_modules") && !named("target") {
            files(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "mjs") {
            into.push(path);
        }
    }
}

#[test]
fn every_row_has_its_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let rows = rows(&fs::read_to_string(root.join("docs/security.md")).unwrap());
    assert!(rows.len() > 150, "{} rows", rows.len());
    let mut sources = Vec::new();
    PLACES.iter().for_each(|place| files(&root.join(place), &mut sources));
    let mut tested = BTreeSet::new();
    for path in sources {
        let text = fs::read_to_string(&path).unwrap();
        tested.extend(carried(&text).unwrap_or_else(|problem| panic!("{}: {problem}", path.display())));
    }
    let untested: Vec<_> =
        rows.iter().filter(|(row, state)| *state == "tested" && !tested.contains(*row)).map(|(row, _)| row).collect();
    assert!(untested.is_empty(), "docs/security.md calls these tested, and no test carries them: {untested:?}");
    let unknown: Vec<_> = tested.iter().filter(|row| !rows.contains_key(*row)).collect();
    assert!(unknown.is_empty(), "tests carry rows that docs/security.md does not have: {unknown:?}");
    let odd: Vec<_> = rows.values().filter(|state| *state != "tested" && !state.contains(": ")).collect();
    assert!(odd.is_empty(), "a state is `tested`, `decided: …` or `residual: …`: {odd:?}");
}

#[test]
fn tags_are_read() {
    let one = "// oauth row: 3.1-4, 3.2-1\n// attack: 17\n#[tokio::test(flavor = \"x\")]\nasync fn a() {}";
    assert_eq!(carried(one).unwrap(), ["3.1-4", "3.2-1", "A17"]);
    assert!(carried("// attack: 17\nlet x = 1;").is_err(), "not above a test");
    assert_eq!(rows("| row | what | state |\n|---|---|---|\n| A1 | a thing | tested |")["A1"], "tested");
}
