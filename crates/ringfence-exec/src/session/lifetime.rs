//! How long a session lives, and by which policy.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use ringfence_core::Policy;
use ringfence_sandbox::Plan;

use super::shared::{Shared, State};

/// How often the supervisor checks whether its session has to end.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// The documents that apply to a session.
pub trait PolicySource: Send {
    /// Reads the policy documents again. Returns the new policy if the fingerprint of the documents
    /// is no longer `known`.
    fn renew(&mut self, known: &str) -> Result<Option<FreshPolicy>, String>;
}

/// A compiled policy with the plan made from it.
pub struct FreshPolicy {
    /// The hash of the documents in force and of this program.
    pub fingerprint: String,
    /// The policy.
    pub policy: Arc<Policy>,
    /// The plan, made as the session's own was.
    pub plan: Plan,
}

/// Ends a session that is idle for too long, whose owner has gone, or whose policy allows less.
pub(super) fn watch(shared: &Shared, owner: Option<&OwnedFd>) {
    while shared.life().state != State::Over {
        std::thread::sleep(LOOK_AGAIN);
        if owner.is_some_and(has_gone) {
            shared.end(Some("the process that it belonged to has ended"));
        }
        if shared.idle().is_some_and(|idle| idle >= shared.idle_limit) {
            shared.end(Some("no command ran for a long time"));
        }
        // While documents cannot be read no command enters: its client cannot read them either.
        let _ = shared.renew_policy();
    }
}

/// Returns whether a process has ended and was waited for, or is a zombie.
fn has_gone(process: &OwnedFd) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut ended = [PollFd::new(process, PollFlags::IN)];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut ended, Some(&at_once)).is_ok_and(|ready| ready > 0)
}
