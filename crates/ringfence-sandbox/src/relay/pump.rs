//! Hands on from one descriptor to another.

use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use super::budget::Budget;
use crate::bell::Bell;
use crate::sys::{self, Errno};
use crate::terminal::Blocked;

/// So much is handed on at once: a pipe with any room has room for it.
const PART: usize = 4096;

/// Two descriptors, from the one to the other.
#[derive(Debug)]
pub(super) struct Pump {
    pub(super) from: OwnedFd,
    pub(super) to: OwnedFd,
}

impl Pump {
    /// Hands on until nobody writes any more, or nobody reads, or it is more than may be.
    pub(super) fn run(self, budget: &Budget, stop: &Bell) {
        // Whoever reads no more is learnt of by the error.
        let _pipe = Blocked::new(&[libc::SIGPIPE]);
        let mut bytes = [0; PART];
        loop {
            let length = match sys::read(self.from.as_raw_fd(), &mut bytes) {
                Ok(length) if length > 0 => length,
                Err(Errno(libc::EINTR)) => continue,
                // A terminal whose other end is gone says so with an error.
                _ => return,
            };
            let allowed = budget.take(length);
            let part = bytes.get(..allowed).unwrap_or_default();
            if !put(self.to.as_raw_fd(), part, stop) || allowed < length {
                return;
            }
        }
    }
}

/// Writes all of it; false where that cannot be done, or is wanted no more.
pub(super) fn put(to: RawFd, mut bytes: &[u8], stop: &Bell) -> bool {
    while !bytes.is_empty() {
        let [is_ready, is_stopped] = wait([(to, libc::POLLOUT), (stop.raw(), libc::POLLIN)], -1);
        if is_stopped {
            return false;
        }
        if !is_ready {
            continue;
        }
        match sys::write_some(to, bytes) {
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(Errno(libc::EINTR | libc::EAGAIN)) => {}
            Err(_) => return false,
        }
    }
    true
}

/// Waits for one of these; which of them are ready.
pub(super) fn wait<const N: usize>(fds: [(RawFd, i16); N], time: i32) -> [bool; N] {
    let mut wanted = fds.map(|(fd, events)| libc::pollfd { fd, events, revents: 0 });
    // SAFETY: the kernel writes the entries.
    match unsafe { libc::poll(wanted.as_mut_ptr(), N as libc::nfds_t, time) } {
        -1 => [false; N],
        _ => wanted.map(|entry| entry.revents != 0),
    }
}
