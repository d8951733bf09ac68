use std::sync::Arc;

use ringfence_core::Pattern;
use ringfence_core::judge::RuleKind;

use super::{danger_entries, danger_rules, protected_document, protected_entries};

#[test]
fn every_entry_of_the_lists_parses() {
    let name: Arc<str> = "x".into();
    for entry in danger_entries().chain(protected_entries()) {
        let rule = entry.0.rule(RuleKind::Deny, &name);
        let rule = rule.map_err(|error| format!("line {}: {error}", entry.line()));
        assert!(rule.is_ok(), "{rule:?}");
        let pattern = Pattern::parse(entry.pattern());
        assert!(pattern.is_ok(), "{pattern:?}");
        assert!(!entry.why().is_empty() && !entry.source().is_empty() && entry.line() > 0);
    }
}

#[test]
fn every_entry_is_a_rule_of_its_table() {
    let mut protected = protected_document();
    protected.expand_tables();
    assert!(protected.tables.is_empty());
    let lines = |rules: &[ringfence_core::Rule]| {
        let mut lines: Vec<u32> = rules.iter().map(|rule| rule.origin.line).collect();
        lines.sort_unstable();
        lines
    };
    assert!(lines(&protected.rules).into_iter().eq(protected_entries().map(|own| own.line())));
    assert!(lines(&danger_rules()).into_iter().eq(danger_entries().map(|own| own.line())));
}

#[test]
fn the_lists_are_as_long_as_their_files() {
    let danger = include_str!("../../../policies/danger.toml").matches("\n[[danger]]\n").count();
    assert_eq!(danger_entries().count(), danger);
    let protected = include_str!("../../../policies/protected.toml");
    assert_eq!(protected_entries().count(), protected.matches("\n[[protected]]\n").count());
    assert!(danger_entries().all(|entry| !entry.group().is_empty()));
    assert!(danger_entries().any(|entry| entry.except().count() > 1));
}
