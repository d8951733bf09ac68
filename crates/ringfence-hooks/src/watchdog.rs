//! Runs the judge so that it cannot fail open: a panic or a timeout becomes an error, and the
//! caller blocks the call.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The time limit for judging one call.
pub const JUDGE_TIMEOUT: Duration = Duration::from_secs(2);

/// Runs `judge` in a new thread and returns its result; an error says why there is none.
///
/// A thread that exceeds `limit` is not stopped. The caller answers its agent and then ends the
/// process.
pub fn run_with_timeout<T: Send + 'static>(
    limit: Duration,
    judge: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let (tell, told) = mpsc::sync_channel(1);
    let judging = move || {
        let _ = tell.send(catch_panic(judge));
    };
    if thread::Builder::new().stack_size(STACK).spawn(judging).is_err() {
        return Err(NO_THREAD.to_owned());
    }
    told.recv_timeout(limit).unwrap_or_else(|_| Err(timeout_message(limit)))
}

/// Runs `judge` in the current thread; a panic becomes an error. The caller must enforce the time
/// limit itself.
pub fn catch_panic<T>(judge: impl FnOnce() -> T) -> Result<T, String> {
    let said = catch_unwind(AssertUnwindSafe(judge));
    said.map_err(|_| "the judge failed with an internal error".to_owned())
}

/// Returns the error message for a judge that exceeded its time limit.
pub fn timeout_message(limit: Duration) -> String {
    format!("judging took longer than {} s", limit.as_secs_f64())
}

const NO_THREAD: &str = "no thread could be started to judge the call";

/// The usual stack size of a main thread.
const STACK: usize = 8 << 20;

#[cfg(test)]
#[path = "watchdog_tests.rs"]
mod tests;
