//! Files, opened with care.
//!
//! Nothing here hangs on a pipe, a device or an endless file, and nothing here writes.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, Stat};
use rustix::io::Errno;

/// Whether links on the way of a path are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// They are.
    Followed,
    /// The path was resolved before: a link on its way was put there since, and is refused.
    Refused,
}

/// Opens a regular file for reading, in a place that others may change at any moment: nothing is
/// waited for, and what is no file is an error.
pub fn open_file(path: &Path, links: Links) -> io::Result<File> {
    open(path, links).map(|(file, _)| file).map_err(Unread::error)
}

/// The same for a file below a directory, whose own way may lead through links.
pub fn open_file_in(directory: &Path, below: &Path) -> io::Result<File> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = rustix::fs::open(directory, flags, Mode::empty())?;
    let file = open_without_links(directory.as_fd(), below, TO_READ).map_err(refusal);
    file.and_then(|file| checked(file.into())).map(|(file, _)| file).map_err(Unread::error)
}

// Without NONBLOCK opening a pipe would wait for a writer, perhaps for ever.
const TO_READ: OFlags =
    OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK).union(OFlags::NOCTTY);

/// Why a file could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// There is none.
    Missing,
    /// It is not a regular file.
    NotAFile,
    /// It is longer than the limit.
    Long,
    /// The system refused.
    Refused(Errno),
}

impl Unread {
    /// The reason in words for a message.
    pub(super) fn reason(self) -> String {
        match self {
            Unread::Missing => "there is no such file".to_owned(),
            Unread::NotAFile => "it is not a regular file".to_owned(),
            Unread::Long => "it is too long".to_owned(),
            Unread::Refused(errno) => describe(errno),
        }
    }

    fn error(self) -> io::Error {
        match self {
            Unread::Missing => io::ErrorKind::NotFound.into(),
            Unread::Refused(errno) => errno.into(),
            unread => io::Error::new(io::ErrorKind::InvalidInput, unread.reason()),
        }
    }
}

/// An error of the system in words for a message.
pub(super) fn describe(errno: Errno) -> String {
    match errno {
        Errno::ACCESS | Errno::PERM => "permission denied".to_owned(),
        Errno::LOOP => "it is a symbolic link, or leads through one".to_owned(),
        errno => std::io::Error::from(errno).to_string(),
    }
}

/// Reads a regular file of at most `limit` bytes.
pub(super) fn read(path: &Path, links: Links, limit: usize) -> Result<Vec<u8>, Unread> {
    let (file, stat) = open(path, links)?;
    read_open(file, &stat, limit)
}

/// Opens a regular file for reading.
pub(super) fn open(path: &Path, links: Links) -> Result<(File, Stat), Unread> {
    let file = match links {
        Links::Followed => rustix::fs::open(path, TO_READ, Mode::empty()),
        Links::Refused => open_without_links(CWD, path, TO_READ),
    };
    checked(File::from(file.map_err(refusal)?))
}

fn open_without_links(at: BorrowedFd<'_>, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match rustix::fs::openat2(at, path, flags, Mode::empty(), resolve) {
        // Some sandboxes refuse this call: the end of the path can still be held to.
        Err(Errno::NOSYS | Errno::PERM) => {
            rustix::fs::openat(at, path, flags | OFlags::NOFOLLOW, Mode::empty())
        }
        opened => opened,
    }
}

/// What it means that a file could not be opened.
pub(super) fn refusal(errno: Errno) -> Unread {
    match errno {
        Errno::NOENT | Errno::NOTDIR => Unread::Missing,
        // What opening a socket, or a device without its hardware, says.
        Errno::NXIO | Errno::NODEV => Unread::NotAFile,
        errno => Unread::Refused(errno),
    }
}

/// Passes on a file that was opened if it is a regular one.
pub(super) fn checked(file: File) -> Result<(File, Stat), Unread> {
    let stat = rustix::fs::fstat(&file).map_err(Unread::Refused)?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Ok((file, stat)),
        _ => Err(Unread::NotAFile),
    }
}

/// Reads a file that was opened, to its end.
pub(super) fn read_open(file: File, stat: &Stat, limit: usize) -> Result<Vec<u8>, Unread> {
    let size = usize::try_from(stat.st_size).map_err(|_| Unread::Long)?;
    if size > limit {
        return Err(Unread::Long);
    }
    let mut bytes = Vec::with_capacity(size.saturating_add(1));
    // Files in /proc have no size, and others may grow while they are read.
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let read = file.take(most).read_to_end(&mut bytes);
    read.map_err(|error| Unread::Refused(Errno::from_io_error(&error).unwrap_or(Errno::IO)))?;
    if bytes.len() > limit {
        return Err(Unread::Long);
    }
    Ok(bytes)
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
