//! Built-in lists are data, each entry with its reason.

use toml::de::{DeArray, DeTable, DeValue};

use super::finding::Finding;
use super::manifest;
use super::tree::Tree;

/// The keys whose lists hold rules.
const LISTS: [&str; 7] = ["allow", "ask", "ceiling", "danger", "danger_list", "deny", "rule"];

/// Every rule of `policies/` says why it is there.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let lists = tree.texts(|path| path.starts_with("policies/") && path.ends_with(".toml"));
    lists.flat_map(|(file, text)| check_file(file, text)).collect()
}

fn check_file(file: &str, text: &str) -> Vec<Finding> {
    match manifest::parse(file, text) {
        Ok(table) => {
            let mut unexplained = Vec::new();
            visit_table(&table, &mut unexplained);
            let lines = unexplained.into_iter().map(|at| manifest::line_of(text, at));
            lines.map(|line| Finding::fault(file, line, "a rule without `why`")).collect()
        }
        Err(finding) => vec![finding],
    }
}

/// Collects the offsets of rules without a reason, at any depth.
fn visit_table(table: &DeTable<'_>, unexplained: &mut Vec<usize>) {
    for (key, value) in table {
        match value.get_ref() {
            DeValue::Table(inner) => visit_table(inner, unexplained),
            DeValue::Array(items) => {
                let holds_rules = LISTS.contains(&key.get_ref().as_ref());
                visit_array(items, holds_rules, unexplained);
            }
            _ => {}
        }
    }
}

fn visit_array(items: &DeArray<'_>, holds_rules: bool, unexplained: &mut Vec<usize>) {
    for item in items {
        let table = item.get_ref().as_table();
        let is_rule = holds_rules || table.is_some_and(|table| table.contains_key("pattern"));
        if is_rule && !table.is_some_and(explained) {
            unexplained.push(item.span().start);
        }
        if let Some(table) = table {
            visit_table(table, unexplained);
        }
    }
}

fn explained(rule: &DeTable<'_>) -> bool {
    manifest::string_at(rule, &["why"]).is_some_and(|why| !why.trim().is_empty())
}

#[cfg(test)]
#[path = "reasons_tests.rs"]
mod tests;
