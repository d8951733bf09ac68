//! A file of ringfence's own records.
//!
//! It is opened without following links, believed only if it belongs to the user and nobody else
//! may write it, and replaced whole.

use std::fs::{DirBuilder, File};
use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::fs::DirBuilderExt;
use std::time::Duration;

use ringfence_core::path::AbsPath;
use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::file::{self, Unread};
use super::places::Places;

/// How often a lock that somebody else has is asked for, and how long is waited in between.
const TRIES: usize = 200;
const PAUSE: Duration = Duration::from_millis(10);

/// A file in the directory of ringfence's own records. Errors are words for a message.
#[derive(Debug, Clone)]
pub struct RecordFile {
    directory: AbsPath,
    user: u32,
    name: &'static str,
    longest: usize,
}

impl RecordFile {
    /// The file of this name, of at most `longest` bytes; nothing is read yet.
    pub fn new(places: &Places, name: &'static str, longest: usize) -> RecordFile {
        RecordFile { directory: places.state_dir.clone(), user: places.user, name, longest }
    }

    /// Where it lies.
    pub fn path(&self) -> String {
        format!("{}/{}", self.directory, self.name)
    }

    /// What is in it; nothing where there is no file yet.
    pub fn read(&self) -> Result<Option<Vec<u8>>, String> {
        // As a place alone: inside a run the file can be read, and not what lies beside it.
        match self.open(OFlags::PATH)? {
            Some(opened) => opened.read(),
            None => Ok(None),
        }
    }

    /// Replaces what is in it by what `change` makes of that, while nobody else changes it.
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

    /// Opens the directory; `None` where there is none.
    fn open(&self, access: OFlags) -> Result<Option<Opened<'_>>, String> {
        let flags = access | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let directory = match rustix::fs::open(self.directory.as_str(), flags, Mode::empty()) {
            Ok(directory) => File::from(directory),
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::NOTDIR | Errno::LOOP) => {
                return Err("its directory is a link, or none".to_owned());
            }
            Err(errno) => return Err(file::describe(errno)),
        };
        let stat = rustix::fs::fstat(&directory).map_err(file::describe)?;
        check(&stat, self.user).map_err(|reason| format!("of its directory, {reason}"))?;
        Ok(Some(Opened { directory, file: self }))
    }
}

/// The directory of the file, opened and found good.
struct Opened<'a> {
    directory: File,
    file: &'a RecordFile,
}

impl Opened<'_> {
    /// Keeps others from changing the records until the lock is dropped.
    fn lock(&self) -> Result<impl Drop + use<>, String> {
        let own = self.directory.try_clone().map_err(|error| error.to_string())?;
        for _ in 0..TRIES {
            match rustix::fs::flock(&own, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Lock(own)),
                Err(Errno::WOULDBLOCK) => std::thread::sleep(PAUSE),
                Err(errno) => return Err(file::describe(errno)),
            }
        }
        Err("somebody else is changing it".to_owned())
    }

    fn read(&self) -> Result<Option<Vec<u8>>, String> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let opened = rustix::fs::openat(&self.directory, self.file.name, flags, Mode::empty());
        let (opened, stat) = match opened.map_err(file::refusal).map(File::from) {
            Ok(opened) => file::checked(opened).map_err(Unread::reason)?,
            Err(Unread::Missing) => return Ok(None),
            Err(unread) => return Err(unread.reason()),
        };
        check(&stat, self.file.user)?;
        file::read_open(opened, &stat, self.file.longest).map(Some).map_err(Unread::reason)
    }

    fn write(&self, bytes: &[u8]) -> Result<(), String> {
        if bytes.len() > self.file.longest {
            return Err("it would be too long: remove what is no longer needed".to_owned());
        }
        let name = self.file.name;
        let temporary = format!(".{name}.{}", std::process::id());
        let written = self.write_new(&temporary, bytes).and_then(|()| {
            rustix::fs::renameat(&self.directory, temporary.as_str(), &self.directory, name)
                .map_err(file::describe)
        });
        if written.is_err() {
            // It may never have been made; what matters is that the records are unchanged.
            let _ = self.remove(&temporary);
        }
        written?;
        rustix::fs::fsync(&self.directory).map_err(file::describe)
    }

    fn write_new(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let open = || rustix::fs::openat(&self.directory, name, flags, mode);
        // A file of this name is left over from a process that ended half-way.
        let opened = match open() {
            Err(Errno::EXIST) => self.remove(name).and_then(|()| open()),
            opened => opened,
        };
        let mut new = File::from(opened.map_err(file::describe)?);
        new.write_all(bytes).and_then(|()| new.sync_all()).map_err(|error| error.to_string())
    }

    fn remove(&self, name: &str) -> Result<(), Errno> {
        rustix::fs::unlinkat(self.directory.as_fd(), name, AtFlags::empty())
    }
}

/// A lock on the directory, given back when it is dropped.
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // The lock ends with the descriptor at the latest.
        let _ = rustix::fs::flock(&self.0, FlockOperation::Unlock);
    }
}

fn check(stat: &Stat, user: u32) -> Result<(), String> {
    if stat.st_uid != user {
        return Err(format!("it belongs to the user `{}`", stat.st_uid));
    }
    if stat.st_mode & 0o022 != 0 {
        return Err("others may write it".to_owned());
    }
    Ok(())
}
