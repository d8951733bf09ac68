//! `unsafe` lives in one crate; every other package inherits the lint that forbids it.

use toml::de::DeValue;

use super::code::{code_only, words};
use super::finding::Finding;
use super::manifest;
use super::tree::Tree;

/// The one crate that may.
const HOME: &str = "crates/ringfence-sandbox/";

/// No `unsafe` outside its home, and the compiler holds every other package of ours to that.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let uses = tree.rust().filter(|(file, _)| !file.starts_with(HOME)).flat_map(uses);
    uses.chain(lint_is_set(tree)).chain(lint_is_inherited(tree)).collect()
}

fn uses((file, text): (&str, &str)) -> Vec<Finding> {
    let message = format!("`unsafe` belongs in {HOME}");
    words(&code_only(text))
        .filter(|word| word.text == "unsafe")
        .map(|word| Finding::fault(file, word.line, message.clone()))
        .collect()
}

fn lint_is_set(tree: &Tree) -> impl Iterator<Item = Finding> {
    tree.texts(|path| path == "Cargo.toml").filter_map(|(file, text)| {
        let table = match manifest::parse(file, text) {
            Ok(table) => table,
            Err(finding) => return Some(finding),
        };
        let level = manifest::string_at(&table, &["workspace", "lints", "rust", "unsafe_code"]);
        let message = "`[workspace.lints.rust]` must say `unsafe_code = \"forbid\"`";
        (level != Some("forbid")).then(|| Finding::fault(file, 0, message))
    })
}

fn lint_is_inherited(tree: &Tree) -> impl Iterator<Item = Finding> {
    let ours = |path: &str| {
        path == "xtask/Cargo.toml"
            || path.starts_with("crates/")
                && path.ends_with("/Cargo.toml")
                && !path.starts_with(HOME)
    };
    tree.texts(ours).filter_map(|(file, text)| {
        // What is not TOML is found by the check of the arrows.
        let table = manifest::parse(file, text).ok()?;
        let inherited = manifest::table_at(&table, &["lints"])
            .and_then(|lints| lints.get("workspace"))
            .is_some_and(|value| matches!(value.get_ref(), DeValue::Boolean(true)));
        let message = "`[lints]` must say `workspace = true`, which forbids `unsafe`";
        (!inherited).then(|| Finding::fault(file, 0, message))
    })
}

#[cfg(test)]
#[path = "unsafe_code_tests.rs"]
mod tests;
