//! A file of ringfence's own records.
//!
//! The file is opened without following symlinks. It is trusted only if the user owns it and nobody
//! else can write to it. Each change replaces the whole file.

use std::borrow::Cow;
use std::fs::{DirBuilder, File};
use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::fs::DirBuilderExt;
use std::time::Duration;

use ringfence_core::path::AbsPath;
use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::locations::PolicyLocations;
use super::safe_open::{self, ReadError};

/// How often a contended lock is tried, and how long to wait between tries.
const TRIES: usize = 200;
const PAUSE: Duration = Duration::from_millis(10);

/// A file in ringfence's state directory. Errors are messages for people.
#[derive(Debug, Clone)]
pub struct RecordFile {
    directory: AbsPath,
    user: u32,
    name: Cow<'static, str>,
    longest: usize,
}

impl RecordFile {
    /// Returns the file `name` with a size limit of `longest` bytes, without reading it.
    pub fn new(places: &PolicyLocations, name: &'static str, longest: usize) -> RecordFile {
        RecordFile {
            directory: places.state_dir.clone(),
            user: places.user,
            name: Cow::Borrowed(name),
            longest,
        }
    }

    /// Returns the file `name` in a directory of records, without reading it.
    pub(super) fn in_directory(
        directory: AbsPath,
        user: u32,
        name: String,
        longest: usize,
    ) -> RecordFile {
        RecordFile { directory, user, name: Cow::Owned(name), longest }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> String {
        format!("{}/{}", self.directory, self.name)
    }

    /// Returns the content, or `None` if the file does not exist.
    pub fn read(&self) -> Result<Option<Vec<u8>>, String> {
        // `O_PATH` needs no read permission: inside a run, this file can be read, but its directory
        // cannot be listed.
        match self.open(OFlags::PATH)? {
            Some(opened) => opened.read(),
            None => Ok(None),
        }
    }

    /// Replaces the content by the result of `change`, under a lock.
    pub fn change(
        &self,
        change: impl FnOnce(Option<Vec<u8>>) -> Result<Vec<u8>, String>,
    ) -> Result<(), String> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(self.directory.as_str());
        made.map_err(|error| error.to_string())?;
        let opened = self.open(OFlags::RDONLY)?.ok_or("it is gone")?;
        let _lock = opened.lock()?;
        let bytes = change(opened.read()?)?;
        opened.write(&bytes)
    }

    /// Removes the file, if it exists.
    pub(super) fn remove(&self) -> Result<(), String> {
        let Some(opened) = self.open(OFlags::RDONLY)? else { return Ok(()) };
        match opened.remove(&self.name) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(safe_open::describe(errno)),
        }
    }

    /// Opens the directory, or returns `None` if it does not exist.
    fn open(&self, access: OFlags) -> Result<Option<OpenedDirectory<'_>>, String> {
        let flags = access | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let directory = match rustix::fs::open(self.directory.as_str(), flags, Mode::empty()) {
            Ok(directory) => File::from(directory),
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::NOTDIR | Errno::LOOP) => {
                return Err("its directory is a symbolic link, or not a directory".to_owned());
            }
            Err(errno) => return Err(safe_open::describe(errno)),
        };
        let stat = rustix::fs::fstat(&directory).map_err(safe_open::describe)?;
        check(&stat, self.user).map_err(|reason| format!("its directory is unsafe: {reason}"))?;
        Ok(Some(OpenedDirectory { directory, file: self }))
    }
}

/// The directory of the file, opened and checked.
struct OpenedDirectory<'a> {
    directory: File,
    file: &'a RecordFile,
}

impl OpenedDirectory<'_> {
    /// Locks the records against other processes until the lock is dropped.
    fn lock(&self) -> Result<impl Drop + use<>, String> {
        let own = self.directory.try_clone().map_err(|error| error.to_string())?;
        for _ in 0..TRIES {
            match rustix::fs::flock(&own, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Lock(own)),
                Err(Errno::WOULDBLOCK) => std::thread::sleep(PAUSE),
                Err(errno) => return Err(safe_open::describe(errno)),
            }
        }
        Err("another process is changing it".to_owned())
    }

    fn read(&self) -> Result<Option<Vec<u8>>, String> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let opened = rustix::fs::openat(&self.directory, &*self.file.name, flags, Mode::empty());
        let (opened, stat) = match opened.map_err(safe_open::refusal).map(File::from) {
            Ok(opened) => safe_open::checked(opened).map_err(ReadError::reason)?,
            Err(ReadError::Missing) => return Ok(None),
            Err(unread) => return Err(unread.reason()),
        };
        check(&stat, self.file.user)?;
        safe_open::read_open(opened, &stat, self.file.longest).map(Some).map_err(ReadError::reason)
    }

    fn write(&self, bytes: &[u8]) -> Result<(), String> {
        if bytes.len() > self.file.longest {
            return Err("it would be too long: remove what is no longer needed".to_owned());
        }
        let name = &*self.file.name;
        let temporary = format!(".{name}.{}", std::process::id());
        let written = self.write_new(&temporary, bytes).and_then(|()| {
            rustix::fs::renameat(&self.directory, temporary.as_str(), &self.directory, name)
                .map_err(safe_open::describe)
        });
        if written.is_err() {
            // The temporary file may not exist; the records are unchanged in any case.
            let _ = self.remove(&temporary);
        }
        written?;
        rustix::fs::fsync(&self.directory).map_err(safe_open::describe)
    }

    fn write_new(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let open = || rustix::fs::openat(&self.directory, name, flags, mode);
        // A process that was interrupted may have left a file with this name.
        let opened = match open() {
            Err(Errno::EXIST) => self.remove(name).and_then(|()| open()),
            opened => opened,
        };
        let mut new = File::from(opened.map_err(safe_open::describe)?);
        new.write_all(bytes).and_then(|()| new.sync_all()).map_err(|error| error.to_string())
    }

    fn remove(&self, name: &str) -> Result<(), Errno> {
        rustix::fs::unlinkat(self.directory.as_fd(), name, AtFlags::empty())
    }
}

/// A lock on the directory, released on drop.
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the descriptor releases the lock in any case.
        let _ = rustix::fs::flock(&self.0, FlockOperation::Unlock);
    }
}

fn check(stat: &Stat, user: u32) -> Result<(), String> {
    if stat.st_uid != user {
        return Err(format!("it belongs to the user `{}`", stat.st_uid));
    }
    if stat.st_mode & 0o022 != 0 {
        return Err("others can write to it".to_owned());
    }
    Ok(())
}
