//! Keeps a start on one processor.
//!
//! While a program is started the supervisor and the process take turns: one of them always waits.
//! Left alone, the kernel moves the one that is woken to a processor that is idle, and waking that
//! takes longer than the turn. So both stay where the supervisor is until the new program stands
//! before its first instruction, or the old one before its next: neither sees that.

use std::cell::OnceCell;
use std::io;

use super::target::Target;

/// So many words are a set of processors; on machines with more nothing is kept near.
const WORDS: usize = 16;

/// A set of processors.
type Set = [u64; WORDS];

/// Where the thread that keeps others near may run, once it was looked up: nobody changes it but
/// this.
#[derive(Default)]
pub(super) struct Home(OnceCell<Option<Set>>);

impl Home {
    fn set(&self) -> Option<Set> {
        *self.0.get_or_init(|| allowed(SELF).ok())
    }
}

/// A thread that is kept near, and this one.
pub(super) struct Near {
    /// Where each of them may run.
    theirs: Set,
    own: Set,
}

impl Near {
    /// Keeps a thread that is held near this one, which may run at home; none where that makes no
    /// difference, or cannot be done.
    pub(super) fn keep(target: Target, home: &Home) -> Option<Near> {
        let (theirs, own) = (allowed(target.pid).ok()?, home.set()?);
        // SAFETY: takes nothing.
        let here = usize::try_from(unsafe { libc::sched_getcpu() }).ok()?;
        let mut near: Set = [0; WORDS];
        let bit = 1_u64.checked_shl(u32::try_from(here % 64).ok()?)?;
        *near.get_mut(here / 64)? = bit;
        let is_allowed = |set: &Set| set.get(here / 64).is_some_and(|word| word & bit != 0);
        if theirs == near || own == near || !is_allowed(&theirs) {
            return None;
        }
        allow(SELF, &near).ok()?;
        let near = allow(target.pid, &near).is_ok().then_some(Near { theirs, own });
        if near.is_none() {
            let _ = allow(SELF, &own);
        }
        near
    }

    /// Lets the other one run where it may, if it is still there.
    pub(super) fn let_go(&self, target: Option<Target>) {
        if let Some(target) = target {
            let _ = allow(target.pid, &self.theirs);
        }
    }
}

/// This thread runs where it may again: by then the other one is under way.
impl Drop for Near {
    fn drop(&mut self) {
        let _ = allow(SELF, &self.own);
    }
}

/// The thread that asks.
const SELF: i32 = 0;

fn allowed(pid: i32) -> io::Result<Set> {
    let mut set: Set = [0; WORDS];
    let (to, size) = (set.as_mut_ptr(), size_of::<Set>());
    // SAFETY: the kernel writes at most so many bytes of ours.
    match unsafe { libc::syscall(libc::SYS_sched_getaffinity, pid, size, to) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(set),
    }
}

fn allow(pid: i32, set: &Set) -> io::Result<()> {
    let (from, size) = (set.as_ptr(), size_of::<Set>());
    // SAFETY: the kernel reads a set of this size.
    match unsafe { libc::syscall(libc::SYS_sched_setaffinity, pid, size, from) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
