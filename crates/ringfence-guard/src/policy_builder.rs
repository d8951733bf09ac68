//! The one way from documents to a policy.
//!
//! Every door, the cases and embedders build their policies here, so that none of them can forget
//! what always holds: the protected files, the danger list, and the files of the documents
//! themselves. It never decides anything.

use std::fmt;

use ringfence_core::host::Host;
use ringfence_core::judge::RuleProblem;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Document, Policy};
use ringfence_manifest::{Loaded, builtin};

use crate::world::{Documents, fill_silence, keep_files, server_documents};

/// The documents from which a policy is built.
#[derive(Debug, Default)]
pub struct PolicyBuilder {
    documents: Vec<Document>,
    /// The files of the documents, which no agent may change.
    files: Vec<AbsPath>,
    fills_silence: bool,
}

impl PolicyBuilder {
    /// Returns a builder without documents. The policy that it builds denies everything.
    pub fn new() -> PolicyBuilder {
        PolicyBuilder::default()
    }

    /// Adds a document.
    #[must_use]
    pub fn document(mut self, document: Document) -> Self {
        self.documents.push(document);
        self
    }

    /// Adds a document that was read from a text, and its ceilings.
    #[must_use]
    pub fn loaded(mut self, loaded: Loaded) -> Self {
        self.documents.push(loaded.document);
        self.documents.extend(loaded.ceilings);
        self
    }

    /// Adds documents that were found on this host.
    #[must_use]
    pub fn found(mut self, found: Documents) -> Self {
        self.documents.extend(found.documents);
        self.files.extend(found.files);
        self
    }

    /// Returns a builder with the documents that hold for the process of an MCP server: what the
    /// sections of that server grant beside `@server`, under every deny rule, ceiling and danger list
    /// of the documents. Returns `None` if no section grants that server anything: nothing confines
    /// the process then.
    pub fn for_server(mut found: Documents, name: &str) -> Option<PolicyBuilder> {
        found.expand_tables();
        let documents = server_documents(&found, name)?;
        Some(PolicyBuilder { documents, files: found.files, ..PolicyBuilder::default() })
    }

    /// Protects files against changes by agents, as the files of [`found`](Self::found) documents are.
    #[must_use]
    pub fn keeping(mut self, files: impl IntoIterator<Item = AbsPath>) -> Self {
        self.files.extend(files);
        self
    }

    /// Adds the rules of `@workspace` for each class on which no document has a stance, and notes that.
    #[must_use]
    pub fn filling_silence(mut self) -> Self {
        self.fills_silence = true;
        self
    }

    /// Returns all documents of the policy with all their rules, the built-in ones first, the danger
    /// list apart.
    pub fn documents(&self) -> Vec<Document> {
        let mut documents = vec![builtin::protected_document()];
        documents.extend(keep_files(&self.files));
        documents.extend(self.documents.iter().cloned());
        documents.iter_mut().for_each(Document::expand_tables);
        documents
    }

    /// Compiles the policy: the documents, what is always protected, and the danger list.
    pub fn build(mut self, context: &Context, host: &dyn Host) -> Result<BuiltPolicy, BuildError> {
        let mut notes = Vec::new();
        if self.fills_silence {
            let silences = fill_silence(&mut self.documents);
            notes.extend(silences.into_iter().map(|silence| silence.note));
        }
        let mut documents = vec![builtin::danger_document(), builtin::protected_document()];
        documents.extend(keep_files(&self.files));
        documents.append(&mut self.documents);
        let policy = Policy::compile(documents, Vec::new(), context, host).map_err(BuildError)?;
        let notices = policy.notices().filter(|own| own.origin.line != 0);
        notes.extend(notices.map(|own| own.to_string()));
        Ok(BuiltPolicy { policy, notes })
    }
}

/// A compiled policy with notes for people.
#[derive(Debug)]
pub struct BuiltPolicy {
    /// The policy.
    pub policy: Policy,
    /// The rules that stand in for missing ones, and the rules that grant nothing here.
    pub notes: Vec<String>,
}

/// The rules because of which a policy could not be compiled: each denies something at a place that
/// cannot be told on this host.
#[derive(Debug)]
pub struct BuildError(Vec<RuleProblem>);

impl BuildError {
    /// Returns the rules with their places in documents.
    pub fn problems(&self) -> &[RuleProblem] {
        &self.0
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, problem) in self.0.iter().enumerate() {
            let separator = if number == 0 { "" } else { "\n" };
            write!(f, "{separator}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for BuildError {}

#[cfg(test)]
#[path = "policy_builder_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "policy_builder_laws_tests.rs"]
mod laws_tests;
