//! When an agent last called its hook: the time of a file, and nothing else.

use std::fs::{DirBuilder, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ringfence_hooks::{Agent, SAMPLE_SESSION};

/// Notes that an agent called its hook. A note that cannot be made is no reason to refuse.
pub(crate) fn note(home: &str, agent: Agent, session: Option<&str>) {
    // In a run nobody writes here, and a try would be one more line in its list of refusals.
    if session == Some(SAMPLE_SESSION) || may_be_in_run() {
        return;
    }
    let file = file(&Path::new(home).join(".local/state/ringfence"), agent);
    let touch = || {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600);
        options.open(&file).and_then(|file| file.set_modified(SystemTime::now()))
    };
    if let Err(error) = touch()
        && error.kind() == ErrorKind::NotFound
        && let Some(directory) = file.parent()
    {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(directory);
        let _ = made.and_then(|()| touch());
    }
}

/// Every run has a user namespace of its own.
pub(crate) fn may_be_in_run() -> bool {
    /// The name of the namespace that the kernel begins with.
    const FIRST: &str = "user:[4026531837]";
    std::fs::read_link("/proc/self/ns/user").map_or(true, |own| own != Path::new(FIRST))
}

/// How long ago an agent called its hook.
pub(crate) fn last(state: &Path, agent: Agent) -> Option<Duration> {
    let time = std::fs::symlink_metadata(file(state, agent)).ok()?.modified().ok()?;
    SystemTime::now().duration_since(time).ok()
}

fn file(state: &Path, agent: Agent) -> PathBuf {
    state.join("called").join(agent.name())
}
