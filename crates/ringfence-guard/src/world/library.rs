//! Finds the files that documents extend.

use std::cell::RefCell;

use ringfence_core::path::AbsPath;
use ringfence_manifest::{Library, Source};

use super::bundle::{Bundle, name_in};
use super::document_error::DocumentError;
use super::policy_file::{self, FileRequirement, PolicyFile};
use super::real_path::real_path;

/// Reads extended files from this machine and keeps them.
pub(super) struct FileLibrary<'a> {
    care: FileRequirement<'a>,
    root: Option<&'a AbsPath>,
    read: RefCell<Vec<PolicyFile>>,
}

impl<'a> FileLibrary<'a> {
    /// Returns a library whose files must satisfy `care`. Their names in messages are relative to
    /// `root`.
    pub(super) fn new(care: FileRequirement<'a>, root: Option<&'a AbsPath>) -> FileLibrary<'a> {
        FileLibrary { care, root, read: RefCell::new(Vec::new()) }
    }

    /// Returns every file that was read, without duplicates.
    pub(super) fn into_files(self) -> Vec<PolicyFile> {
        self.read.into_inner()
    }
}

impl Library for FileLibrary<'_> {
    fn fetch(&self, reference: &str, from: &str) -> Result<Source, String> {
        let path = resolve(reference, from)?;
        let name = |real: &AbsPath| name_in(self.root, real);
        let file = policy_file::read(&path, name, self.care).map_err(|error| match error {
            // The parse error is not shown, because it could quote a file that the author must not
            // read.
            DocumentError::Malformed(_) => "it cannot be parsed".to_owned(),
            error => error.to_string(),
        })?;
        let source = file.source.clone();
        let mut read = self.read.borrow_mut();
        if !read.iter().any(|known| known.path == file.path) {
            read.push(file);
        }
        Ok(source)
    }
}

/// Returns only files that a person has trusted.
pub(super) struct TrustedLibrary<'a> {
    pub(super) root: &'a AbsPath,
    pub(super) bundle: &'a Bundle,
}

impl Library for TrustedLibrary<'_> {
    fn fetch(&self, reference: &str, from: &str) -> Result<Source, String> {
        let path = real_path(&resolve(reference, from)?);
        let name = name_in(Some(self.root), &path);
        let source = self.bundle.source(&name, &path);
        source.ok_or("it is not part of what was trusted")?.map_err(|errors| errors.to_string())
    }
}

/// Resolves a reference in the document at `from` to an absolute path.
fn resolve(reference: &str, from: &str) -> Result<AbsPath, String> {
    if reference.contains("://") {
        return Err("only files of this machine can be extended".to_owned());
    }
    if reference.starts_with('~') {
        return Err("write the path relative to this document, or absolute".to_owned());
    }
    let directory = AbsPath::new(from).ok().and_then(|document| document.parent());
    let directory = directory.ok_or("this document has no directory to extend files from")?;
    directory.join(reference).map_err(|error| error.to_string())
}

#[cfg(test)]
#[path = "library_tests.rs"]
mod tests;
