//! Permits: proof that a call passed.

use std::fs::File;
use std::io;

use ringfence_core::AccessKind;
use ringfence_core::access::FileOp;
use ringfence_core::path::FilePath;
use rustix::fs::{Mode, OFlags, ResolveFlags};

use crate::guard::{Judgement, Part};

/// Proof that a call passed. Only the guard makes one, and every function that acts takes one.
#[derive(Debug)]
pub struct Permit {
    judgement: Judgement,
}

impl Permit {
    pub(crate) fn new(judgement: Judgement) -> Permit {
        Permit { judgement }
    }

    /// What was decided, and why.
    pub fn judgement(&self) -> &Judgement {
        &self.judgement
    }

    /// The path that the call may read, as it was checked.
    pub fn readable(&self) -> Option<&FilePath> {
        self.path(FileOp::Read)
    }

    /// Opens the file that the call may read: the one that was checked, and no other.
    ///
    /// A link that was put in its place since then is not followed.
    pub fn open(&self) -> io::Result<File> {
        let path = self.path(FileOp::Read).ok_or_else(not_permitted)?;
        open_checked(path, OFlags::RDONLY, Mode::empty())
    }

    /// Creates or opens the file that the call may write: the one that was checked.
    pub fn create(&self) -> io::Result<File> {
        let path = self.path(FileOp::Write).ok_or_else(not_permitted)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC;
        open_checked(path, flags, Mode::from_raw_mode(0o666))
    }

    fn path(&self, op: FileOp) -> Option<&FilePath> {
        self.judgement.parts().find_map(|Part { access, .. }| match &access.what {
            AccessKind::File(file) if file.op == op => Some(&file.path),
            _ => None,
        })
    }
}

fn not_permitted() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "the call was not about such a file")
}

/// Opens a resolved path. It has no links left, so one met on the way was not there when the path
/// was checked.
fn open_checked(path: &FilePath, flags: OFlags, mode: Mode) -> io::Result<File> {
    let flags = flags | OFlags::CLOEXEC | OFlags::NOCTTY;
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let fd = rustix::fs::openat2(rustix::fs::CWD, path.real.as_str(), flags, mode, resolve)?;
    Ok(File::from(fd))
}

#[cfg(test)]
#[path = "permit_tests.rs"]
mod tests;
