//! What this process refused, written down for `ringfence log`.

use ringfence_exec::refusal_log::{LogEntry, RefusalLog};
use ringfence_guard::world::RealHost;

use crate::door::surroundings;
use crate::exit::Failure;
use crate::show;
use crate::site::called;

/// The diary of this user.
pub(crate) fn diary() -> Result<RefusalLog, Failure> {
    let here = surroundings(&RealHost::new())?;
    let places = here.places().map_err(|error| Failure::new(error.to_string()))?;
    Ok(RefusalLog::new(places.state_dir.as_str().as_ref()))
}

/// Writes entries down. That it could not be done is said, and changes nothing else.
pub(crate) fn note(entries: impl IntoIterator<Item = LogEntry>) {
    let mut entries = entries.into_iter().peekable();
    // In a run nobody writes here, and the run writes down what was refused in it.
    if entries.peek().is_none() || called::may_be_in_run() {
        return;
    }
    let written = diary()
        .and_then(|diary| diary.add(entries).map_err(|error| Failure::new(error.to_string())));
    if let Err(failure) = written {
        show::say(&format!("note: what was refused is not in the log: {}", failure.message));
    }
}
