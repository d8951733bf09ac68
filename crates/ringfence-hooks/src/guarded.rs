//! Nothing fails open: a judge that panics, or takes too long, has said no.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long judging may take.
pub const LIMIT: Duration = Duration::from_secs(2);

/// What `judge` says, within the limit; an error says why it said nothing.
///
/// It runs in a thread of its own, which is left behind where it does not end: whoever calls this
/// answers its agent, and the process ends.
pub fn guarded<T: Send + 'static>(
    limit: Duration,
    judge: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let (tell, told) = mpsc::sync_channel(1);
    let judging = move || {
        let _ = tell.send(caught(judge));
    };
    if thread::Builder::new().stack_size(STACK).spawn(judging).is_err() {
        return Err(NO_THREAD.to_owned());
    }
    told.recv_timeout(limit).unwrap_or_else(|_| Err(took_longer(limit)))
}

/// What `judge` says in this thread; an error says that it panicked. Whoever judges one call and ends
/// has the time watched by other means.
pub fn caught<T>(judge: impl FnOnce() -> T) -> Result<T, String> {
    let said = catch_unwind(AssertUnwindSafe(judge));
    said.map_err(|_| "the judge stopped for an error of its own".to_owned())
}

/// Why there is no answer where judging took longer than it may.
pub fn took_longer(limit: Duration) -> String {
    format!("judging took longer than {} s", limit.as_secs_f64())
}

const NO_THREAD: &str = "no thread could be started to judge the call";

/// As much as the main thread of a program usually has.
const STACK: usize = 8 << 20;

#[cfg(test)]
#[path = "guarded_tests.rs"]
mod tests;
