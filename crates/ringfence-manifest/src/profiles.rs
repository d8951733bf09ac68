//! Built-in profiles: ordinary documents, compiled in.

use std::sync::Arc;

use ringfence_core::{Class, Document, Effect, Role, Rule};

use crate::compiled::{self, Compiled};
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

    /// Returns the profile as a document of this role.
    pub fn document(self, role: Role) -> Document {
        let mut document = self.table_document(role);
        document.expand_tables();
        document
    }

    /// Returns those rules of the profile that are about these classes as a document of this role.
    pub fn document_of(self, role: Role, classes: &[Class]) -> Document {
        let mut document = self.document(role);
        let is_about = |rule: &Rule| classes.contains(&rule.pattern.class());
        document.rules.retain(is_about);
        document.dangerous.retain(is_about);
        document.danger.iter_mut().for_each(|rules| rules.retain(is_about));
        document
    }

    /// Returns the profile as a document of this role whose rules are in a table.
    pub fn table_document(self, role: Role) -> Document {
        let mut document = Document::new(self.title(), role);
        document.default = self.0.default.and_then(|word| word.parse().ok());
        document.settings.unlisted_programs = self.0.unlisted_programs.and_then(unlisted);
        document.danger = self.0.has_danger.then(Vec::new);
        document.tables.push(self.0.rules.table);
        document
    }

    fn title(self) -> Arc<str> {
        format!("@{}", self.0.name).into()
    }

    /// The profile read from its text, with its tests.
    pub fn load(self, role: Role) -> Result<Loaded, Errors> {
        crate::load::read(&self.source()?, role, &NoLibrary)
    }

    fn source(self) -> Result<Source, Errors> {
        Source::new(format!("@{}", self.0.name), Format::Toml, self.0.text)
    }
}

/// Reads `[sandbox] unlisted_programs`.
fn unlisted(word: &str) -> Option<Effect> {
    match word {
        "run" => Some(Effect::Allow),
        word => word.parse().ok().filter(|effect| *effect != Effect::Allow),
    }
}

#[cfg(test)]
#[path = "profiles_tests.rs"]
mod tests;
