//! Files whose content is judged when it has been written.
//!
//! The process that opens such a file gets the writing end of a pipe. The gate keeps the file itself,
//! and puts the content into it once the pipe was closed and the judge took the content. Whatever
//! the process or another one does next has to pass the gate, so that its effect is seen in order.

use std::cell::RefCell;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use super::files::{Gives, Prepared};
use super::judge::TakeContent;
use super::sockets::set_flags;
use super::{Shared, carry};
use crate::child::Operation;

/// More files are not open at the same time.
const MOST: usize = 64;
/// The longest content. A pipe holds as much before its writer waits.
const LONGEST: u64 = 64 << 10;

/// The files that are being written.
#[derive(Default)]
pub(super) struct Written(RefCell<Vec<Pending>>);

struct Pending {
    pipe: File,
    file: File,
    /// The directory of the file and the name in it.
    place: (OwnedFd, CString),
    take: Box<TakeContent>,
}

impl Written {
    /// Opens a file and hands the process a pipe in its place.
    pub(super) fn open(
        &self,
        shared: &Arc<Shared>,
        id: u64,
        prepared: Prepared,
        take: Box<TakeContent>,
    ) -> io::Result<()> {
        let refused = || io::Error::from_raw_os_error(libc::EACCES);
        let Prepared { mut job, gives: Gives::Descriptor { cloexec, .. }, .. } = prepared else {
            return Err(refused());
        };
        let is_written_only = job.flags & libc::O_ACCMODE == libc::O_WRONLY;
        let is_full = self.0.borrow().len() >= MOST;
        if job.operation != Operation::Open || !is_written_only || is_full {
            return Err(refused());
        }
        job.flags &= !libc::O_APPEND;
        let directory = job.fds.first().ok_or_else(refused)?.try_clone()?;
        let [name, _] = &job.texts;
        let place = (directory, CString::new(name.as_slice())?);
        let file = shared.broker.order(&job)?.descriptor.ok_or_else(refused)?;
        let (read, write) = pipe()?;
        let watched = read.try_clone()?;
        let own = Arc::clone(shared);
        carry::apart(shared, id, move || {
            wait_for_end(&watched);
            let _ = crate::sys::write(own.wake.as_raw_fd(), &1_u64.to_ne_bytes());
        });
        let pending = Pending { pipe: read.into(), file: file.into(), place, take };
        self.0.borrow_mut().push(pending);
        shared.listener.give(id, &write, cloexec);
        Ok(())
    }

    /// Puts content into the files whose writers have closed them.
    pub(super) fn settle(&self) {
        let mut at = 0;
        loop {
            let mut pending = self.0.borrow_mut();
            let Some(own) = pending.get(at) else { return };
            if !has_ended(&own.pipe, 0) {
                at = at.saturating_add(1);
                continue;
            }
            let own = pending.swap_remove(at);
            drop(pending);
            own.finish();
        }
    }
}

impl Drop for Written {
    /// Nobody is left who could write.
    fn drop(&mut self) {
        self.0.take().into_iter().for_each(Pending::finish);
    }
}

impl Pending {
    /// Puts the content into the file if it is taken, and removes an empty file otherwise.
    fn finish(self) {
        let Pending { mut pipe, mut file, place: (directory, name), take } = self;
        let mut content = Vec::new();
        let longest = LONGEST.saturating_add(1);
        // A writer that is still there has not said everything.
        let read = (&mut pipe).take(longest).read_to_end(&mut content);
        let is_whole = read.is_ok() && content.len() as u64 <= LONGEST;
        if is_whole && take(&content) {
            let _ = file.set_len(0).and_then(|()| file.write_all(&content));
        } else if is_empty_at(&file, &directory, &name) {
            // SAFETY: a C string that outlives the call.
            unsafe { libc::unlinkat(directory.as_raw_fd(), name.as_ptr(), 0) };
        }
    }
}

/// Returns whether a file is empty and still has its name.
fn is_empty_at(file: &File, directory: &OwnedFd, name: &CStr) -> bool {
    // SAFETY: all zeros is a `stat` like any other.
    let mut there: libc::stat = unsafe { std::mem::zeroed() };
    let (directory, flags) = (directory.as_raw_fd(), libc::AT_SYMLINK_NOFOLLOW);
    // SAFETY: a C string, and a structure that the kernel writes; both outlive the call.
    let is_there = unsafe { libc::fstatat(directory, name.as_ptr(), &raw mut there, flags) } == 0;
    let is_same = |own: std::fs::Metadata| {
        own.len() == 0 && own.ino() == there.st_ino && own.dev() == there.st_dev
    };
    is_there && file.metadata().is_ok_and(is_same)
}

/// Makes a pipe of which reading does not wait.
fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut fds = [0; 2];
    // SAFETY: the kernel writes two numbers.
    if unsafe { libc::pipe2(fds.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel just gave them to us, so nobody else owns them.
    let [read, write] = fds.map(|fd| unsafe { OwnedFd::from_raw_fd(fd) });
    set_flags(&read, libc::O_NONBLOCK);
    Ok((read, write))
}

fn wait_for_end(pipe: &OwnedFd) {
    while !has_ended(pipe, -1) {}
}

/// Returns whether every writer of a pipe has closed it, after waiting so many milliseconds.
fn has_ended(pipe: &impl AsRawFd, patience: i32) -> bool {
    // Data that waits is no event that is asked for: an end is always told.
    let mut wanted = libc::pollfd { fd: pipe.as_raw_fd(), events: 0, revents: 0 };
    // SAFETY: the kernel writes the one entry.
    unsafe { libc::poll(&raw mut wanted, 1, patience) };
    wanted.revents & (libc::POLLHUP | libc::POLLERR | libc::POLLNVAL) != 0
}
