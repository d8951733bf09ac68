//! Opens files safely.
//!
//! No function here blocks on a FIFO, reads a device or an endless file, or writes.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, Stat};
use rustix::io::Errno;

/// Whether symlinks in a path are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// Symlinks are followed.
    Followed,
    /// Symlinks are an error: the path was resolved before, so a symlink in it is new.
    Refused,
}

/// Opens a regular file for reading. Never blocks, even if others change the path; anything but a
/// regular file is an error.
pub fn open_file(path: &Path, links: Links) -> io::Result<File> {
    open(path, links).map(|(file, _)| file).map_err(ReadError::error)
}

/// Opens a regular file below a directory. Symlinks are followed in `directory`, but not in
/// `below`.
pub fn open_file_in(directory: &Path, below: &Path) -> io::Result<File> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = rustix::fs::open(directory, flags, Mode::empty())?;
    let file = open_without_links(directory.as_fd(), below, TO_READ).map_err(refusal);
    file.and_then(|file| checked(file.into())).map(|(file, _)| file).map_err(ReadError::error)
}

// Without `NONBLOCK`, opening a FIFO would wait for a writer, possibly forever.
const TO_READ: OFlags =
    OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK).union(OFlags::NOCTTY);

/// Why a file could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadError {
    /// The file does not exist.
    Missing,
    /// The path is not a regular file.
    NotAFile,
    /// The file exceeds the size limit.
    Long,
    /// A system call failed.
    Refused(Errno),
}

impl ReadError {
    /// Returns the reason in words for a message.
    pub(super) fn reason(self) -> String {
        match self {
            ReadError::Missing => "there is no such file".to_owned(),
            ReadError::NotAFile => "it is not a regular file".to_owned(),
            ReadError::Long => "it is too long".to_owned(),
            ReadError::Refused(errno) => describe(errno),
        }
    }

    fn error(self) -> io::Error {
        match self {
            ReadError::Missing => io::ErrorKind::NotFound.into(),
            ReadError::Refused(errno) => errno.into(),
            unread => io::Error::new(io::ErrorKind::InvalidInput, unread.reason()),
        }
    }
}

/// Describes a system error for a message.
pub(super) fn describe(errno: Errno) -> String {
    match errno {
        Errno::ACCESS | Errno::PERM => "permission denied".to_owned(),
        Errno::LOOP => "it is a symbolic link, or leads through one".to_owned(),
        errno => std::io::Error::from(errno).to_string(),
    }
}

/// Reads a regular file of at most `limit` bytes.
pub(super) fn read(path: &Path, links: Links, limit: usize) -> Result<Vec<u8>, ReadError> {
    let (file, stat) = open(path, links)?;
    read_open(file, &stat, limit)
}

/// Opens a regular file for reading and returns it with its metadata.
pub(super) fn open(path: &Path, links: Links) -> Result<(File, Stat), ReadError> {
    let file = match links {
        Links::Followed => rustix::fs::open(path, TO_READ, Mode::empty()),
        Links::Refused => open_without_links(CWD, path, TO_READ),
    };
    checked(File::from(file.map_err(refusal)?))
}

fn open_without_links(at: BorrowedFd<'_>, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match rustix::fs::openat2(at, path, flags, Mode::empty(), resolve) {
        // Some sandboxes reject `openat2`; `O_NOFOLLOW` still checks the last component.
        Err(Errno::NOSYS | Errno::PERM) => {
            rustix::fs::openat(at, path, flags | OFlags::NOFOLLOW, Mode::empty())
        }
        opened => opened,
    }
}

/// Converts the error of an `open` call.
pub(super) fn refusal(errno: Errno) -> ReadError {
    match errno {
        Errno::NOENT | Errno::NOTDIR => ReadError::Missing,
        // `open` returns these for a socket, or for a device without its hardware.
        Errno::NXIO | Errno::NODEV => ReadError::NotAFile,
        errno => ReadError::Refused(errno),
    }
}

/// Returns the opened file with its metadata if it is a regular file.
pub(super) fn checked(file: File) -> Result<(File, Stat), ReadError> {
    let stat = rustix::fs::fstat(&file).map_err(ReadError::Refused)?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Ok((file, stat)),
        _ => Err(ReadError::NotAFile),
    }
}

/// Reads an opened file to its end.
pub(super) fn read_open(file: File, stat: &Stat, limit: usize) -> Result<Vec<u8>, ReadError> {
    let size = usize::try_from(stat.st_size).map_err(|_| ReadError::Long)?;
    if size > limit {
        return Err(ReadError::Long);
    }
    let mut bytes = Vec::with_capacity(size.saturating_add(1));
    // Files in `/proc` report size 0, and other files may grow while they are read.
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let read = file.take(most).read_to_end(&mut bytes);
    read.map_err(|error| ReadError::Refused(Errno::from_io_error(&error).unwrap_or(Errno::IO)))?;
    if bytes.len() > limit {
        return Err(ReadError::Long);
    }
    Ok(bytes)
}

#[cfg(test)]
#[path = "safe_open_tests.rs"]
mod tests;
