//! The danger list and the list of what is always protected.

use std::sync::Arc;

use ringfence_core::judge::Listed;
use ringfence_core::{Class, Document, Effect, Role, Rule};

use crate::compiled::{self, Record, Section};

/// An entry of a built-in list, as `policies/` has it.
#[derive(Debug, Clone, Copy)]
pub struct Entry(Record);

impl Entry {
    /// What it matches.
    pub fn pattern(&self) -> &'static str {
        self.0.pattern
    }

    /// Why it is there, as a person reads it in a refusal.
    pub fn why(&self) -> &'static str {
        self.0.why
    }

    /// What it does not match after all.
    pub fn except(&self) -> impl Iterator<Item = &'static str> {
        self.0.excepts()
    }

    /// Where the reason comes from.
    pub fn source(&self) -> &'static str {
        self.0.source
    }

    /// The group of the danger list to which it belongs; empty for protected entries.
    pub fn group(&self) -> &'static str {
        self.0.group
    }

    /// The line of its pattern in its file under `policies/`.
    pub fn line(&self) -> u32 {
        self.0.line
    }
}

/// The entries of the danger list, in the order of `policies/danger.toml`.
pub fn danger_entries() -> impl Iterator<Item = Entry> {
    entries(compiled::DANGER)
}

/// What is always protected, in the order of `policies/protected.toml`.
pub fn protected_entries() -> impl Iterator<Item = Entry> {
    entries(compiled::PROTECTED)
}

/// The danger list.
pub fn danger_rules() -> Vec<Rule> {
    danger_rules_of(&Class::ALL)
}

/// The danger list as far as it is about these classes.
pub fn danger_rules_of(classes: &[Class]) -> Vec<Rule> {
    danger_rules_where(classes, |_| true)
}

/// The danger list as far as it is about these classes and its patterns pass.
pub fn danger_rules_where(classes: &[Class], passes: impl FnMut(Listed<'_>) -> bool) -> Vec<Rule> {
    rules(compiled::DANGER, "danger list", classes, passes)
}

/// What is always protected.
pub fn protected_document() -> Document {
    protected_document_of(&Class::ALL)
}

/// What is always protected, as far as it is about these classes.
pub fn protected_document_of(classes: &[Class]) -> Document {
    protected_document_where(classes, |_| true)
}

/// What is always protected, as far as it is about these classes and its patterns pass.
pub fn protected_document_where(
    classes: &[Class],
    passes: impl FnMut(Listed<'_>) -> bool,
) -> Document {
    let mut document = Document::new("protected", Role::BuiltIn);
    document.rules = rules(compiled::PROTECTED, "protected", classes, passes);
    document
}

fn entries(list: &'static [Section]) -> impl Iterator<Item = Entry> {
    let mut entries: Vec<Record> = compiled::records(list, &Class::ALL).collect();
    entries.sort_by_key(|entry| entry.line);
    entries.into_iter().map(Entry)
}

fn rules(
    list: &'static [Section],
    name: &str,
    classes: &[Class],
    passes: impl FnMut(Listed<'_>) -> bool,
) -> Vec<Rule> {
    let name: Arc<str> = name.into();
    let records = compiled::records_where(list, classes, passes);
    // INVARIANT: every entry parses; `builtin_tests` holds the lists to it.
    records.filter_map(|it| it.rule(Effect::Deny, &name).ok()).collect()
}

#[cfg(test)]
#[path = "builtin_tests.rs"]
mod tests;
