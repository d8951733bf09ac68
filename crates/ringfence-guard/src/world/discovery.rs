//! Finds and reads the documents that apply.
//!
//! The organisation's policy always applies. The user's and the project's policies apply unless the
//! command line names others. A policy that exists but is unreadable or unsafe is an error: no
//! decision is ever made without it.

use std::sync::Arc;

use ringfence_core::path::AbsPath;
use ringfence_core::{Document, Effect, Role};
use ringfence_manifest::{Diagnostic, Extended, PolicyTest, Source, profiles, read_with_tables};

use super::answers;
use super::document_error::DocumentError;
use super::library::FileLibrary;
use super::locations::{POLICY_FILES, PROJECT_FILES, PolicyLocations};
use super::policy_file::{self, FileRequirement};
use super::project::{self, OpenedPolicy};
use super::untrusted;

/// The documents in force, and what was learnt while reading them.
#[derive(Debug, Default)]
pub struct Documents {
    /// The documents, including the ceilings that they contain.
    pub documents: Vec<Document>,
    /// The source texts of the documents, except those of profiles.
    pub sources: Vec<Source>,
    /// The tests in the documents, each with the name of its document.
    pub tests: Vec<(Arc<str>, PolicyTest)>,
    /// The confined MCP servers, each with the document that grants its permissions.
    pub servers: Vec<(Arc<str>, Document)>,
    /// Warnings for the documents' authors.
    pub warnings: Vec<Diagnostic>,
    /// Messages about parts that were ignored, and why.
    pub reports: Vec<String>,
    /// Every file that was read, by its real path and by the path given. No agent may change them.
    pub files: Vec<AbsPath>,
    /// Whether no policy exists and `@workspace` is used instead.
    pub is_default: bool,
}

impl Documents {
    /// Finds and reads the documents that apply at these locations.
    ///
    /// Policies in `named` replace those of the user and the project. The first one grants; the
    /// others are ceilings.
    pub fn find(places: &PolicyLocations, named: &[AbsPath]) -> Result<Documents, DocumentError> {
        let mut found = Documents::find_with_tables(places, named)?;
        found.expand_tables();
        Ok(found)
    }

    /// Reads the documents like [`find`](Self::find), but keeps the rules of profiles in compiled
    /// tables. This is faster and enough to build a policy.
    pub fn find_with_tables(
        places: &PolicyLocations,
        named: &[AbsPath],
    ) -> Result<Documents, DocumentError> {
        let mut found = Documents::default();
        found.add_organisation(places)?;
        match named.split_first() {
            Some((first, further)) => {
                found.add_named(first, Role::Named, &places.cwd)?;
                further
                    .iter()
                    .try_for_each(|path| found.add_named(path, Role::Ceiling, &places.cwd))?;
            }
            None => {
                found.add_user(places)?;
                found.add_answers(places)?;
                found.add_project(places)?;
                found.take(Documents::between(places, &places.cwd)?);
            }
        }
        // Answers are no policy: what holds without one goes on.
        let is_policy = |own: &Document| own.role.grants() && own.role != Role::Answers;
        if !found.documents.iter().any(is_policy) {
            found.add_default();
        }
        Ok(found)
    }

    /// Adds the rules of profiles, which were in compiled tables, to the documents.
    pub fn expand_tables(&mut self) {
        self.documents.iter_mut().for_each(Document::expand_tables);
        self.servers.iter_mut().for_each(|(_, document)| document.expand_tables());
    }

    /// Reads the rules that the user's answers wrote.
    pub fn answers(places: &PolicyLocations) -> Result<Documents, DocumentError> {
        let mut found = Documents::default();
        found.add_answers(places)?;
        Ok(found)
    }

    /// Reads the policies in directories between the root and `directory`. All of them are
    /// untrusted.
    pub fn between(
        places: &PolicyLocations,
        directory: &AbsPath,
    ) -> Result<Documents, DocumentError> {
        let mut found = Documents::default();
        let Some(root) = &places.root else { return Ok(found) };
        let mut on_the_way = Vec::new();
        let mut here = directory.clone();
        while &here != root && here.starts_with(root) {
            on_the_way.push(here.clone());
            here = here.parent().unwrap_or_else(AbsPath::root);
        }
        for directory in on_the_way.iter().rev() {
            if let Some(path) = policy_file::find(directory, &PROJECT_FILES)? {
                found.add_opened(project::open_untrusted(root, &path)?);
            }
        }
        Ok(found)
    }

    fn add_organisation(&mut self, places: &PolicyLocations) -> Result<(), DocumentError> {
        let care = FileRequirement::Organisation(places.organisation_owner);
        self.add_policy(&places.organisation_dir, Role::Organisation, care)
    }

    fn add_user(&mut self, places: &PolicyLocations) -> Result<(), DocumentError> {
        self.add_policy(&places.user_dir, Role::User, FileRequirement::User(places.user))
    }

    fn add_answers(&mut self, places: &PolicyLocations) -> Result<(), DocumentError> {
        answers::read_all(places)?.into_iter().for_each(|opened| self.add_opened(opened));
        Ok(())
    }

    fn add_policy(
        &mut self,
        directory: &AbsPath,
        role: Role,
        care: FileRequirement<'_>,
    ) -> Result<(), DocumentError> {
        // The directory usually does not exist; one `stat` then replaces one per file name.
        if !policy_file::may_be_in(directory) {
            return Ok(());
        }
        let Some(path) = policy_file::find(directory, &POLICY_FILES)? else { return Ok(()) };
        let name = format!("{} {}", role.as_str(), path.file_name());
        self.add_file(&path, name, role, care)
    }

    /// Adds a file named on the command line. Messages call it by its path relative to `cwd`.
    fn add_named(
        &mut self,
        path: &AbsPath,
        role: Role,
        cwd: &AbsPath,
    ) -> Result<(), DocumentError> {
        let below = path.as_str().strip_prefix(cwd.as_str());
        let below = below.and_then(|rest| rest.strip_prefix('/'));
        let name = below.unwrap_or(path.as_str()).to_owned();
        self.add_file(path, name, role, FileRequirement::Named)
    }

    fn add_file(
        &mut self,
        path: &AbsPath,
        name: String,
        role: Role,
        care: FileRequirement<'_>,
    ) -> Result<(), DocumentError> {
        let file = policy_file::read(path, |_| name, care)?;
        let library = FileLibrary::new(care, None);
        let loaded = read_with_tables(&file.source, role, &library)?;
        let extended = library.into_files().into_iter().map(|file| file.path);
        // The given path is protected too: replacing a symlink there would select another policy.
        let mut files = vec![path.clone(), file.path];
        files.dedup();
        files.extend(extended);
        self.add_opened(OpenedPolicy { source: file.source, loaded, files });
        Ok(())
    }

    fn add_project(&mut self, places: &PolicyLocations) -> Result<(), DocumentError> {
        let Some(root) = &places.root else { return Ok(()) };
        let path = policy_file::find(root, &PROJECT_FILES)?;
        let opened = project::open(places, root, path.as_ref(), &mut self.reports)?;
        opened.into_iter().for_each(|opened| self.add_opened(opened));
        Ok(())
    }

    fn add_opened(&mut self, opened: OpenedPolicy) {
        let OpenedPolicy { source, mut loaded, files } = opened;
        let name = Arc::clone(&loaded.document.name);
        self.reports.extend(untrusted::strip(&mut loaded));
        self.documents.push(loaded.document);
        self.documents.extend(loaded.ceilings);
        self.sources.push(source);
        self.sources.extend(loaded.extends.into_iter().filter_map(|extended| match extended {
            Extended::File(source) => Some(source),
            Extended::Profile(_) => None,
        }));
        let tests = loaded.tests.into_iter().map(|test| (Arc::clone(&name), test));
        self.tests.extend(tests);
        self.servers.extend(loaded.servers);
        self.warnings.extend(loaded.warnings);
        self.files.extend(files);
    }

    /// Adds the default policy: `@workspace`, which asks about everything that it does not list.
    fn add_default(&mut self) {
        let Some(profile) = profiles::get("workspace") else { return };
        let mut document = profile.table_document(Role::User);
        document.default = Some(Effect::Ask);
        self.documents.push(document);
        self.is_default = true;
    }

    fn take(&mut self, other: Documents) {
        self.documents.extend(other.documents);
        self.sources.extend(other.sources);
        self.tests.extend(other.tests);
        self.servers.extend(other.servers);
        self.warnings.extend(other.warnings);
        self.reports.extend(other.reports);
        self.files.extend(other.files);
    }
}

#[cfg(test)]
#[path = "discovery_tests.rs"]
mod tests;
