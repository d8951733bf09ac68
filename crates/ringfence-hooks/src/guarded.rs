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
        let said = catch_unwind(AssertUnwindSafe(judge));
        let _ = tell.send(said.map_err(|_| "the judge stopped for an error of its own".to_owned()));
    };
    if thread::Builder::new().stack_size(STACK).spawn(judging).is_err() {
        return Err("no thread could be started to judge the call".to_owned());
    }
    match told.recv_timeout(limit) {
        Ok(said) => said,
        Err(_) => Err(format!("judging took longer than {} s", limit.as_secs_f64())),
    }
}

/// As much as the main thread of a program usually has.
const STACK: usize = 8 << 20;

#[cfg(test)]
#[path = "guarded_tests.rs"]
mod tests;
