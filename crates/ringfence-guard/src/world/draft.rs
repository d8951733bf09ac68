//! The documents of a run, read but not compiled.
//!
//! Reading what people wrote takes little; compiling it is most of the work. A draft says what a policy depends on before that work is done.

use ringfence_core::bytes::ByteWriter;
use ringfence_core::host::Host;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Effect};
use ringfence_manifest::Diagnostic;

use super::discovery::Documents;
use super::document_error::DocumentError;
use super::places::Places;
use super::surroundings::Surroundings;
use crate::policy_builder::{BuildError, BuiltPolicy, PolicyBuilder};

/// The documents that apply to a run, and its surroundings.
#[derive(Debug)]
pub struct Draft {
    found: Documents,
    context: Context,
    /// What people should know: what was passed over or ignored, and why.
    pub notes: Vec<String>,
}

impl Draft {
    /// Reads the policies that a person named, or those that apply at these places.
    pub fn read(
        here: Surroundings,
        places: &Places,
        named: &[AbsPath],
    ) -> Result<Draft, DocumentError> {
        let mut found = Documents::find_with_tables(places, named)?;
        let reports = std::mem::take(&mut found.reports);
        let notes = here.notes.into_iter().chain(reports).collect();
        Ok(Draft { found, context: here.context, notes })
    }

    /// The surroundings in which it is compiled.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// What the authors of documents should know.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.found.warnings
    }

    /// Whether what nobody lists is asked about.
    pub fn asks_by_default(&self) -> bool {
        let mut defaults = self.found.documents.iter().filter_map(|document| document.default);
        self.found.is_default || defaults.any(|own| own == Effect::Ask)
    }

    /// Everything that the policy depends on, apart from this program and the host: two drafts with
    /// the same bytes compile to the same policy on a host that gives the same answers.
    pub fn pack(&self, to: &mut ByteWriter) {
        let Context { root, home, cwd, tmp, system, today } = &self.context;
        to.maybe(root.as_ref(), |to, root| to.text(root.as_str()));
        to.text(home.as_str());
        to.text(cwd.as_str());
        for paths in [tmp, system] {
            to.each(paths, |to, path| to.text(path.as_str()));
        }
        to.text(today.to_string());
        // Which part a document plays depends on where it lies and on what people have trusted; what
        // it says, on its own text and that of the files it extends.
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

    /// Builds the policy as the documents say it, for doors that hold what a call asks for and no more.
    pub fn build_as_written(self, host: &dyn Host) -> Result<BuiltPolicy, BuildError> {
        PolicyBuilder::new().found(self.found).build(&self.context, host)
    }

    /// Builds the policy. What no document speaks of is as `@workspace` says.
    pub fn build(self, host: &dyn Host) -> Result<BuiltPolicy, BuildError> {
        PolicyBuilder::new().found(self.found).filling_silence().build(&self.context, host)
    }
}

#[cfg(test)]
#[path = "draft_tests.rs"]
mod tests;
