//! Which directories a user may write.

use ringfence_core::context::SYSTEM_DIRECTORIES;
use ringfence_core::path::AbsPath;
use rustix::fs::{Access, Stat};
use rustix::io::Errno;

/// The number of the user whom no permission stops.
const ROOT: u32 = 0;

/// Whether a user may change what is in a directory, or put another directory in its place.
///
/// What does not exist yet counts as the directory in which it would be made. An owner may give
/// themselves the right, so owning is enough. Nothing stops root, so for root the answer goes by
/// custom: directories of the system that nobody else may write are not there to be written.
/// Links on the way must have been resolved before.
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
            // What cannot be looked at is taken for the worse.
            Err(_) => return true,
        }
        here = path.parent();
    }
    false
}

/// Whether a user may replace `below`, or make anything if nothing is below, in `path`.
fn may_change(uid: u32, path: &AbsPath, stat: &Stat, below: Option<&Stat>) -> bool {
    let is_own = stat.st_uid == uid;
    if is_own && uid != ROOT {
        return true;
    }
    // In a sticky directory only the owner of an entry may rename it.
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
