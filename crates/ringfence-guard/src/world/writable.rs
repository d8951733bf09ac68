//! Decides which directories a user can write to.

use ringfence_core::context::SYSTEM_DIRECTORIES;
use ringfence_core::path::AbsPath;
use rustix::fs::{Access, Stat};
use rustix::io::Errno;

/// The UID that passes every permission check.
const ROOT: u32 = 0;

/// Returns whether a user can change a directory's entries, or replace the directory itself.
///
/// A missing directory counts as the ancestor in which it would be created. An owner can change
/// permissions, so ownership is enough. Root can write everywhere; for root, a system directory
/// that nobody else can write to counts as not writable. `directory` must not contain symlinks.
pub(super) fn may_write(uid: u32, directory: &AbsPath) -> bool {
    if uid == ROOT && !is_of_system(directory) {
        return true;
    }
    let mut below: Option<Stat> = None;
    let mut here = Some(directory.clone());
    while let Some(path) = here {
        match rustix::fs::stat(path.as_str()) {
            Ok(stat) if may_change(uid, &path, &stat, below.as_ref()) => return true,
            Ok(stat) => below = Some(stat),
            Err(Errno::NOENT) => {}
            // A path that cannot be checked counts as writable.
            Err(_) => return true,
        }
        here = path.parent();
    }
    false
}

/// Returns whether a user can replace `below` in `path`, or create an entry there if `below` is
/// `None`.
fn may_change(uid: u32, path: &AbsPath, stat: &Stat, below: Option<&Stat>) -> bool {
    let is_own = stat.st_uid == uid;
    if is_own && uid != ROOT {
        return true;
    }
    // In a sticky directory, only the owner of an entry can rename it.
    let is_sticky = stat.st_mode & 0o1000 != 0;
    if is_sticky && below.is_some_and(|below| below.st_uid != uid || uid == ROOT) {
        return false;
    }
    if uid == ROOT {
        return !is_own || stat.st_mode & 0o022 != 0;
    }
    rustix::fs::access(path.as_str(), Access::WRITE_OK).is_ok()
}

fn is_of_system(path: &AbsPath) -> bool {
    let mut system = SYSTEM_DIRECTORIES.iter().filter_map(|own| AbsPath::new(own).ok());
    system.any(|own| path.starts_with(&own))
}

#[cfg(test)]
#[path = "writable_tests.rs"]
mod tests;
