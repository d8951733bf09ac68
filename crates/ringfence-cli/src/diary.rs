//! What this process refused, written down for `ringfence log`.

use ringfence_exec::refusal_log::{LogEntry, RefusalLog};
use ringfence_guard::world::{PolicyLocations, RealHost, SurroundingsError};

use crate::exit::Failure;
use crate::show;
use crate::site::called;

/// The diary of this user.
pub(crate) fn diary() -> Result<RefusalLog, Failure> {
    let host = RealHost::new();
    let unknown = || Failure::new(SurroundingsError::NoUser(host.uid()).to_string());
    // The log depends on the user alone, so no project root is looked for.
    let user = host.user().ok_or_else(unknown)?;
    let places = PolicyLocations::of_user(user.uid, &user.home).map_err(|_| unknown())?;
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
