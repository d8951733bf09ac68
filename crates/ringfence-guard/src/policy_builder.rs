//! Builds every policy from its documents.
//!
//! All doors, test cases and embedders use this builder. It always adds the protected paths, the
//! danger list, and the denial of changes to the policy files. It never decides.

use std::fmt;

use ringfence_core::host::Host;
use ringfence_core::judge::RuleProblem;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Document, Policy};
use ringfence_manifest::{Loaded, builtin};

use crate::world::{Documents, add_workspace_defaults, protect_policy_files, server_documents};

/// Builds a policy from documents.
#[derive(Debug, Default)]
pub struct PolicyBuilder {
    documents: Vec<Document>,
    /// The files of the documents, which no agent may change.
    files: Vec<AbsPath>,
    adds_workspace_defaults: bool,
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

    /// Adds a parsed document and its ceilings.
    #[must_use]
    pub fn loaded(mut self, loaded: Loaded) -> Self {
        self.documents.push(loaded.document);
        self.documents.extend(loaded.ceilings);
        self
    }

    /// Adds the documents found on this host.
    #[must_use]
    pub fn found(mut self, found: Documents) -> Self {
        self.documents.extend(found.documents);
        self.files.extend(found.files);
        self
    }

    /// Returns a builder for the process of an MCP server: the grants of the server's sections and
    /// of `@server`, under every deny rule, ceiling and danger list.
    ///
    /// Returns `None` if no section grants the server anything; its process is then not confined.
    pub fn for_server(mut found: Documents, name: &str) -> Option<PolicyBuilder> {
        found.expand_tables();
        let documents = server_documents(&found, name)?;
        Some(PolicyBuilder { documents, files: found.files, ..PolicyBuilder::default() })
    }

    /// Denies changes to these files by agents, as for the files of [`found`](Self::found) documents.
    #[must_use]
    pub fn protecting_files(mut self, files: impl IntoIterator<Item = AbsPath>) -> Self {
        self.files.extend(files);
        self
    }

    /// Adds the rules of `@workspace` for every class on which no document has a stance, with a
    /// note about each.
    #[must_use]
    pub fn with_workspace_defaults(mut self) -> Self {
        self.adds_workspace_defaults = true;
        self
    }

    /// Returns all documents of the policy with all their rules, built-in ones first, without the
    /// danger list.
    pub fn documents(&self) -> Vec<Document> {
        let mut documents = vec![builtin::protected_document()];
        documents.extend(protect_policy_files(&self.files));
        documents.extend(self.documents.iter().cloned());
        documents.iter_mut().for_each(Document::expand_tables);
        documents
    }

    /// Compiles the documents, the protected paths and the danger list into a policy.
    pub fn build(mut self, context: &Context, host: &dyn Host) -> Result<BuiltPolicy, BuildError> {
        let silences = match self.adds_workspace_defaults {
            true => add_workspace_defaults(&mut self.documents),
            false => Vec::new(),
        };
        let mut documents = vec![builtin::danger_document(), builtin::protected_document()];
        documents.extend(protect_policy_files(&self.files));
        documents.append(&mut self.documents);
        let policy = Policy::compile(documents, Vec::new(), context, host).map_err(BuildError)?;
        let workspace_notes = silences.into_iter().map(|silence| silence.note).collect();
        Ok(BuiltPolicy { policy, workspace_notes })
    }
}

/// A compiled policy, with notes for people.
#[derive(Debug)]
pub struct BuiltPolicy {
    /// The policy.
    pub policy: Policy,
    /// Notes about classes that `@workspace` fills.
    workspace_notes: Vec<String>,
}

impl BuiltPolicy {
    /// Returns notes about classes that `@workspace` fills, and about rules that grant nothing here.
    ///
    /// The notes about rules are written when they are asked for: a hook shows none.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let notices = self.policy.notices().filter(|own| own.origin.line != 0);
        self.workspace_notes.iter().cloned().chain(notices.map(|own| own.to_string()))
    }
}

/// The rules that prevent the policy from being compiled. Each denies a path that cannot be
/// determined on this host.
#[derive(Debug)]
pub struct BuildError(Vec<RuleProblem>);

impl BuildError {
    /// Returns the rules with their locations in the documents.
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
