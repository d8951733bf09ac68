//! Fills in classes on which no document has a stance.
//!
//! A confined run enforces every class. For a class that no document mentions, the rules of
//! `@workspace` apply, and the user is told.

use ringfence_core::{Class, Document, Effect, Role};
use ringfence_manifest::profiles;

/// The classes that a run enforces.
const HELD: [Class; 5] = [Class::Exec, Class::Files, Class::Net, Class::Socket, Class::Env];

/// A class on which no document has a stance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClassDefault {
    /// The class.
    pub(crate) class: Class,
    /// A message for people about the rules that apply instead.
    pub(crate) note: String,
}

/// Adds the rules of `@workspace` for every class on which no granting document has a stance.
pub(crate) fn add_workspace_defaults(documents: &mut Vec<Document>) -> Vec<ClassDefault> {
    let silent: Vec<Class> =
        HELD.into_iter().filter(|class| is_silent(documents, *class)).collect();
    let Some(workspace) = profiles::get("workspace").filter(|_| !silent.is_empty()) else {
        return Vec::new();
    };
    let mut filled = workspace.document_of(Role::User, &silent);
    // A `default` would also apply to other classes. Only its effect on commands is kept.
    let denies = |document: &Document| document.default == Some(Effect::Deny);
    filled.default = None;
    match silent.contains(&Class::Exec) {
        true if !granting(documents).any(denies) => filled.exec_default = Some(Effect::Ask),
        true => {}
        false => filled.settings.unlisted_programs = None,
    }
    documents.push(filled);
    let note = |class: Class| {
        format!("no document mentions {}: the rules of `@workspace` apply", word(class))
    };
    silent.into_iter().map(|class| ClassDefault { class, note: note(class) }).collect()
}

fn is_silent(documents: &[Document], class: Class) -> bool {
    !granting(documents).any(|document| document.has_stance_on(class))
}

fn granting(documents: &[Document]) -> impl Iterator<Item = &Document> {
    documents.iter().filter(|document| document.role.grants())
}

fn word(class: Class) -> &'static str {
    match class {
        Class::Exec => "running programs",
        Class::Files => "files",
        Class::Net => "the network",
        Class::Socket => "unix sockets",
        Class::Env => "variables",
        Class::Tool => "tools",
        Class::Keychain => "the keychain",
    }
}

#[cfg(test)]
#[path = "workspace_defaults_tests.rs"]
mod tests;
