//! What the kernel tells about directories.

use std::ffi::{CString, OsString};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use crate::gate::received;
use crate::sys;

/// A name that appears, by whatever way, and a directory that leaves.
const EVENTS: u32 = libc::IN_CREATE
    | libc::IN_MOVED_TO
    | libc::IN_MOVED_FROM
    | libc::IN_ONLYDIR
    | libc::IN_DONT_FOLLOW
    | libc::IN_EXCL_UNLINK;
/// The fixed part of an event: watch, mask, cookie and the length of the name.
const HEAD: usize = 16;
/// So much is read at once; at least one event with the longest name.
const PART: usize = 16 << 10;

/// A descriptor on which the kernel tells.
#[derive(Debug)]
pub(super) struct Inotify(OwnedFd);

/// Something that happened.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// The directory.
    pub(super) watch: i32,
    /// What happened.
    pub(super) mask: u32,
    /// The name in it.
    pub(super) name: OsString,
}

impl Event {
    /// Whether any of these happened.
    pub(super) fn is(&self, mask: u32) -> bool {
        self.mask & mask != 0
    }
}

impl Inotify {
    pub(super) fn new() -> io::Result<Inotify> {
        // SAFETY: takes a number alone.
        match unsafe { libc::inotify_init1(libc::IN_CLOEXEC | libc::IN_NONBLOCK) } {
            -1 => Err(io::Error::last_os_error()),
            fd => Ok(Inotify(received(fd))),
        }
    }

    pub(super) fn raw(&self) -> RawFd {
        self.0.as_raw_fd()
    }

    /// Watches a directory; its number. A directory that is watched already keeps its number.
    pub(super) fn add(&self, directory: &Path) -> io::Result<i32> {
        let path = CString::new(directory.as_os_str().as_bytes())?;
        // SAFETY: a C string that outlives the call.
        match unsafe { libc::inotify_add_watch(self.raw(), path.as_ptr(), EVENTS) } {
            -1 => Err(io::Error::last_os_error()),
            watch => Ok(watch),
        }
    }

    pub(super) fn remove(&self, watch: i32) {
        // SAFETY: takes numbers alone. One that is gone already is no loss.
        unsafe { libc::inotify_rm_watch(self.raw(), watch) };
    }

    /// What happened since; nothing where nothing did.
    pub(super) fn read(&self) -> io::Result<Vec<Event>> {
        let mut bytes = vec![0; PART];
        match sys::read(self.raw(), &mut bytes) {
            Ok(length) => Ok(events(bytes.get(..length).unwrap_or_default())),
            Err(sys::Errno(libc::EAGAIN | libc::EINTR)) => Ok(Vec::new()),
            Err(errno) => Err(errno.into()),
        }
    }
}

/// The events in what was read.
fn events(mut bytes: &[u8]) -> Vec<Event> {
    let mut found = Vec::new();
    while let Some((&[a, b, c, d, e, f, g, h, _, _, _, _, i, j, k, l], rest)) =
        bytes.split_first_chunk::<HEAD>()
    {
        let length = u32::from_ne_bytes([i, j, k, l]) as usize;
        let Some((name, rest)) = rest.split_at_checked(length) else { break };
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        found.push(Event {
            watch: i32::from_ne_bytes([a, b, c, d]),
            mask: u32::from_ne_bytes([e, f, g, h]),
            name: OsString::from_vec(name.to_vec()),
        });
        bytes = rest;
    }
    found
}

#[cfg(test)]
#[path = "inotify_tests.rs"]
mod tests;
