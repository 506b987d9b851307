//! The layer test: which package may depend on which, and what none of them may ever reach.
//!
//! Only normal dependencies count, in a build for this machine; tests may use anything.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

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
        ours: &["btp-kernel", "btp-domain", "btp-accounts", "btp-oauth", "btp-mcp-kit"],
        never: &["any database", "any HTTP client", "btp-storage", "btp-outbound", "btp-jobs", "btp-mcp-tools"],
    },
    Room {
        package: "btp-storage",
        ours: &["btp-kernel", "btp-domain", "btp-accounts", "btp-oauth", "btp-formats", "btp-migrations"],
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
            "btp-formats",
            "btp-mcp-kit",
            "btp-mcp-tools",
            "btp-transport",
            "btp-storage",
            "btp-outbound",
            "btp-jobs",
            "btp-migrations",
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
    fn read() -> Result<Self> {
        let meta = repo::metadata()?;
        let list = |value: &Value| value.as_array().cloned().context("cargo metadata has another shape");
        let mut names = BTreeMap::new();
        for package in list(&meta["packages"])? {
            names.insert(package["id"].clone().to_string(), text(&package["name"]));
        }
        let name = |id: &Value| names.get(&id.to_string()).cloned().unwrap_or_default();
        let mut edges = BTreeMap::new();
        for node in list(&meta["resolve"]["nodes"])? {
            let normal = |dep: &&Value| {
                dep["dep_kinds"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
            };
            let of: &mut BTreeSet<String> = edges.entry(name(&node["id"])).or_default();
            of.extend(list(&node["deps"])?.iter().filter(normal).map(|dep| name(&dep["pkg"])));
        }
        let members = list(&meta["workspace_members"])?.iter().map(name).collect();
        Ok(Self { edges, members })
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

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
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
        graph.edges.get_mut("btp-kernel").unwrap().insert("axum".to_owned());
        let broken = graph.broken();
        assert!(
            broken.contains(&"btp-domain may not reach axum: btp-domain -> btp-kernel -> axum".to_owned()),
            "{broken:#?}"
        );
    }

    #[test]
    fn a_member_without_a_place_is_found() {
        let mut graph = Graph::read().unwrap();
        graph.members.insert("btp-new".to_owned());
        assert!(graph.broken().iter().any(|line| line.starts_with("btp-new has no place")));
    }
}
