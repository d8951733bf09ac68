//! Built-in profiles: ordinary documents, compiled in.

use std::sync::Arc;

use ringfence_core::{Class, Document, Effect, Role, Rule};

use crate::compiled::{self, Compiled, Record};
use crate::load::{Loaded, NoLibrary};
use crate::text::{Errors, Format, Source};

/// A document that comes with ringfence.
#[derive(Debug, Clone, Copy)]
pub struct Profile(&'static Compiled);

/// The profile of this name, without its `@`.
pub fn get(name: &str) -> Option<Profile> {
    compiled::PROFILES.iter().find(|profile| profile.name == name).map(Profile)
}

/// The names of all profiles, without their `@`.
pub fn names() -> impl Iterator<Item = &'static str> {
    compiled::PROFILES.iter().map(|profile| profile.name)
}

impl Profile {
    /// The name, without its `@`.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The text in which it is written.
    pub fn text(self) -> &'static str {
        self.0.text
    }

    /// The profile as a document of this role.
    pub fn document(self, role: Role) -> Document {
        self.document_of(role, &Class::ALL)
    }

    /// The profile as a document of this role, as far as its rules are about these classes.
    ///
    /// A verdict on an access of one class depends on no rule of another.
    pub fn document_of(self, role: Role, classes: &[Class]) -> Document {
        let name: Arc<str> = format!("@{}", self.0.name).into();
        let mut document = Document::new(Arc::clone(&name), role);
        document.default = self.0.default.and_then(|word| word.parse().ok());
        document.rules.reserve(compiled::count(self.0.rules, classes));
        for record in compiled::records(self.0.rules, classes) {
            add(&mut document, record, &name);
        }
        document
    }

    /// The profile read from its text, with its tests.
    pub fn load(self, role: Role) -> Result<Loaded, Errors> {
        crate::load::read(&self.source()?, role, &NoLibrary)
    }

    fn source(self) -> Result<Source, Errors> {
        Source::new(format!("@{}", self.0.name), Format::Toml, self.0.text)
    }
}

fn add(document: &mut Document, record: Record, name: &Arc<str>) {
    let effect = match record.list {
        "allow" | "danger" => Effect::Allow,
        "ask" => Effect::Ask,
        _ => Effect::Deny,
    };
    // INVARIANT: every rule parses; `profiles_tests` holds the profiles to it.
    let Ok(rule) = record.rule(effect, name) else { return };
    let list: &mut Vec<Rule> = match record.list {
        "danger" => document.danger.get_or_insert_default(),
        "danger_list" => &mut document.dangerous,
        _ => &mut document.rules,
    };
    list.push(rule);
}

#[cfg(test)]
#[path = "profiles_tests.rs"]
mod tests;
