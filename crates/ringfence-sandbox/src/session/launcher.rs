//! The launcher: the only program that a session starts by itself. All its commands come from it.
//!
//! The launcher runs inside the fence, in memory of its own. Its one descriptor besides the standard
//! streams is its end of the line to the supervisor, by which nothing but an entry arrives. It is not
//! dumpable, so no command can look into it or take that descriptor.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use super::channel::Channel;
use super::keeper;
use crate::child::block_signals;
use crate::sys;

/// The message that the launcher sends once it can take entries.
pub(super) const HELLO: u8 = 1;

/// Takes entries until the supervisor is gone. The line to it is the standard input; standard output
/// and standard error are `/dev/null`.
///
/// It returns in the launcher alone: each keeper ends here.
pub fn launch() -> io::Result<()> {
    sys::prctl(libc::PR_SET_DUMPABLE, 0, 0)?;
    let line = take_line()?;
    // No command can stop or end the launcher but by SIGSTOP, which the init takes back, and by
    // SIGKILL, which ends the session.
    block_signals(!0)?;
    // Keepers are reaped by the kernel.
    set_children_ended(libc::SIG_IGN)?;
    line.send(&[HELLO], &[])?;
    loop {
        let message = line.receive()?;
        if message.bytes.is_empty() {
            return Ok(());
        }
        // Whoever sent anything else sees that nobody has the other end of its channel.
        let Ok([channel, stdin, stdout, stderr]) = <[OwnedFd; 4]>::try_from(message.fds) else {
            continue;
        };
        let channel = Channel::of(channel);
        // SAFETY: this process has one thread that holds locks, this one.
        match unsafe { libc::fork() } {
            0 => {
                drop(line);
                keeper::keep(&channel, [stdin, stdout, stderr])
            }
            -1 => keeper::could_not_start(&channel, keeper::Step::Fork, io::Error::last_os_error()),
            _ => {}
        }
    }
}

/// Moves the line from the standard input, so that no command inherits it.
fn take_line() -> io::Result<Channel> {
    // SAFETY: takes numbers alone.
    let line = match unsafe { libc::fcntl(libc::STDIN_FILENO, libc::F_DUPFD_CLOEXEC, 3) } {
        -1 => return Err(io::Error::last_os_error()),
        // SAFETY: it is new, so nobody else owns it.
        line => Channel::of(unsafe { OwnedFd::from_raw_fd(line) }),
    };
    put(io::stdout().as_raw_fd(), libc::STDIN_FILENO)?;
    Ok(line)
}

/// Puts a descriptor in the place of another, to be inherited.
pub(super) fn put(from: i32, to: i32) -> io::Result<()> {
    // SAFETY: takes numbers alone.
    match unsafe { libc::dup2(from, to) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Sets what this process does when a child ends: the default, or to have it reaped by the kernel.
pub(super) fn set_children_ended(action: libc::sighandler_t) -> io::Result<()> {
    // SAFETY: the action is one of the two constants, which run no code of ours.
    match unsafe { libc::signal(libc::SIGCHLD, action) } {
        libc::SIG_ERR => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
