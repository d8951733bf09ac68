//! The name by which git finds a repository.
//!
//! `.git` is a directory, or a file or link that leads to one: whoever changes where it leads has git
//! take settings from there, which can run programs. A run makes repositories and worktrees of its
//! own; where others put such a file or link it stays as it is.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ringfence_sandbox::gate::Deed;

/// More are not remembered: they stay as they are, like those of others.
const MOST: usize = 10_000;

/// The directories, files and links of this name that a run made itself.
#[derive(Debug, Default)]
pub(crate) struct Repositories(Mutex<BTreeSet<PathBuf>>);

impl Repositories {
    /// Whether a deed leaves alone where the name leads that others put there: it makes what was not
    /// there, works on the directory itself, of which each file is judged by its own name, or on what
    /// the run made. What lies in a repository of the run's own it can remove as well.
    pub(crate) fn is_plain(&self, deed: Deed, path: &Path) -> bool {
        let own = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !path.ends_with(".git") {
            return deed == Deed::Delete && path.ancestors().any(|above| own.contains(above));
        }
        match fs::symlink_metadata(path) {
            Ok(about) if about.is_dir() => true,
            Ok(_) if deed == Deed::Read => true,
            Ok(_) => own.contains(path),
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        }
    }

    /// Remembers what deeds that were agreed to are about to make.
    pub(crate) fn note(&self, deeds: &[(Deed, PathBuf)]) {
        let mut own = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let makes = |(deed, path): &&(Deed, PathBuf)| {
            matches!(deed, Deed::Write | Deed::MakeDirectory) && path.ends_with(".git")
        };
        for (_, path) in deeds.iter().filter(makes) {
            if own.len() < MOST && fs::symlink_metadata(path).is_err() {
                own.insert(path.clone());
            }
        }
    }
}

#[cfg(test)]
#[path = "repository_tests.rs"]
mod tests;
