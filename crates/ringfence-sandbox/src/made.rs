//! Directories that rules grant and that are not there yet.
//!
//! Landlock binds its rules to what exists when a run begins, so a granted directory has to be there
//! by then. What was made for a run and is still empty when it ends is taken away again. Nothing is
//! made but what the plan names, and nothing is removed but empty directories that were made here.
//! Both are done in the directory that was found above, by descriptor: no link is followed.

use std::ffi::{CStr, CString, OsStr};
use std::fs::{File, TryLockError};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::gate::received;
use crate::sys::{self, Inode, inode_of};

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
    new: Vec<New>,
}

/// A directory that was made.
#[derive(Debug)]
struct New {
    path: PathBuf,
    /// The directory in which it was made, and its name there.
    parent: OwnedFd,
    name: CString,
    inode: Inode,
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
        let file = match open(libc::AT_FDCWD, path.as_os_str(), libc::O_RDONLY) {
            Ok(file) => File::from(file),
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
        let here = open(libc::AT_FDCWD, path.as_os_str(), libc::O_PATH);
        let here = here.and_then(|here| Ok(inode_of(&sys::stat(here.as_raw_fd())?))).ok();
        let own = file.metadata()?;
        Ok((here == Some((own.dev(), own.ino()))).then_some(file))
    }

    /// Makes what is missing of a path, each directory in the one above it.
    fn make(&mut self, path: &Path) -> io::Result<()> {
        let mut missing = Vec::new();
        let mut parent = None;
        for above in path.ancestors() {
            match open(libc::AT_FDCWD, above.as_os_str(), libc::O_PATH) {
                Ok(found) => {
                    parent = Some(found);
                    break;
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => missing.push(above),
                Err(error) => return Err(error),
            }
        }
        let mut parent = parent.ok_or(io::ErrorKind::NotFound)?;
        for path in missing.into_iter().rev() {
            let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
            let is_new = make_directory(&parent, &CString::new(name.as_bytes())?)?;
            let made = open(parent.as_raw_fd(), name, libc::O_PATH)?;
            let inode = inode_of(&sys::stat(made.as_raw_fd())?);
            let above = std::mem::replace(&mut parent, made);
            if is_new {
                let (path, name) = (path.to_owned(), CString::new(name.as_bytes())?);
                self.new.push(New { path, parent: above, name, inode });
            }
        }
        Ok(())
    }
}

/// Opens a directory without following links.
fn open(directory: i32, path: &OsStr, flags: i32) -> io::Result<OwnedFd> {
    let path = CString::new(path.as_bytes())?;
    Ok(received(sys::open_exact(directory, &path, flags | libc::O_DIRECTORY)?))
}

/// Makes a directory; returns whether there was none.
fn make_directory(parent: &OwnedFd, name: &CStr) -> io::Result<bool> {
    // SAFETY: a C string that outlives the call.
    if unsafe { libc::mkdirat(parent.as_raw_fd(), name.as_ptr(), 0o777) } == 0 {
        return Ok(true);
    }
    let error = io::Error::last_os_error();
    if error.kind() == io::ErrorKind::AlreadyExists { Ok(false) } else { Err(error) }
}

impl New {
    /// Removes the directory if it still has its name and nothing lies in it.
    fn remove(&self) {
        let here =
            open(self.parent.as_raw_fd(), OsStr::from_bytes(self.name.as_bytes()), libc::O_PATH);
        let here = here.and_then(|here| Ok(inode_of(&sys::stat(here.as_raw_fd())?)));
        if here.is_ok_and(|here| here == self.inode) {
            let (parent, name) = (self.parent.as_raw_fd(), self.name.as_ptr());
            // SAFETY: a C string that outlives the call.
            unsafe { libc::unlinkat(parent, name, libc::AT_REMOVEDIR) };
        }
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        let is_used = |path: &Path| {
            let mut held = self.held.iter().filter(|(own, _)| own == path);
            held.any(|(_, file)| file.try_lock().is_err())
        };
        self.new.iter().rev().filter(|own| !is_used(&own.path)).for_each(New::remove);
    }
}

#[cfg(test)]
#[path = "made_tests.rs"]
mod tests;
