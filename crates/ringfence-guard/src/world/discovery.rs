//! Which documents apply, and what they say.
//!
//! The organisation's policy always applies; the user's and the project's, unless a person named
//! others. A policy that is there and cannot be read, or may not be relied on, is an error: nothing
//! is decided without it.

use std::sync::Arc;

use ringfence_core::path::AbsPath;
use ringfence_core::{Document, Effect, Role};
use ringfence_manifest::{Diagnostic, Extended, PolicyTest, Source, profiles, read_with_tables};

use super::document_error::DocumentError;
use super::ignored;
use super::library::FileLibrary;
use super::places::{POLICY_FILES, PROJECT_FILES, Places};
use super::policy_file::{self, Care};
use super::project::{self, Opened};

/// The documents in force, and what came with them.
#[derive(Debug, Default)]
pub struct Documents {
    /// The documents, with the ceilings that each of them makes.
    pub documents: Vec<Document>,
    /// The texts from which they were read, those of profiles excepted.
    pub sources: Vec<Source>,
    /// The tests that they carry, each with the name of its document.
    pub tests: Vec<(Arc<str>, PolicyTest)>,
    /// MCP servers whose process is confined, each with what it may do.
    pub servers: Vec<(Arc<str>, Document)>,
    /// What their authors should know.
    pub warnings: Vec<Diagnostic>,
    /// What was ignored, and why; words for people.
    pub reports: Vec<String>,
    /// Every file that was read, where it really lies, and under the name that was given; no agent
    /// may change them.
    pub files: Vec<AbsPath>,
    /// Whether there is no policy, and `@workspace` stands in for one.
    pub is_default: bool,
}

impl Documents {
    /// Finds and reads the documents that apply at these places. Policies that a person named, in their
    /// order, replace those of the user and the project: each but the first is a ceiling.
    pub fn find(places: &Places, named: &[AbsPath]) -> Result<Documents, DocumentError> {
        let mut found = Documents::find_with_tables(places, named)?;
        found.expand_tables();
        Ok(found)
    }

    /// As [`find`](Self::find), but the rules of profiles stay in tables. That is enough for a policy,
    /// and takes less time.
    pub fn find_with_tables(
        places: &Places,
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
                found.add_project(places)?;
                found.take(Documents::between(places, &places.cwd)?);
            }
        }
        if !found.documents.iter().any(|document| document.role.grants()) {
            found.add_default();
        }
        Ok(found)
    }

    /// Takes the rules of profiles out of their tables.
    pub fn expand_tables(&mut self) {
        self.documents.iter_mut().for_each(Document::expand_tables);
        self.servers.iter_mut().for_each(|(_, document)| document.expand_tables());
    }

    /// The policies that lie below the root on the way to a directory; all of them untrusted.
    pub fn between(places: &Places, directory: &AbsPath) -> Result<Documents, DocumentError> {
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

    fn add_organisation(&mut self, places: &Places) -> Result<(), DocumentError> {
        let care = Care::Organisation(places.organisation_owner);
        self.add_policy(&places.organisation_dir, Role::Organisation, care)
    }

    fn add_user(&mut self, places: &Places) -> Result<(), DocumentError> {
        self.add_policy(&places.user_dir, Role::User, Care::User(places.user))
    }

    fn add_policy(
        &mut self,
        directory: &AbsPath,
        role: Role,
        care: Care<'_>,
    ) -> Result<(), DocumentError> {
        // Most often there is no such directory: one look instead of one for each name.
        if !policy_file::may_be_in(directory) {
            return Ok(());
        }
        let Some(path) = policy_file::find(directory, &POLICY_FILES)? else { return Ok(()) };
        let name = format!("{} {}", role.as_str(), path.file_name());
        self.add_file(&path, name, role, care)
    }

    /// A file that was named on the command line is called as it is seen from there.
    fn add_named(
        &mut self,
        path: &AbsPath,
        role: Role,
        cwd: &AbsPath,
    ) -> Result<(), DocumentError> {
        let below = path.as_str().strip_prefix(cwd.as_str());
        let below = below.and_then(|rest| rest.strip_prefix('/'));
        let name = below.unwrap_or(path.as_str()).to_owned();
        self.add_file(path, name, role, Care::Named)
    }

    fn add_file(
        &mut self,
        path: &AbsPath,
        name: String,
        role: Role,
        care: Care<'_>,
    ) -> Result<(), DocumentError> {
        let file = policy_file::read(path, |_| name, care)?;
        let library = FileLibrary::new(care, None);
        let loaded = read_with_tables(&file.source, role, &library)?;
        let extended = library.into_files().into_iter().map(|file| file.path);
        // Whoever could put another link in its place would choose the policy as well.
        let mut files = vec![path.clone(), file.path];
        files.dedup();
        files.extend(extended);
        self.add_opened(Opened { source: file.source, loaded, files });
        Ok(())
    }

    fn add_project(&mut self, places: &Places) -> Result<(), DocumentError> {
        let Some(root) = &places.root else { return Ok(()) };
        let Some(path) = policy_file::find(root, &PROJECT_FILES)? else { return Ok(()) };
        let opened = project::open(places, root, &path, &mut self.reports)?;
        self.add_opened(opened);
        Ok(())
    }

    fn add_opened(&mut self, opened: Opened) {
        let Opened { source, mut loaded, files } = opened;
        let name = Arc::clone(&loaded.document.name);
        self.reports.extend(ignored::strip(&mut loaded));
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

    /// No policy anywhere: everyday work is allowed, the rest is asked about.
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
