//! The repositories that a run made itself.
//!
//! A run may remove and change what it made. A claim holds for one directory or file, by its inode
//! and time of birth: a name that the run made and removed again belongs to whoever uses it next.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use ringfence_sandbox::gate::Deed;

/// More claims are not kept.
const MOST: usize = 10_000;

/// The device, inode and time of birth of a file.
type Identity = (u64, u64, Option<SystemTime>);

/// The directories, files and links named `.git`, and other repositories, that a run made.
#[derive(Debug, Default)]
pub(crate) struct Repositories(Mutex<Claims>);

#[derive(Debug, Default)]
struct Claims {
    made: BTreeMap<PathBuf, Identity>,
    /// The paths that the last change makes (true) or removes.
    pending: Vec<(PathBuf, bool)>,
}

impl Repositories {
    /// Takes note of what the last change made. Called before the next change is judged, when the
    /// last one was carried out or failed.
    pub(crate) fn settle(&self) {
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (path, is_made) in std::mem::take(&mut claims.pending) {
            match identity(&path) {
                Some(own) if is_made && claims.made.len() < MOST => {
                    claims.made.insert(path, own);
                }
                // The removal failed, and it is still the same.
                own if own.as_ref() == claims.made.get(&path) => {}
                _ => drop(claims.made.remove(&path)),
            }
        }
    }

    /// Notes what a change that was agreed to is about to make and remove.
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

    /// Claims a directory that becomes a repository by the next change.
    pub(crate) fn claim(&self, path: PathBuf) {
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        claims.pending.push((path, true));
    }

    /// Returns whether the run made a path or a directory above it.
    pub(crate) fn has_made(&self, path: &Path) -> bool {
        let claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        !claims.made.is_empty()
            && path.ancestors().any(|above| {
                claims.made.get(above).is_some_and(|own| identity(above).as_ref() == Some(own))
            })
    }

    /// Returns whether a deed leaves alone the `.git` that others made. It makes what was not there,
    /// works on the directory itself, of which each file is judged by its own name, or on what the
    /// run made. Whatever lies in a repository of the run's own can be removed, and have its permissions
    /// and times changed.
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
