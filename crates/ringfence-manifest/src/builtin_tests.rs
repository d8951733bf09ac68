use std::sync::Arc;

use ringfence_core::{Class, Effect, Pattern};

use super::{danger_entries, danger_rules_of, protected_document_of, protected_entries};

#[test]
fn every_entry_of_the_lists_parses() {
    let name: Arc<str> = "x".into();
    for entry in danger_entries().chain(protected_entries()) {
        let rule = entry.0.rule(Effect::Deny, &name);
        let rule = rule.map_err(|error| format!("line {}: {error}", entry.line()));
        assert!(rule.is_ok(), "{rule:?}");
        // What is read when it is needed must be readable now.
        let pattern = Pattern::parse(entry.pattern());
        assert!(pattern.is_ok(), "{pattern:?}");
        assert!(!entry.why().is_empty() && !entry.source().is_empty() && entry.line() > 0);
    }
}

#[test]
fn rules_stand_under_their_class() {
    for class in Class::ALL {
        let rules = danger_rules_of(&[class]).into_iter();
        let mut rules = rules.chain(protected_document_of(&[class]).rules);
        assert!(rules.all(|rule| rule.pattern.class() == class), "{class}");
    }
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
