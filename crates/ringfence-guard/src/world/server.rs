//! The documents that hold for the process of an MCP server.

use ringfence_core::document::Stance;
use ringfence_core::{Class, Document, Effect, Role, Rule, Scope};
use ringfence_manifest::profiles;

use super::discovery::Documents;

/// The classes that a server's process is held to.
const HELD: [Class; 6] =
    [Class::Exec, Class::Files, Class::Net, Class::Socket, Class::Env, Class::Keychain];

/// The documents that hold for a server's process: what its sections grant beside `@server`, under
/// every deny rule, ceiling and danger list in force. `None` where no section grants it anything:
/// nothing confines it then.
pub(crate) fn server_documents(found: &Documents, name: &str) -> Option<Vec<Document>> {
    let sections = found.servers.iter().filter(|(own, _)| &**own == name);
    let sections: Vec<Document> = sections.map(|(_, document)| document.clone()).collect();
    if !sections.iter().any(|document| document.role.grants()) {
        return None;
    }
    let mut documents: Vec<Document> = found.documents.iter().map(narrowing).collect();
    documents.push(base(&sections)?);
    documents.extend(sections);
    Some(documents)
}

/// What a document in force says against anything that runs on this machine.
fn narrowing(document: &Document) -> Document {
    if !document.role.grants() {
        return document.clone();
    }
    let mut own = Document::new(document.name.clone(), document.role);
    let denies = document.rules.iter().filter(|rule| rule.effect == Effect::Deny);
    own.rules = denies.cloned().collect();
    own.dangerous = document.dangerous.clone();
    own.programs = document.programs.clone();
    own.settings = document.settings.clone();
    // Elsewhere these are opt-ins, and a server has those of its section.
    own.danger = document.danger.clone().filter(|_| document.role == Role::Organisation);
    own
}

/// `@server`, with a word on every class: what nobody lists is not granted.
fn base(sections: &[Document]) -> Option<Document> {
    let speaks = |rule: &Rule| rule.pattern.class() == Class::Exec && rule.effect != Effect::Deny;
    let has_commands = sections.iter().any(|own| own.rules.iter().any(speaks));
    let classes: Vec<Class> =
        HELD.into_iter().filter(|class| *class != Class::Exec || !has_commands).collect();
    let mut base = profiles::get("server")?.document_of(Role::User, &classes);
    base.stances = HELD.map(|class| Stance { class, scope: Scope::default() }).into();
    Some(base)
}

#[cfg(test)]
#[path = "server_tests.rs"]
mod tests;
