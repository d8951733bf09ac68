//! Crate arrows: who may depend on whom.
//!
//! The table is the design's. A further line in it is a change of the design and is discussed as
//! one. Dev-dependencies are free: a test may look at anything.

use std::collections::BTreeSet;

use toml::de::DeTable;

use super::finding::Finding;
use super::manifest::{self, Entry};
use super::tree::Tree;

/// The crates, lowest first. Each may depend on those behind it, and on whatever these may.
const ARROWS: [(&str, &[&str]); 16] = [
    ("ringfence-core", &[]),
    ("ringfence-manifest", &["ringfence-core"]),
    ("ringfence-shell", &["ringfence-core"]),
    ("ringfence-analysis", &["ringfence-core"]),
    ("ringfence-plugin", &["ringfence-core"]),
    ("ringfence-store", &["ringfence-core"]),
    ("ringfence-sandbox", &["ringfence-core"]),
    ("ringfence-guard", &["ringfence-manifest", "ringfence-shell"]),
    ("ringfence-egress", &["ringfence-guard"]),
    ("ringfence-exec", &["ringfence-egress", "ringfence-sandbox"]),
    ("ringfence-hooks", &["ringfence-guard"]),
    ("ringfence-mcp", &["ringfence-exec", "ringfence-egress"]),
    ("ringfence-script", &["ringfence-exec", "ringfence-egress"]),
    (
        "ringfence-daemon",
        &[
            "ringfence-mcp",
            "ringfence-script",
            "ringfence-hooks",
            "ringfence-plugin",
            "ringfence-store",
        ],
    ),
    ("ringfence", &["ringfence-daemon", "ringfence-analysis"]),
    ("ringfence-cli", &["ringfence"]),
];

/// Every dependency between our crates follows an arrow, and every crate is named like its folder.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let manifests = tree.texts(|path| path.starts_with("crates/") && path.ends_with("/Cargo.toml"));
    manifests.flat_map(|(file, text)| check_crate(file, text)).collect()
}

fn check_crate(file: &str, text: &str) -> Vec<Finding> {
    let table = match manifest::parse(file, text) {
        Ok(table) => table,
        Err(finding) => return vec![finding],
    };
    let folder = file.split('/').rev().nth(1).unwrap_or_default();
    let Some(name) = manifest::string_at(&table, &["package", "name"]) else {
        return vec![Finding::fault(file, 0, "the package has no name")];
    };
    if name != folder {
        return vec![Finding::fault(file, 0, format!("crate `{name}` lies in folder `{folder}`"))];
    }
    let Some(allowed) = allowed(name) else {
        return vec![Finding::fault(file, 0, format!("crate `{name}` is not in the design"))];
    };
    let follows_arrow = |(target, line): (&str, usize)| {
        let message = format!("no arrow from `{name}` to `{target}` in the design");
        (!allowed.contains(target)).then(|| Finding::fault(file, line, message))
    };
    ours(text, &table).into_iter().filter_map(follows_arrow).collect()
}

/// The crates that this one may depend on; `None` for a crate that the design does not know.
fn allowed(name: &str) -> Option<BTreeSet<&'static str>> {
    let (_, direct) = ARROWS.iter().find(|(from, _)| *from == name)?;
    let beyond = direct.iter().filter_map(|target| allowed(target)).flatten();
    Some(direct.iter().copied().chain(beyond).collect())
}

/// The crates of ours that a manifest names, each with its line.
fn ours<'table>(text: &'table str, table: &'table DeTable<'table>) -> Vec<(&'table str, usize)> {
    let platforms = table.get("target").and_then(|value| value.get_ref().as_table());
    let platforms = platforms.into_iter().flat_map(|table| table.iter());
    let tables = platforms.filter_map(|(_, value)| value.get_ref().as_table());
    std::iter::once(table)
        .chain(tables)
        .flat_map(|table| ["dependencies", "build-dependencies"].map(|kind| (table, kind)))
        .filter_map(|(table, kind)| manifest::table_at(table, &[kind]))
        .flat_map(|dependencies| manifest::entries(text, dependencies))
        .map(|entry| (package(&entry), entry.line))
        .filter(|(package, _)| package.starts_with("ringfence"))
        .collect()
}

/// The package behind a dependency, which may have been renamed.
fn package<'table>(entry: &Entry<'table>) -> &'table str {
    let table = entry.value.as_table();
    table.and_then(|table| manifest::string_at(table, &["package"])).unwrap_or(entry.key)
}

#[cfg(test)]
#[path = "arrows_tests.rs"]
mod tests;
