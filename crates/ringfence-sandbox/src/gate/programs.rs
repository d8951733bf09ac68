//! Files that programs were started from before.
//!
//! Most programs are started many times, by the same name. Where nothing of the tree can change
//! what that name leads to, it is not followed each time: one look tells whether the same file
//! still lies there. Which file runs is looked at before its first instruction all the same.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::files::stat;
use super::target::Target;

/// More are not kept.
const MOST_BINARIES: usize = 1024;
/// So many are known by their names.
const MOST_NAMES: usize = 64;
/// For so long a name leads where it led. What others change there is seen after that.
const MOMENT: Duration = Duration::from_secs(1);

/// A file that is to be started.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) file: Arc<OwnedFd>,
    /// Where it lies.
    pub(super) path: PathBuf,
    pub(super) stat: libc::stat,
}

impl Found {
    pub(super) fn new(file: OwnedFd, path: PathBuf) -> io::Result<Found> {
        let stat = stat(&file)?;
        Ok(Found { file: Arc::new(file), path, stat })
    }
}

/// Files that programs were started from before, none of them scripts.
#[derive(Default)]
pub(super) struct Programs {
    /// Those that were looked into, by number and by when they last changed.
    ///
    /// One that is a script after all is found out before its first instruction: its interpreter is
    /// another file than the one that was judged.
    binaries: RefCell<HashSet<[i64; 5]>>,
    /// Those that a name leads to, since then.
    names: RefCell<HashMap<CString, (Found, Instant)>>,
}

impl Programs {
    /// Whether it was seen to be no script.
    pub(super) fn is_binary(&self, stat: &libc::stat) -> bool {
        self.binaries.borrow().contains(&stamp(stat))
    }

    /// What a name leads to, if that was known a moment ago and is still the same file.
    pub(super) fn again(&self, target: Target, name: &CStr) -> Option<Found> {
        let names = self.names.borrow();
        let (found, since) = names.get(name)?;
        if since.elapsed() > MOMENT {
            return None;
        }
        let stat = look(target, name).filter(|stat| stamp(stat) == stamp(&found.stat))?;
        Some(Found { stat, ..found.clone() })
    }

    /// Keeps a file that is no script, and the name by which it was asked for if nothing of the
    /// tree can make that lead elsewhere.
    pub(super) fn keep(&self, name: CString, found: &Found, stays: impl FnOnce(&Path) -> bool) {
        let mut binaries = self.binaries.borrow_mut();
        if binaries.len() < MOST_BINARIES {
            binaries.insert(stamp(&found.stat));
        }
        let mut names = self.names.borrow_mut();
        let is_known = names.get(&name).is_some_and(|(own, since)| {
            Arc::ptr_eq(&own.file, &found.file) && since.elapsed() <= MOMENT
        });
        let path = Path::new(OsStr::from_bytes(name.as_bytes()));
        if is_known || !path.is_absolute() {
            return;
        }
        if !stays(path) {
            names.remove(&name);
            return;
        }
        if names.len() >= MOST_NAMES {
            names.clear();
        }
        names.insert(name, (found.clone(), Instant::now()));
    }
}

/// What lies at a path from the root of the tree, links followed.
fn look(target: Target, name: &CStr) -> Option<libc::stat> {
    let slashes = name.to_bytes().iter().take_while(|byte| **byte == b'/').count();
    let below = CStr::from_bytes_with_nul(name.to_bytes_with_nul().get(slashes..)?).ok()?;
    // SAFETY: all zeros is a `stat` like any other.
    let mut stat: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: a C string, and a structure that the kernel writes; both outlive the call.
    let looked = unsafe { libc::fstatat(target.root, below.as_ptr(), &raw mut stat, 0) };
    (looked == 0).then_some(stat)
}

/// Which file it is, and of when.
fn stamp(stat: &libc::stat) -> [i64; 5] {
    let file = [stat.st_dev.cast_signed(), stat.st_ino.cast_signed(), stat.st_size];
    let [dev, ino, size] = file;
    [dev, ino, size, stat.st_ctime, stat.st_ctime_nsec]
}

#[cfg(test)]
#[path = "programs_tests.rs"]
mod tests;
