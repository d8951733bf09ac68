//! The danger list and the list of what is always protected.

use ringfence_core::{Document, Role, Rule};

use crate::compiled::{self, List};
use crate::rule_record::RuleRecord;

/// An entry of a built-in list, as `policies/` has it.
#[derive(Debug, Clone, Copy)]
pub struct Entry(RuleRecord<'static>);

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

    /// Why its reason does not apply to some use; empty if it applies to all.
    pub fn harmless_why(&self) -> &'static str {
        self.0.harmless_why
    }

    /// The line of its pattern in its file under `policies/`.
    pub fn line(&self) -> u32 {
        self.0.line
    }
}

/// Returns the entries of the danger list, in the order of `policies/danger.toml`.
pub fn danger_entries() -> impl Iterator<Item = Entry> {
    entries(&compiled::DANGER)
}

/// Returns what is always protected, in the order of `policies/protected.toml`.
pub fn protected_entries() -> impl Iterator<Item = Entry> {
    entries(&compiled::PROTECTED)
}

/// Returns the danger list as a document whose rules are in a table.
pub fn danger_document() -> Document {
    let mut document = Document::new("danger list", Role::BuiltIn);
    document.tables.push(compiled::DANGER.table);
    document
}

/// Returns the rules of the danger list.
pub fn danger_rules() -> Vec<Rule> {
    let mut document = danger_document();
    document.expand_tables();
    document.dangerous
}

/// Returns what is always protected as a document whose rules are in a table.
pub fn protected_document() -> Document {
    let mut document = Document::new("protected", Role::BuiltIn);
    document.tables.push(compiled::PROTECTED.table);
    document
}

fn entries(list: &'static List) -> impl Iterator<Item = Entry> {
    let mut entries: Vec<RuleRecord<'static>> = list.records().map(|(_, record)| record).collect();
    entries.sort_by_key(|entry| entry.line);
    entries.into_iter().map(Entry)
}

#[cfg(test)]
#[path = "builtin_tests.rs"]
mod tests;
