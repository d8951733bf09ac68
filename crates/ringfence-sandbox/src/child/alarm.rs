//! An end for what never takes long, and must not.

use super::init::block_signals;
use crate::sys::{self, at, syscall};

/// So many seconds a connection may take to begin, which takes none.
const PATIENCE: u64 = 2;

/// Lets the alarm end this process: nothing else that is sent to it does.
pub(super) fn heed_alarm() -> sys::Result<()> {
    let by_default = [0_u64; 4];
    let args = [libc::SIGALRM as usize, at(by_default.as_ptr()), 0, size_of::<u64>(), 0, 0];
    // SAFETY: the kernel reads an action of all zeros: the default, no flags, no mask.
    unsafe { syscall(libc::SYS_rt_sigaction, args) }?;
    block_signals(!(1 << (libc::SIGALRM - 1)))
}

/// Does something that never waits, unless a thread of the tree takes that back in between: the
/// socket is the tree's own too. A tree that tries that has no broker any more and changes nothing
/// more; without an end the supervisor would wait for it, and no limit on time would hold.
pub(super) fn in_time(body: impl FnOnce() -> sys::Result<()>) -> sys::Result<()> {
    alarm(PATIENCE)?;
    let done = body();
    alarm(0)?;
    done
}

/// Rings once after so many seconds; never for none.
fn alarm(seconds: u64) -> sys::Result<()> {
    let timer = [0, 0, seconds, 0];
    let args = [libc::ITIMER_REAL as usize, at(timer.as_ptr()), 0, 0, 0, 0];
    // SAFETY: the kernel reads two times of two numbers each, which outlive the call.
    unsafe { syscall(libc::SYS_setitimer, args) }.map(drop)
}
