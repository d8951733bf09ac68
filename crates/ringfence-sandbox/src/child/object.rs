//! A path together with the inode that was judged there.
//!
//! The supervisor decides about a path and keeps the inode that lies there. Between the decision and
//! its use others may put a symbolic link or another directory at the path. So the init opens the
//! path once more, in its own mount namespace, and compares the inode. Nothing is mounted, granted or
//! entered by a path that was not compared.

use std::ffi::{CStr, CString};

use crate::sys::{self, Errno, Inode, inode_of};

/// The error for a path at which another inode lies than the one that was judged.
pub(crate) const REPLACED: Errno = Errno(libc::ESTALE);

/// A path, and the inode that must lie there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Object {
    pub(crate) path: CString,
    /// `None` where the init itself mounts something at the path: there is nothing to compare.
    pub(crate) inode: Option<Inode>,
}

/// An object that the init has opened with `O_PATH`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opened {
    pub(super) fd: i32,
    pub(super) is_directory: bool,
}

impl Object {
    /// Opens the path without following symbolic links, and checks that the judged inode lies there.
    pub(super) fn open(&self) -> sys::Result<Opened> {
        open(&self.path, self.inode)
    }
}

/// Opens a path without following symbolic links, and checks that this inode lies there.
pub(super) fn open(path: &CStr, inode: Option<Inode>) -> sys::Result<Opened> {
    let fd = sys::open_exact(libc::AT_FDCWD, path, libc::O_PATH)?;
    let checked = sys::stat(fd).and_then(|stat| match inode {
        Some(inode) if inode != inode_of(&stat) => Err(REPLACED),
        _ => Ok(stat.st_mode & libc::S_IFMT == libc::S_IFDIR),
    });
    match checked {
        Ok(is_directory) => Ok(Opened { fd, is_directory }),
        Err(errno) => {
            sys::close(fd);
            Err(errno)
        }
    }
}
