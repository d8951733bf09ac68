//! Nothing fails open: a judge that panics, or takes too long, has said no.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
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

/// The same for a process that judges one call: `judge` runs at once in this thread, beside one
/// that watches the time.
///
/// After the limit `late` answers with the reason it is given, and the process ends with the status
/// that it returns.
pub fn watched<T>(
    limit: Duration,
    judge: impl FnOnce() -> T,
    late: impl FnOnce(&str) -> i32 + Send + 'static,
) -> Result<T, String> {
    let is_answered = Arc::new(AtomicBool::new(false));
    let is_in_time = Arc::clone(&is_answered);
    let watching = move || {
        thread::sleep(limit);
        if !is_answered.swap(true, Ordering::AcqRel) {
            process::exit(late(&took_longer(limit)));
        }
    };
    if thread::Builder::new().spawn(watching).is_err() {
        return Err(NO_THREAD.to_owned());
    }
    let said = caught(judge);
    while is_in_time.swap(true, Ordering::AcqRel) {
        // The agent has its answer, and the process is ending.
        thread::park();
    }
    said
}

fn caught<T>(judge: impl FnOnce() -> T) -> Result<T, String> {
    let said = catch_unwind(AssertUnwindSafe(judge));
    said.map_err(|_| "the judge stopped for an error of its own".to_owned())
}

fn took_longer(limit: Duration) -> String {
    format!("judging took longer than {} s", limit.as_secs_f64())
}

const NO_THREAD: &str = "no thread could be started to judge the call";

/// As much as the main thread of a program usually has.
const STACK: usize = 8 << 20;

#[cfg(test)]
#[path = "guarded_tests.rs"]
mod tests;
