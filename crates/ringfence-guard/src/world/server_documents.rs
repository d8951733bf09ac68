//! The documents that apply to the process of an MCP server.

use ringfence_core::document::Stance;
use ringfence_core::{Class, Document, Effect, Role, Rule, Scope};
use ringfence_manifest::profiles;

use super::discovery::Documents;

/// The classes that a server's process is confined in.
const HELD: [Class; 6] =
    [Class::Exec, Class::Files, Class::Net, Class::Socket, Class::Env, Class::Keychain];

/// Returns the documents that apply to a server's process: the grants of its own sections and of
/// `@server`, under every deny rule, ceiling and danger list in force.
///
/// Returns `None` if no section grants the server anything; its process is then not confined.
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

/// Returns the part of a document that restricts every process on this machine.
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
    // Elsewhere, danger lists are opt-ins; a server has only the opt-ins of its own section.
    own.danger = document.danger.clone().filter(|_| document.role == Role::Organisation);
    own
}

/// Returns `@server` with a stance on every class, so that everything unlisted is denied.
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
#[path = "server_documents_tests.rs"]
mod tests;
