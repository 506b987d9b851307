//! The layer test: which package may depend on which, and what none of them may ever reach.
//!
//! Only normal dependencies count, in a build for this machine; tests may use anything.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, ensure};

use crate::repo;

/// What a package of the workspace may do.
struct Room {
    package: &'static str,
    /// Packages of ours it may depend on.
    ours: &'static [&'static str],
    /// Packages, or [`GROUPS`] of packages, that it may not reach, directly or through others.
    never: &'static [&'static str],
}

const GROUPS: &[(&str, &[&str])] = &[
    ("any web server", &["axum", "axum-server", "rmcp", "tower-http"]),
    ("any database", &["sea-orm", "sea-orm-migration", "sqlx-core"]),
    ("any HTTP client", &["reqwest"]),
    ("any runtime", &["tokio"]),
];

/// Every package, lowest first.
const ROOMS: &[Room] = &[
    Room {
        package: "btp-kernel",
        ours: &[],
        never: &["any web server", "any database", "any HTTP client", "any runtime", "serde_json"],
    },
    Room {
        package: "btp-domain",
        ours: &["btp-kernel"],
        never: &["any web server", "any database", "any HTTP client", "any runtime", "serde_json"],
    },
    Room {
        package: "btp-accounts",
        ours: &["btp-kernel"],
        never: &["any web server", "any database", "any HTTP client", "any runtime"],
    },
    Room {
        package: "btp-oauth",
        ours: &["btp-kernel"],
        never: &["any web server", "any database", "any HTTP client", "any runtime"],
    },
    Room {
        package: "btp-formats",
        ours: &["btp-kernel", "btp-domain"],
        never: &["any web server", "any database", "any HTTP client", "any runtime"],
    },
    Room {
        package: "btp-mcp-kit",
        ours: &["btp-kernel"],
        never: &["any web server", "any database", "any HTTP client", "any runtime"],
    },
    Room {
        package: "btp-mcp-tools",
        ours: &["btp-kernel", "btp-domain", "btp-mcp-kit"],
        never: &["any web server", "any database", "any HTTP client", "any runtime", "btp-oauth"],
    },
    Room {
        package: "btp-transport",
        ours: &["btp-kernel", "btp-domain", "btp-formats", "btp-accounts", "btp-oauth", "btp-mcp-kit"],
        never: &["any database", "any HTTP client", "btp-storage", "btp-outbound", "btp-jobs", "btp-mcp-tools"],
    },
    Room {
        package: "btp-storage",
        ours: &["btp-kernel", "btp-domain", "btp-accounts", "btp-oauth", "btp-migrations"],
        never: &["any web server", "any HTTP client", "btp-transport", "btp-mcp-kit"],
    },
    Room {
        package: "btp-outbound",
        ours: &["btp-kernel", "btp-domain", "btp-oauth", "btp-formats"],
        never: &["axum", "axum-server", "rmcp", "any database"],
    },
    Room {
        package: "btp-jobs",
        ours: &["btp-kernel", "btp-domain"],
        never: &["any web server", "any database", "any HTTP client"],
    },
    Room { package: "btp-migrations", ours: &[], never: &["any web server", "any HTTP client"] },
    Room {
        package: "btp-testkit",
        ours: &["btp-kernel", "btp-domain", "btp-accounts", "btp-oauth"],
        never: &["any web server", "any database", "any HTTP client"],
    },
    Room {
        package: "btp-server",
        ours: &[
            "btp-kernel",
            "btp-domain",
            "btp-accounts",
            "btp-oauth",
            "btp-mcp-tools",
            "btp-transport",
            "btp-storage",
            "btp-outbound",
            "btp-jobs",
        ],
        never: &["btp-testkit"],
    },
    Room { package: "xtask", ours: &[], never: &["any web server", "any database", "any HTTP client", "any runtime"] },
];

/// Fails when an edge of the workspace breaks a rule above.
pub(crate) fn run() -> Result<()> {
    let broken = Graph::read()?.broken();
    ensure!(broken.is_empty(), "the layers do not hold (docs/architecture.md):\n  {}", broken.join("\n  "));
    Ok(())
}

/// Normal dependencies by package name.
struct Graph {
    edges: BTreeMap<String, BTreeSet<String>>,
    members: BTreeSet<String>,
}

impl Graph {
    /// As `cargo tree` sees the workspace without its tests: their features are not on.
    fn read() -> Result<Self> {
        Ok(Self::parse(&repo::dependency_tree()?, repo::members()?))
    }

    /// Reads lines such as `2serde v1.0.0`: depth, then package; what a package depends on follows it, one deeper.
    fn parse(tree: &str, members: BTreeSet<String>) -> Self {
        let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut above: Vec<String> = Vec::new();
        for line in tree.lines() {
            let digits = line.chars().take_while(char::is_ascii_digit).count();
            let (Ok(depth), Some(name)) = (line[..digits].parse::<usize>(), line[digits..].split(' ').next()) else {
                continue;
            };
            above.truncate(depth);
            if let Some(user) = above.last() {
                edges.entry(user.clone()).or_default().insert(name.to_owned());
            }
            above.push(name.to_owned());
        }
        Self { edges, members }
    }

    fn broken(&self) -> Vec<String> {
        let mut broken = Vec::new();
        for member in &self.members {
            let Some(room) = ROOMS.iter().find(|room| room.package == member) else {
                broken.push(format!("{member} has no place: give it one in xtask/src/layers.rs"));
                continue;
            };
            let ours = self.of(member).filter(|dep| self.members.contains(*dep));
            broken.extend(
                ours.filter(|dep| !room.ours.contains(dep)).map(|dep| format!("{member} may not depend on {dep}")),
            );
            let paths = self.paths(member);
            for never in room.never.iter().flat_map(|never| expand(never)) {
                if let Some(path) = paths.get(never) {
                    broken.push(format!("{member} may not reach {never}: {path}"));
                }
            }
        }
        broken
    }

    fn of<'a>(&'a self, package: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        self.edges.get(package).into_iter().flatten().map(String::as_str)
    }

    /// Everything `from` reaches, each with a shortest way to it.
    fn paths(&self, from: &str) -> BTreeMap<&str, String> {
        let mut paths = BTreeMap::new();
        let mut todo = vec![(from.to_owned(), from.to_owned())];
        while !todo.is_empty() {
            let mut next = Vec::new();
            for (package, path) in todo {
                for dep in self.of(&package).filter(|dep| *dep != from) {
                    if !paths.contains_key(dep) {
                        let longer = format!("{path} -> {dep}");
                        paths.insert(dep, longer.clone());
                        next.push((dep.to_owned(), longer));
                    }
                }
            }
            todo = next;
        }
        paths
    }
}

fn expand<'a>(never: &'a &'static str) -> &'a [&'static str] {
    GROUPS.iter().find(|(group, _)| group == never).map_or(std::slice::from_ref(never), |(_, packages)| packages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layers_hold() {
        run().unwrap();
    }

    #[test]
    fn a_web_server_below_the_domain_is_found() {
        let mut graph = Graph::read().unwrap();
        graph.edges.entry("btp-kernel".to_owned()).or_default().insert("axum".to_owned());
        let broken = graph.broken();
        assert!(
            broken.contains(&"btp-domain may not reach axum: btp-domain -> btp-kernel -> axum".to_owned()),
            "{broken:#?}"
        );
    }

    #[test]
    fn a_tree_is_read() {
        let graph = Graph::parse("0a v1.0.0 (/a)\n1b v1\n2c v1\n1c v1 (*)\n\n0d v1\n1b v1 (*)\n", BTreeSet::new());
        let of = |package| graph.of(package).collect::<Vec<_>>();
        assert_eq!([of("a"), of("b"), of("c"), of("d")], [vec!["b", "c"], vec!["c"], vec![], vec!["b"]]);
    }

    #[test]
    fn a_member_without_a_place_is_found() {
        let mut graph = Graph::read().unwrap();
        graph.members.insert("btp-new".to_owned());
        assert!(graph.broken().iter().any(|line| line.starts_with("btp-new has no place")));
    }
}
