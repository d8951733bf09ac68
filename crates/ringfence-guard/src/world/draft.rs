//! The documents of a run, parsed but not compiled.
//!
//! Parsing is cheap, and compiling is most of the work. A draft tells what a policy depends on
//! before it is compiled, so that an earlier result can be reused.

use ringfence_core::Context;
use ringfence_core::bytes::ByteWriter;
use ringfence_core::host::Host;
use ringfence_core::path::AbsPath;
use ringfence_manifest::Diagnostic;

use super::discovery::Documents;
use super::document_error::DocumentError;
use super::locations::PolicyLocations;
use super::surroundings::Surroundings;
use crate::policy_builder::{BuildError, BuiltPolicy, PolicyBuilder};

/// The documents that apply to a run, and their context.
#[derive(Debug)]
pub struct PolicyDraft {
    found: Documents,
    context: Context,
    /// Messages for people: what was skipped or ignored, and why.
    pub notes: Vec<String>,
}

impl PolicyDraft {
    /// Reads the policies in `named`, or those that apply at these locations.
    pub fn read(
        here: Surroundings,
        places: &PolicyLocations,
        named: &[AbsPath],
    ) -> Result<PolicyDraft, DocumentError> {
        let mut found = Documents::find_with_tables(places, named)?;
        let reports = std::mem::take(&mut found.reports);
        let notes = here.notes.into_iter().chain(reports).collect();
        Ok(PolicyDraft { found, context: here.context, notes })
    }

    /// Returns the context in which the policy is compiled.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns warnings for the documents' authors.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.found.warnings
    }

    /// Serializes everything that the policy depends on, except this program and the host.
    ///
    /// Two drafts with equal bytes compile to the same policy if the host gives the same answers.
    pub fn pack(&self, to: &mut ByteWriter) {
        let Context { root, home, cwd, tmp, system, today } = &self.context;
        to.maybe(root.as_ref(), |to, root| to.text(root.as_str()));
        to.text(home.as_str());
        to.text(cwd.as_str());
        for paths in [tmp, system] {
            to.each(paths, |to, path| to.text(path.as_str()));
        }
        to.text(today.to_string());
        self.pack_documents(to);
    }

    /// Everything that the policy depends on apart from this program, the host and the working directory:
    /// what two commands of one session must have in common.
    pub fn pack_without_directory(&self, to: &mut ByteWriter) {
        let Context { root, home, today, .. } = &self.context;
        to.maybe(root.as_ref(), |to, root| to.text(root.as_str()));
        to.text(home.as_str());
        to.text(today.to_string());
        self.pack_documents(to);
    }

    fn pack_documents(&self, to: &mut ByteWriter) {
        // A document's role depends on its location and on trust; its rules depend on its text and
        // on the files that it extends.
        to.flag(self.found.is_default);
        to.each(&self.found.documents, |to, document| {
            to.text(document.role.as_str());
            to.text(&*document.name);
        });
        to.each(&self.found.sources, |to, source| {
            to.text(&**source.name());
            to.text(source.location());
            to.text(source.text());
        });
        to.each(&self.found.files, |to, file| to.text(file.as_str()));
    }

    /// Builds the policy exactly as the documents state it, for doors that judge only what a call
    /// asks for.
    pub fn build_as_written(self, host: &dyn Host) -> Result<BuiltPolicy, BuildError> {
        PolicyBuilder::new().found(self.found).build(&self.context, host)
    }

    /// Builds the policy, with the rules of `@workspace` for every class that no document mentions.
    pub fn build(self, host: &dyn Host) -> Result<BuiltPolicy, BuildError> {
        PolicyBuilder::new().found(self.found).with_workspace_defaults().build(&self.context, host)
    }
}

#[cfg(test)]
#[path = "draft_tests.rs"]
mod tests;
