//! Signals to the supervisor, which are meant for the command.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use crate::gate::received;
use crate::sys;
use crate::terminal::Blocked;

/// What people and service managers send to a command.
pub(crate) const FORWARDED: [i32; 7] = [
    libc::SIGINT,
    libc::SIGTERM,
    libc::SIGHUP,
    libc::SIGQUIT,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGTSTP,
];
/// As long as the kernel's description of a signal.
const DESCRIPTION: usize = 128;

/// Signals that are read instead of being acted on.
#[derive(Debug)]
pub(crate) struct Signals {
    fd: OwnedFd,
    _blocked: Blocked,
}

impl Signals {
    pub(crate) fn new() -> io::Result<Signals> {
        let blocked = Blocked::new(&FORWARDED);
        let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
        // SAFETY: the set outlives the call.
        let fd = unsafe { libc::signalfd(-1, blocked.set(), flags) };
        match fd {
            -1 => Err(io::Error::last_os_error()),
            fd => Ok(Signals { fd: received(fd), _blocked: blocked }),
        }
    }

    pub(crate) fn raw(&self) -> RawFd {
        self.fd.as_raw_fd()
    }

    /// The next signal.
    pub(crate) fn next(&self) -> Option<u8> {
        let mut description = [0; DESCRIPTION];
        sys::read(self.raw(), &mut description).ok()?;
        description.first().copied()
    }
}
