//! Classes on which no document has a stance, for doors that leave none open.
//!
//! A confined run holds every class. Where nobody says anything, `@workspace` speaks, and whoever
//! starts the run is told.

use ringfence_core::pattern::{CommandPattern, Pattern};
use ringfence_core::{Class, Document, Effect, Origin, Role, Rule};
use ringfence_manifest::profiles;

/// The classes that a run is held to.
const HELD: [Class; 5] = [Class::Exec, Class::Files, Class::Net, Class::Socket, Class::Env];

/// A class on which no document has a stance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Silence {
    /// The class.
    pub(crate) class: Class,
    /// What holds instead, in words for people.
    pub(crate) note: String,
}

/// Adds `@workspace`'s rules of every class on which no granting document has a stance.
pub(crate) fn fill_silence(documents: &mut Vec<Document>) -> Vec<Silence> {
    let silent: Vec<Class> =
        HELD.into_iter().filter(|class| is_silent(documents, *class)).collect();
    let Some(workspace) = profiles::get("workspace").filter(|_| !silent.is_empty()) else {
        return Vec::new();
    };
    let mut filled = workspace.document_of(Role::User, &silent);
    // A default would hold for the classes of others too; only what it says of commands counts.
    let denies = |document: &Document| document.default == Some(Effect::Deny);
    filled.default = None;
    if silent.contains(&Class::Exec) && !granting(documents).any(denies) {
        filled.rules.extend(any_command());
    }
    documents.push(filled);
    let note = |class: Class| format!("no document speaks of {}: `@workspace` holds", word(class));
    silent.into_iter().map(|class| Silence { class, note: note(class) }).collect()
}

fn is_silent(documents: &[Document], class: Class) -> bool {
    !granting(documents).any(|document| document.has_stance_on(class))
}

fn granting(documents: &[Document]) -> impl Iterator<Item = &Document> {
    documents.iter().filter(|document| document.role.grants())
}

/// What `@workspace` does not list is asked about.
fn any_command() -> Option<Rule> {
    let pattern = Pattern::Command(CommandPattern::parse("*").ok()?);
    Some(Rule::new(Effect::Ask, pattern, Origin::built_in("@workspace")))
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
#[path = "silence_tests.rs"]
mod tests;
