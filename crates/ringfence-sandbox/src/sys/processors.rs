//! On which processors a thread may run.

use super::{Result, at, at_mut, int, syscall};

/// This thread.
pub(crate) const SELF: i32 = 0;

/// So many words are a set; on machines with more processors nothing is known of them.
const WORDS: usize = 16;

/// A set of processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Processors([u64; WORDS]);

impl Processors {
    const NONE: Processors = Processors([0; WORDS]);
    /// All that there are and will be.
    pub(crate) const ALL: Processors = Processors([!0; WORDS]);

    /// Where a thread may run.
    pub(crate) fn of(thread: i32) -> Result<Processors> {
        let mut set = Processors::NONE;
        let args = [int(thread), size_of::<Processors>(), at_mut(set.0.as_mut_ptr()), 0, 0, 0];
        // SAFETY: the kernel writes at most so many bytes of ours.
        unsafe { syscall(libc::SYS_sched_getaffinity, args) }?;
        Ok(set)
    }

    /// The one on which this thread runs now.
    pub(crate) fn here() -> Option<Processors> {
        let mut number = 0_u32;
        // SAFETY: the kernel writes a number of ours.
        unsafe { syscall(libc::SYS_getcpu, [at_mut(&raw mut number), 0, 0, 0, 0, 0]) }.ok()?;
        let mut set = Processors::NONE;
        *set.0.get_mut(number as usize / 64)? = 1 << (number % 64);
        Some(set)
    }

    /// Lets a thread run on these, and on no other.
    pub(crate) fn allow(&self, thread: i32) -> Result<()> {
        let args = [int(thread), size_of::<Processors>(), at(self.0.as_ptr()), 0, 0, 0];
        // SAFETY: the kernel reads a set of this size.
        unsafe { syscall(libc::SYS_sched_setaffinity, args) }.map(drop)
    }

    /// These but for others; none where nothing is left.
    pub(crate) fn without(mut self, others: &Processors) -> Option<Processors> {
        self.0.iter_mut().zip(others.0).for_each(|(word, other)| *word &= !other);
        (self != Processors::NONE).then_some(self)
    }

    /// Whether all of others are among these.
    pub(crate) fn has(&self, others: &Processors) -> bool {
        others.without(self).is_none()
    }
}

#[cfg(test)]
#[path = "processors_tests.rs"]
mod tests;
