//! Unit tests stand in a sibling file, so that a file's length is the length of its idea.

use super::code::{code_only, words};
use super::finding::Finding;
use super::tree::Tree;

/// No module of tests with its body inside another file.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust().flat_map(|(file, text)| check_file(file, &code_only(text))).collect()
}

fn check_file(file: &str, code: &str) -> Vec<Finding> {
    let message = "tests stand in a sibling file: `#[path = \"NAME_tests.rs\"] mod tests;`";
    words(code)
        .filter(|word| word.text == "mod")
        .filter(|word| {
            let name = words(word.after).next();
            name.is_some_and(|name| {
                let named_so =
                    ["test", "tests"].contains(&name.text) || name.text.ends_with("_tests");
                named_so && name.after.trim_start().starts_with('{')
            })
        })
        .map(|word| Finding::fault(file, word.line, message))
        .collect()
}

#[cfg(test)]
#[path = "inline_tests_tests.rs"]
mod tests;
