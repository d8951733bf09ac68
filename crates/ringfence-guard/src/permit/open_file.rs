//! The permit to open one file.

use std::fs::File;
use std::io;

use ringfence_core::access::FileOp;
use ringfence_core::path::FilePath;
use rustix::fs::{Mode, OFlags, ResolveFlags};

use super::Permit;

/// The act of opening one file, by the path that was judged.
#[derive(Debug)]
pub struct OpenFile {
    path: FilePath,
    operation: FileOp,
}

impl OpenFile {
    pub(super) fn new(path: FilePath, operation: FileOp) -> OpenFile {
        OpenFile { path, operation }
    }

    /// Returns the path, as it was asked for and as it was resolved.
    pub fn path(&self) -> &FilePath {
        &self.path
    }

    /// Returns whether the file may be read or written.
    pub fn operation(&self) -> FileOp {
        self.operation
    }
}

impl Permit<OpenFile> {
    /// Opens the file that was judged, and no other: for reading, or to be written anew.
    ///
    /// A symbolic link that was put in the place of any part of the path since then is an error.
    pub fn open(self) -> io::Result<File> {
        let OpenFile { path, operation } = self.into_act();
        let (flags, mode) = match operation {
            FileOp::Read => (OFlags::RDONLY, Mode::empty()),
            FileOp::Write => {
                (OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC, Mode::from_raw_mode(0o666))
            }
            FileOp::Delete => return Err(io::ErrorKind::PermissionDenied.into()),
        };
        let flags = flags | OFlags::CLOEXEC | OFlags::NOCTTY;
        // The path was resolved: a link on the way was not there when it was judged.
        let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        let file = rustix::fs::openat2(rustix::fs::CWD, path.real.as_str(), flags, mode, resolve)?;
        Ok(File::from(file))
    }
}
