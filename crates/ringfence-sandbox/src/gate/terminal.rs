//! `/dev/tty` for commands that enter.
//!
//! The name means the controlling terminal of whoever opens it. The broker opens for others, and is in
//! the session of the init; a command that enters is in another one.

use std::os::fd::OwnedFd;
use std::path::Path;

use super::carry::open_again;
use super::files::{Gives, Prepared};
use super::judge::Judge;
use super::target::Target;

/// Returns whether a call opens `/dev/tty`, and does nothing else.
pub(super) fn is_opened(prepared: &Prepared) -> bool {
    let is_terminal = |path: &Path| path == Path::new("/dev/tty");
    !prepared.deeds.is_empty() && prepared.deeds.iter().all(|(_, path)| is_terminal(path))
}

/// Opens the controlling terminal of a process's session, if the judge knows it. Returns whether the
/// descriptor is to be closed at `execve`, too.
pub(super) fn of_session(
    judge: &dyn Judge,
    target: Target,
    prepared: &Prepared,
) -> Option<(OwnedFd, bool)> {
    let Gives::Descriptor { cloexec, flags } = prepared.gives else { return None };
    // SAFETY: takes a number alone.
    let leader = unsafe { libc::getsid(target.pid) };
    let terminal = judge.terminal(leader)?;
    let opened = open_again(&terminal, flags & (libc::O_ACCMODE | libc::O_NONBLOCK));
    Some((opened.ok()?, cloexec))
}
