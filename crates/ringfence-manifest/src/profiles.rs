//! Built-in profiles: ordinary documents, compiled in.

use std::sync::Arc;

use ringfence_core::document::Stance;
use ringfence_core::judge::{Listed, Stand};
use ringfence_core::{Class, Document, Effect, Role, Rule, Scope};

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
        let mut document = self.without_rules(role);
        document.rules.reserve(compiled::count(self.0.rules, classes));
        self.add_records(&mut document, compiled::records(self.0.rules, classes));
        document
    }

    /// The profile as a document of this role, with all that it says apart from rules.
    pub(crate) fn without_rules(self, role: Role) -> Document {
        let mut document = Document::new(self.title(), role);
        document.default = self.0.default.and_then(|word| word.parse().ok());
        document.danger = self.0.has_danger.then(Vec::new);
        document
    }

    /// Adds to a document those rules of the profile on some classes that pass, by their patterns
    /// and by what they do in a decision; and every stance of the profile, whichever rule it comes
    /// from.
    pub fn extract(
        self,
        document: &mut Document,
        classes: &[Class],
        mut passes: impl FnMut(Listed<'_>) -> bool,
    ) {
        let stance = |class: &Class| Stance { class: *class, scope: Scope::default() };
        document.stances.extend(self.0.stances.iter().map(stance));
        let passes = |rule: Listed<'_>| {
            // These have stances of their own kind.
            let is_special = rule.is_scoped || rule.pattern.starts_with("mcp:");
            is_special || passes(rule)
        };
        self.add_records(document, compiled::records_where(self.0.rules, classes, passes));
    }

    fn add_records(self, document: &mut Document, records: impl Iterator<Item = Record>) {
        let name = self.title();
        records.for_each(|record| add(document, record, &name));
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

fn add(document: &mut Document, record: Record, name: &Arc<str>) {
    let effect = match record.stand {
        Stand::Ask => Effect::Ask,
        stand if stand.is_mild() => Effect::Allow,
        _ => Effect::Deny,
    };
    // INVARIANT: every rule parses; `profiles_tests` holds the profiles to it.
    let Ok(rule) = record.rule(effect, name) else { return };
    let list: &mut Vec<Rule> = match record.stand {
        Stand::OptIn => document.danger.get_or_insert_default(),
        Stand::Danger => &mut document.dangerous,
        _ => &mut document.rules,
    };
    list.push(rule);
}

#[cfg(test)]
#[path = "profiles_tests.rs"]
mod tests;
