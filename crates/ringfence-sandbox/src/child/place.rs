//! On which processor the init is made.
//!
//! Namespaces are made while the supervisor makes the plan. That is sooner only if both happen at
//! once, and not every kernel puts a new process on a processor that has nothing to do: those of some
//! virtual machines keep all of them together for as long as one can do the work. So whoever makes the
//! init is kept off the processor of the supervisor. The init itself, and with it all that it starts,
//! may run where the supervisor may.

use crate::sys::processors::{Processors, SELF};

/// Where the supervisor may run, and where it does not.
#[derive(Debug)]
pub(crate) struct Place {
    all: Processors,
    others: Processors,
}

impl Place {
    /// That of this thread; none where there is but one processor.
    pub(super) fn here() -> Option<Place> {
        let all = Processors::of(SELF).ok()?;
        let others = all.without(&Processors::here()?)?;
        Some(Place { all, others })
    }

    /// Keeps a process off the supervisor's processor. Where that cannot be done nothing is lost but
    /// time.
    pub(super) fn keep_off(&self, process: i32) {
        let _ = self.others.allow(process);
    }

    /// Lets this process run where the supervisor may.
    pub(super) fn let_go(&self) {
        // Whoever may run everywhere may also run on what the machine is given later, so that comes
        // first. It is more than there was if somebody had chosen some of them.
        let _ = Processors::ALL.allow(SELF);
        if Processors::of(SELF) != Ok(self.all) {
            let _ = self.all.allow(SELF);
        }
    }
}

#[cfg(test)]
#[path = "place_tests.rs"]
mod tests;
