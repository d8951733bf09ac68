//! The root shows a newcomer what matters: nothing lies there that has no place in this list.

use std::collections::BTreeSet;

use super::finding::Finding;
use super::tree::Tree;

/// Files for people.
const PAGES: [&str; 7] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
];

/// Files that tools look for at the root.
const SETTINGS: [&str; 10] = [
    ".editorconfig",
    ".gitattributes",
    ".gitignore",
    "Cargo.lock",
    "Cargo.toml",
    "clippy.toml",
    "deny.toml",
    "ringfence.toml",
    "rust-toolchain.toml",
    "rustfmt.toml",
];

/// Folders.
const FOLDERS: [&str; 15] = [
    ".cargo",
    ".ci",
    ".config",
    ".github",
    "bench",
    "crates",
    "docs",
    "examples",
    "fuzz",
    "oracle",
    "packaging",
    "policies",
    "schema",
    "tests",
    "xtask",
];

/// Nothing unknown lies at the root.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let known =
        |name: &&str| PAGES.contains(name) || SETTINGS.contains(name) || FOLDERS.contains(name);
    let names = tree.files().iter().filter_map(|file| file.path.split('/').next());
    let unknown: BTreeSet<&str> = names.filter(|name| !known(name)).collect();
    let message = "the root holds only what xtask/src/tidy/root_files.rs lists";
    unknown.into_iter().map(|name| Finding::fault(name, 0, message)).collect()
}

#[cfg(test)]
#[path = "root_files_tests.rs"]
mod tests;
