//! One document by itself, for tests, lint and whoever asks what it says.

use ringfence_core::Role;
use ringfence_core::path::AbsPath;
use ringfence_manifest::{Loaded, Source, read};

use super::document_error::DocumentError;
use super::library::FileLibrary;
use super::policy_file::{self, Care};

/// A policy that was read from a file, with all that it extends.
#[derive(Debug)]
pub struct ReadPolicy {
    /// The text of the file.
    pub source: Source,
    /// The document.
    pub loaded: Loaded,
}

/// Reads the policy at a path, with all that it extends, as if it were the only one.
pub fn read_policy(path: &AbsPath, name: &str, role: Role) -> Result<ReadPolicy, DocumentError> {
    let file = policy_file::read(path, |_| name.to_owned(), Care::Named)?;
    let library = FileLibrary::new(Care::Named, None);
    let loaded = read(&file.source, role, &library)?;
    Ok(ReadPolicy { source: file.source, loaded })
}
