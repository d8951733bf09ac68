//! Lines that leave together: what came at once is written at once.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// Whether another line is there already, which is carried before anybody is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum More {
    Follows,
    No,
}

/// So many bytes are written at once, at most.
const MOST: usize = 64 << 10;

/// Lines on their way out.
///
/// INVARIANT: whoever adds a line flushes afterwards, so none stays behind.
pub(crate) struct Batch<W>(Mutex<Inner<W>>);

struct Inner<W> {
    /// Nothing once there is no more to say.
    to: Option<W>,
    lines: Vec<u8>,
}

impl<W: Write> Batch<W> {
    pub(crate) fn new(to: W) -> Batch<W> {
        Batch(Mutex::new(Inner { to: Some(to), lines: Vec::new() }))
    }

    /// Adds a line.
    pub(crate) fn add(&self, line: &str) {
        let mut own = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        own.lines.extend_from_slice(line.as_bytes());
        own.lines.push(b'\n');
        if own.lines.len() >= MOST {
            own.write();
        }
    }

    /// Writes what was added. Whoever is adding or writing just now does it in place of this: to
    /// wait for a reader that is slow could mean to wait for ever, since it may wait for us.
    pub(crate) fn flush(&self) {
        if let Ok(mut own) = self.0.try_lock() {
            own.write();
        }
    }

    /// There is no more to say.
    pub(crate) fn close(&self) {
        let mut own = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        own.write();
        own.to = None;
    }
}

impl<W: Write> Inner<W> {
    fn write(&mut self) {
        if self.lines.is_empty() {
            return;
        }
        if let Some(to) = &mut self.to {
            // Whoever is gone is noticed elsewhere.
            let _ = to.write_all(&self.lines).and_then(|()| to.flush());
        }
        self.lines.clear();
        self.lines.shrink_to(MOST);
    }
}

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;
