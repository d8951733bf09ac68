//! Keeps a start on one processor.
//!
//! While a program is started the supervisor and the process take turns: one of them always waits.
//! Left alone, the kernel moves the one that is woken to a processor that is idle, and waking that
//! takes longer than the turn. So both stay where the supervisor is until the new program stands
//! before its first instruction, or the old one before its next: neither sees that.

use std::cell::OnceCell;

use super::target::Target;
use crate::sys::processors::{Processors, SELF};

/// Where the thread that keeps others near may run, once it was looked up: nobody changes it but
/// this.
#[derive(Default)]
pub(super) struct Home(OnceCell<Option<Processors>>);

impl Home {
    fn set(&self) -> Option<Processors> {
        *self.0.get_or_init(|| Processors::of(SELF).ok())
    }
}

/// A thread that is kept near, and this one.
pub(super) struct Near {
    /// Where each of them may run.
    theirs: Processors,
    own: Processors,
}

impl Near {
    /// Keeps a thread that is held near this one, which may run at home; none where that makes no
    /// difference, or cannot be done.
    pub(super) fn keep(target: Target, home: &Home) -> Option<Near> {
        let (theirs, own) = (Processors::of(target.pid).ok()?, home.set()?);
        let near = Processors::here()?;
        if theirs == near || own == near || !theirs.has(&near) {
            return None;
        }
        near.allow(SELF).ok()?;
        let near = near.allow(target.pid).is_ok().then_some(Near { theirs, own });
        if near.is_none() {
            let _ = own.allow(SELF);
        }
        near
    }

    /// Lets the other one run where it may, if it is still there.
    pub(super) fn let_go(&self, target: Option<Target>) {
        if let Some(target) = target {
            let _ = self.theirs.allow(target.pid);
        }
    }
}

/// This thread runs where it may again: by then the other one is under way.
impl Drop for Near {
    fn drop(&mut self) {
        let _ = self.own.allow(SELF);
    }
}
