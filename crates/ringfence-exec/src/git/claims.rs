//! Records the repositories that a run created itself.
//!
//! A run may change and remove what it created. A claim covers one directory or file, identified by
//! inode and birth time. If the run removes it, a later file with the same name is not claimed.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use ringfence_sandbox::gate::Deed;

/// The maximum number of claims.
const MOST: usize = 10_000;

/// The device, inode and birth time of a file.
type Identity = (u64, u64, Option<SystemTime>);

/// The files, directories and links named `.git`, and other repositories, that a run created.
#[derive(Debug, Default)]
pub(crate) struct Repositories(Mutex<Claims>);

#[derive(Debug, Default)]
struct Claims {
    made: BTreeMap<PathBuf, Identity>,
    /// The paths that the current change creates (true) or removes (false).
    pending: Vec<(PathBuf, bool)>,
}

impl Repositories {
    /// Records what the last change really did. Must be called before the next change is judged,
    /// when the last one has succeeded or failed.
    pub(crate) fn settle(&self) {
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (path, is_made) in std::mem::take(&mut claims.pending) {
            match identity(&path) {
                Some(own) if is_made && claims.made.len() < MOST => {
                    claims.made.insert(path, own);
                }
                // The removal failed, so the claim stays.
                own if own.as_ref() == claims.made.get(&path) => {}
                _ => drop(claims.made.remove(&path)),
            }
        }
    }

    /// Notes what an allowed change will create and remove.
    pub(crate) fn note(&self, deeds: &[(Deed, PathBuf)]) {
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (deed, path) in deeds.iter().filter(|(_, path)| path.ends_with(".git")) {
            match deed {
                Deed::Delete => claims.pending.push((path.clone(), false)),
                Deed::Write | Deed::MakeDirectory if identity(path).is_none() => {
                    claims.pending.push((path.clone(), true));
                }
                _ => {}
            }
        }
    }

    /// Claims a directory that the next change turns into a repository.
    pub(crate) fn claim(&self, path: PathBuf) {
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        claims.pending.push((path, true));
    }

    /// Returns whether the run created a path or one of its ancestors.
    pub(crate) fn has_made(&self, path: &Path) -> bool {
        let claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        !claims.made.is_empty()
            && path.ancestors().any(|above| {
                claims.made.get(above).is_some_and(|own| identity(above).as_ref() == Some(own))
            })
    }

    /// Returns whether a change leaves other people's `.git` unchanged.
    ///
    /// The path is new, or is a directory (each file in it is judged by its own name), or was
    /// created by the run. In a repository that the run created, anything may be removed, and
    /// permissions and times may change.
    pub(crate) fn is_plain(&self, deed: Deed, path: &Path) -> bool {
        if !path.ends_with(".git") {
            return matches!(deed, Deed::Delete | Deed::About) && self.has_made(path);
        }
        match fs::symlink_metadata(path) {
            Ok(about) if about.is_dir() => true,
            Ok(_) if deed == Deed::Read => true,
            Ok(_) => self.has_made(path),
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        }
    }
}

fn identity(path: &Path) -> Option<Identity> {
    let about = fs::symlink_metadata(path).ok()?;
    Some((about.dev(), about.ino(), about.created().ok()))
}

#[cfg(test)]
#[path = "claims_tests.rs"]
mod tests;
