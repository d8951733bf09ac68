//! A number by which one thread wakes another.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::Arc;

use crate::gate::received;
use crate::sys;

/// Readable from when it was rung.
#[derive(Debug)]
pub(crate) struct Bell(OwnedFd);

impl Bell {
    pub(crate) fn new() -> io::Result<Bell> {
        // SAFETY: takes numbers alone.
        match unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) } {
            -1 => Err(io::Error::last_os_error()),
            fd => Ok(Bell(received(fd))),
        }
    }

    pub(crate) fn raw(&self) -> RawFd {
        self.0.as_raw_fd()
    }

    pub(crate) fn ring(&self) {
        let _ = sys::write(self.raw(), &1_u64.to_ne_bytes());
    }
}

/// Ends a run from another thread, with all that it started.
#[derive(Debug, Clone)]
pub struct Stop(Arc<Bell>);

impl Stop {
    /// A handle for one run.
    pub fn new() -> io::Result<Stop> {
        Bell::new().map(|bell| Stop(Arc::new(bell)))
    }

    /// Ends the run, also one that has not begun yet.
    pub fn stop(&self) {
        self.0.ring();
    }

    pub(crate) fn raw(&self) -> RawFd {
        self.0.raw()
    }
}
