//! Reads one policy file by itself, for tests and lint.

use ringfence_core::Role;
use ringfence_core::path::AbsPath;
use ringfence_manifest::{Loaded, Source, read};

use super::document_error::DocumentError;
use super::library::FileLibrary;
use super::policy_file::{self, FileRequirement};

/// A policy that was read from a file, and everything that it extends.
#[derive(Debug)]
pub struct ReadPolicy {
    /// The source text of the file.
    pub source: Source,
    /// The parsed document.
    pub loaded: Loaded,
}

/// Reads the policy at a path and everything that it extends, ignoring all other documents.
pub fn read_policy(path: &AbsPath, name: &str, role: Role) -> Result<ReadPolicy, DocumentError> {
    let file = policy_file::read(path, |_| name.to_owned(), FileRequirement::Named)?;
    let library = FileLibrary::new(FileRequirement::Named, None);
    let loaded = read(&file.source, role, &library)?;
    Ok(ReadPolicy { source: file.source, loaded })
}
