//! Descriptors that keep the files and directories that a plan was made for.
//!
//! A plan speaks of paths. Whoever can write a directory above one of them can put another directory
//! or a symbolic link there, at any moment. So each path is opened when it is judged, without
//! following links, and the descriptor is kept until the run has begun: what is mounted and granted
//! is compared with it. Directories are listed below these descriptors, so that the names in a plan
//! are those of the directory that is mounted.

use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::gate::received;
use crate::sys::{self, Inode, inode_of};

/// A process may have this many files open if nobody says how many.
const USUAL_LIMIT: u64 = 1_024;
/// Of the files that may be open, this part at most is used for pins.
const SHARE: u64 = 8;

/// The pinned paths of a plan. Clones share them.
///
/// Pins are no part of what a plan says: any two are equal.
#[derive(Debug, Clone, Default)]
pub struct Pins(Arc<Mutex<Pinned>>);

#[derive(Debug, Clone, Default)]
struct Pinned {
    pins: HashMap<PathBuf, Arc<Pin>>,
    /// Whether what a plan hides was pinned when the plan was made.
    of_plan: bool,
    /// Whether a run has used them.
    used: bool,
    /// How many descriptors may still be kept, once that was asked.
    left: Option<u64>,
}

/// The inode that lies at a path.
#[derive(Debug)]
pub(crate) struct Pin {
    pub(crate) inode: Inode,
    pub(crate) is_directory: bool,
    /// Keeps the inode; `None` where too many are kept already.
    fd: Option<OwnedFd>,
}

impl Pin {
    /// Returns whether the file has been removed: no directory has a name for it.
    pub(crate) fn is_removed(&self) -> bool {
        let stat = self.fd.as_ref().map(|fd| sys::stat(fd.as_raw_fd()));
        stat.is_some_and(|stat| stat.is_ok_and(|stat| stat.st_nlink == 0))
    }
}

impl Pins {
    /// Opens and keeps what lies at a path, unless that was done before. No component of the path may
    /// be a symbolic link.
    pub(crate) fn pin(&self, path: &Path) -> io::Result<Arc<Pin>> {
        if let Some(known) = self.lock().pins.get(path) {
            return Ok(Arc::clone(known));
        }
        let fd = self.open(path, libc::O_PATH)?;
        let stat = sys::stat(fd.as_raw_fd())?;
        let mut all = self.lock();
        let left = all.left.get_or_insert_with(|| most_open() / SHARE);
        let is_kept = *left > 0;
        *left = left.saturating_sub(1);
        let is_directory = stat.st_mode & libc::S_IFMT == libc::S_IFDIR;
        let pin = Pin { inode: inode_of(&stat), is_directory, fd: is_kept.then_some(fd) };
        Ok(Arc::clone(all.pins.entry(path.to_owned()).or_insert(Arc::new(pin))))
    }

    /// Opens a path below the deepest pinned directory above it, following no symbolic link.
    pub(crate) fn open(&self, path: &Path, flags: i32) -> io::Result<OwnedFd> {
        self.below(path, |directory, rest| sys::open_exact(directory, rest, flags).map(received))
    }

    /// Returns the metadata of what lies at a path below the deepest pinned directory above it. A
    /// symbolic link at the end is not followed. One call, as there may be thousands of paths.
    pub(crate) fn stat(&self, path: &Path) -> io::Result<libc::stat> {
        self.below(path, sys::stat_at)
    }

    fn below<T>(
        &self,
        path: &Path,
        call: impl FnOnce(i32, &CStr) -> sys::Result<T>,
    ) -> io::Result<T> {
        let above = self.above(path);
        let directory = above.as_ref().and_then(|(pin, _)| pin.fd.as_ref());
        let directory = directory.map_or(libc::AT_FDCWD, AsRawFd::as_raw_fd);
        let rest = above.as_ref().map_or(path, |(_, rest)| rest);
        let rest = CString::new(rest.as_os_str().as_bytes())?;
        let rest = if rest.is_empty() { c"." } else { &rest };
        Ok(call(directory, rest)?)
    }

    /// Returns the deepest pinned directory at or above a path, and the path from there.
    fn above<'p>(&self, path: &'p Path) -> Option<(Arc<Pin>, &'p Path)> {
        let all = self.lock();
        let known = |own: &Path| {
            let pin = all.pins.get(own).filter(|pin| pin.is_directory && pin.fd.is_some())?;
            Some((Arc::clone(pin), path.strip_prefix(own).ok()?))
        };
        path.ancestors().find_map(known)
    }

    /// Pins that were made with a plan: what the plan hides is pinned too.
    pub(crate) fn of_plan() -> Pins {
        Pins(Arc::new(Mutex::new(Pinned { of_plan: true, ..Pinned::default() })))
    }

    /// Returns a copy of these for one run. A plan can be used for several runs: single files that were
    /// removed since the first one, as programs do that save a file, may have been replaced.
    pub(crate) fn for_run(&self) -> Pins {
        let mut all = self.lock();
        if all.used {
            all.pins.retain(|_, pin| pin.is_directory || !pin.is_removed());
            all.of_plan = false;
        }
        all.used = true;
        Pins(Arc::new(Mutex::new(all.clone())))
    }

    /// Returns whether all that a plan hides was pinned when the plan was made.
    pub(crate) fn are_of_plan(&self) -> bool {
        self.lock().of_plan
    }

    /// Returns a path by which a pinned directory is reached, whatever lies at its own path by now.
    pub(crate) fn path_of(&self, directory: &Path) -> PathBuf {
        let known = self.lock().pins.get(directory).cloned();
        let fd = known.as_ref().and_then(|pin| pin.fd.as_ref()).map(AsRawFd::as_raw_fd);
        fd.map_or_else(|| directory.to_owned(), |fd| format!("/proc/self/fd/{fd}/.").into())
    }

    fn lock(&self) -> MutexGuard<'_, Pinned> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PartialEq for Pins {
    fn eq(&self, _: &Pins) -> bool {
        true
    }
}

impl Eq for Pins {}

/// Returns how many files this process may have open.
pub(crate) fn most_open() -> u64 {
    let mut limit = libc::rlimit { rlim_cur: USUAL_LIMIT, rlim_max: USUAL_LIMIT };
    // SAFETY: the kernel writes the structure.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    limit.rlim_cur
}

#[cfg(test)]
#[path = "pins_tests.rs"]
mod tests;
