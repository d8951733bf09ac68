//! Nothing unfinished is committed: no placeholder bodies, no tests that do not run.

use super::code::{code_only, words};
use super::finding::Finding;
use super::tree::Tree;

/// Macros that stand where code should.
const PLACEHOLDERS: [&str; 2] = ["todo", "unimplemented"];

/// No placeholder and no ignored test in any Rust file.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust().flat_map(|(file, text)| check_file(file, &code_only(text))).collect()
}

fn check_file(file: &str, code: &str) -> Vec<Finding> {
    let placeholders = words(code)
        .filter(|word| PLACEHOLDERS.contains(&word.text) && word.after.starts_with('!'))
        .map(|word| Finding::fault(file, word.line, format!("`{}!`: write it", word.text)));
    let ignored =
        code.lines().zip(1..).filter(|(line, _)| line.contains("#[ignore")).map(|(_, number)| {
            Finding::fault(file, number, "an ignored test shows nothing: run it or remove it")
        });
    placeholders.chain(ignored).collect()
}

#[cfg(test)]
#[path = "unfinished_tests.rs"]
mod tests;
