//! How much may still be said.

use std::io;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::bell::Bell;

/// How much may still be said, by all streams together.
#[derive(Debug)]
pub(super) struct Budget {
    left: AtomicU64,
    is_over: AtomicBool,
    over: Bell,
}

impl Budget {
    pub(super) fn new(most: u64) -> io::Result<Budget> {
        Ok(Budget {
            left: AtomicU64::new(most),
            is_over: AtomicBool::new(false),
            over: Bell::new()?,
        })
    }

    /// Takes so many bytes; as many as there are, where there are less.
    pub(super) fn take(&self, wanted: usize) -> usize {
        let fewer = |left: u64| Some(left.saturating_sub(wanted as u64));
        let left = self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, fewer);
        let left = usize::try_from(left.unwrap_or_default()).unwrap_or(usize::MAX);
        if left < wanted {
            self.is_over.store(true, Ordering::Release);
            self.over.ring();
        }
        wanted.min(left)
    }

    /// Whether more was wanted than there was.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Readable once it is over.
    pub(super) fn raw(&self) -> RawFd {
        self.over.raw()
    }
}

#[cfg(test)]
#[path = "budget_tests.rs"]
mod tests;
