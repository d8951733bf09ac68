//! A task that starts once a run has lasted for a while.

use std::fmt;
use std::time::Duration;

/// A task that the thread serving a run carries out after a delay. Many runs end before that.
pub struct DelayedTask {
    pub(crate) after: Duration,
    pub(crate) body: Box<dyn FnOnce() + Send>,
}

impl DelayedTask {
    /// Creates a task that runs `body` once the run has lasted for `after`.
    pub fn new(after: Duration, body: impl FnOnce() + Send + 'static) -> DelayedTask {
        DelayedTask { after, body: Box::new(body) }
    }
}

impl fmt::Debug for DelayedTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DelayedTask").field("after", &self.after).finish_non_exhaustive()
    }
}
