//! A file holds one idea: Rust files have a limit, and a line from which one should think.

use super::finding::Finding;
use super::tree::Tree;

/// The most lines a file may have.
const LIMIT: usize = 600;

/// The number of lines from which a file should be split.
const SPLIT: usize = 400;

/// Every Rust file is short enough.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let size = |(file, text): (&str, &str)| match text.lines().count() {
        ..=SPLIT => None,
        lines @ ..=LIMIT => {
            Some(Finding::warning(file, 0, format!("{lines} lines: split it, {SPLIT} is enough")))
        }
        lines => Some(Finding::fault(file, 0, format!("{lines} lines: {LIMIT} is the limit"))),
    };
    tree.rust().filter_map(size).collect()
}

#[cfg(test)]
#[path = "sizes_tests.rs"]
mod tests;
