//! Policies are compiled in one place, so that no door forgets what always holds.

use super::code::code_only;
use super::finding::Finding;
use super::tree::Tree;

/// The call that compiles a policy from documents alone.
const CALL: &str = "Policy::compile(";

/// The place from which doors and embedders have their policies.
const BUILDER: &str = "crates/ringfence-guard/src/policy_builder.rs";

/// Returns a finding for each other place in a product crate that compiles documents by itself.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust().filter(|(file, _)| is_held(file)).flat_map(calls).collect()
}

/// Returns whether a file is part of a product crate that stands above the judge. Tests of the
/// crates below the guard have no builder.
fn is_held(file: &str) -> bool {
    let is_test = file.contains("/tests/") || file.ends_with("_tests.rs");
    file.starts_with("crates/")
        && !file.starts_with("crates/ringfence-core/")
        && file != BUILDER
        && !is_test
}

fn calls((file, text): (&str, &str)) -> Vec<Finding> {
    let code = code_only(text);
    let lines = (1..).zip(code.lines());
    lines
        .filter(|(_, line)| line.contains(CALL))
        .map(|(number, _)| Finding::fault(file, number, "`PolicyBuilder` makes policies"))
        .collect()
}

#[cfg(test)]
#[path = "one_builder_tests.rs"]
mod tests;
