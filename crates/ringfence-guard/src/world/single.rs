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
    /// Every file that was read, as it was named and where it really lies.
    pub files: Vec<AbsPath>,
}

/// Reads the policy at a path, with all that it extends, as if it were the only one.
pub fn read_policy(path: &AbsPath, name: &str, role: Role) -> Result<ReadPolicy, DocumentError> {
    let file = policy_file::read(path, |_| name.to_owned(), Care::Named)?;
    let library = FileLibrary::new(Care::Named, None);
    let loaded = read(&file.source, role, &library)?;
    let extended = library.into_files().into_iter().map(|file| file.path);
    let files = [path.clone(), file.path].into_iter().chain(extended).collect();
    Ok(ReadPolicy { source: file.source, loaded, files })
}
