//! Directories that rules grant and that are not there yet.
//!
//! Landlock binds its rules to what exists when a run begins, so a granted directory has to be there
//! by then. What was made for a run and is still empty when it ends is taken away again. Nothing is
//! made but what the plan names, and nothing is removed but empty directories that were made here.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often a directory is tried that others make or remove at the same time.
const TRIES: usize = 20;
/// How long somebody else takes who removes one.
const PAUSE: Duration = Duration::from_millis(1);

/// The directories that a run may find missing, made and held for as long as it lasts.
#[derive(Debug, Default)]
pub(crate) struct Made {
    /// Each with a lock that tells other runs that it is used.
    held: Vec<(PathBuf, File)>,
    /// What was missing, in the order in which it was made.
    new: Vec<PathBuf>,
}

impl Made {
    /// Makes those that are missing. One that cannot be made stays missing: the run has less then.
    pub(crate) fn of(wanted: &[PathBuf]) -> Made {
        let mut made = Made::default();
        for path in wanted {
            let held = (0..TRIES).find_map(|_| made.hold(path).transpose());
            made.held.extend(held.and_then(Result::ok).map(|file| (path.clone(), file)));
        }
        made
    }

    /// Whether anything was missing.
    pub(crate) fn is_new(&self) -> bool {
        !self.new.is_empty()
    }

    /// Makes a directory, and what lies above it, and says to other runs that it is used. None where
    /// somebody removed it meanwhile.
    fn hold(&mut self, path: &Path) -> io::Result<Option<File>> {
        let again = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => Ok(None),
            _ => Err(error),
        };
        if let Err(error) = self.make(path) {
            return again(error);
        }
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) => return again(error),
        };
        match file.try_lock_shared() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                std::thread::sleep(PAUSE);
                return Ok(None);
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let here = fs::symlink_metadata(path).map(|own| (own.dev(), own.ino())).ok();
        let own = file.metadata()?;
        Ok((here == Some((own.dev(), own.ino()))).then_some(file))
    }

    fn make(&mut self, path: &Path) -> io::Result<()> {
        let missing = path.ancestors().take_while(|own| fs::symlink_metadata(own).is_err());
        let missing: Vec<&Path> = missing.collect();
        for own in missing.into_iter().rev() {
            match fs::create_dir(own) {
                Ok(()) => self.new.push(own.to_owned()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        let is_used = |path: &Path| {
            let mut held = self.held.iter().filter(|(own, _)| own == path);
            held.any(|(_, file)| file.try_lock().is_err())
        };
        for path in self.new.iter().rev().filter(|path| !is_used(path)) {
            // Where something lies in it, it stays.
            let _ = fs::remove_dir(path);
        }
    }
}

#[cfg(test)]
#[path = "made_tests.rs"]
mod tests;
