//! The committed schema is the one that the product prints.

use std::path::Path;

use super::finding::Finding;
use super::tree::Tree;
use crate::Failure;
use crate::schema::{FILE, generate};

/// Compares the committed schema, if there is one yet, with a new one.
pub(super) fn check(root: &Path, tree: &Tree) -> Result<Option<Finding>, Failure> {
    let Some((file, committed)) = tree.texts(|path| path == FILE).next() else {
        return Ok(None);
    };
    let fresh = generate(root)?;
    Ok(stale_from(committed, &fresh).map(|line| {
        Finding::fault(file, line, "not what `ringfence schema` prints: run `cargo xtask schema`")
    }))
}

/// The first line in which two texts differ.
fn stale_from(committed: &str, fresh: &str) -> Option<usize> {
    if committed == fresh {
        return None;
    }
    let same = committed.lines().zip(fresh.lines()).take_while(|(one, two)| one == two).count();
    Some(same.saturating_add(1))
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
