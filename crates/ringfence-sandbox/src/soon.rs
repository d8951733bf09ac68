//! What is done while a run lives, and not before.

use std::fmt;
use std::time::Duration;

/// What is done once a run has lived for a while: many are over before.
pub struct Soon {
    pub(crate) after: Duration,
    pub(crate) body: Box<dyn FnOnce() + Send>,
}

impl Soon {
    /// Has this done after so long, by the thread that serves the run.
    pub fn new(after: Duration, body: impl FnOnce() + Send + 'static) -> Soon {
        Soon { after, body: Box::new(body) }
    }
}

impl fmt::Debug for Soon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Soon").field("after", &self.after).finish_non_exhaustive()
    }
}
