//! The pipe that a server reads.
//!
//! A server that does not read must not keep whoever writes for ever, so the pipe itself never does:
//! it can be given up while somebody waits for room in it.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// How often it is looked whether the pipe was given up.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };

/// The end of a pipe into which lines for a server are written.
#[derive(Debug)]
pub struct Pipe {
    end: File,
    hold: Hold,
}

/// What others know of a pipe, and can do about it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hold(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_waiting: AtomicBool,
    /// Something was read since this was last looked at.
    has_moved: AtomicBool,
    is_given_up: AtomicBool,
}

impl Pipe {
    /// The pipe with this end, which nobody else writes into.
    pub fn new(end: impl Into<OwnedFd>) -> io::Result<Pipe> {
        let end = end.into();
        rustix::io::ioctl_fionbio(&end, true)?;
        Ok(Pipe { end: File::from(end), hold: Hold::default() })
    }

    pub(crate) fn hold(&self) -> Hold {
        self.hold.clone()
    }

    /// Waits a moment for room.
    fn wait(&self) -> io::Result<()> {
        if self.hold.0.is_given_up.load(Ordering::Acquire) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        match poll(&mut [PollFd::new(&self.end, PollFlags::OUT)], Some(&LOOK)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            let written = match self.end.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.hold.0.is_waiting.store(true, Ordering::Release);
                    match self.wait() {
                        Ok(()) => continue,
                        Err(error) => Err(error),
                    }
                }
                written => written,
            };
            self.hold.0.is_waiting.store(false, Ordering::Release);
            self.hold.0.has_moved.store(true, Ordering::Release);
            return written;
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Hold {
    /// Whether somebody waits until the server reads, which it has not done since this was last asked.
    pub(crate) fn is_stuck(&self) -> bool {
        let has_moved = self.0.has_moved.swap(false, Ordering::AcqRel);
        self.0.is_waiting.load(Ordering::Acquire) && !has_moved
    }

    /// Nobody waits for it any more.
    pub(crate) fn give_up(&self) {
        self.0.is_given_up.store(true, Ordering::Release);
    }
}

#[cfg(test)]
#[path = "pipe_tests.rs"]
mod tests;
