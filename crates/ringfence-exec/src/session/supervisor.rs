//! The supervisor of a session.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ringfence_sandbox::plan::Limits;
use ringfence_sandbox::session::Entrance;
use ringfence_sandbox::{Command, DelayedTask, Plan, Stop, Streams};

use super::control;
use super::entries::SessionEntries;
use super::lifetime::{self, PolicySource};
use super::message::Binding;
use super::place::{SessionName, SessionPlace};
use super::shared::{Life, Shared};
use crate::fence::{Fence, Finished, Way};

/// The settings of a session besides its fence.
pub struct SessionTerms {
    /// The name.
    pub name: SessionName,
    /// Where its control socket is.
    pub place: SessionPlace,
    /// To whom it belongs.
    pub binding: Binding,
    /// The documents that apply.
    pub policies: Box<dyn PolicySource>,
    /// The limits on time and output of each command.
    pub limits: Limits,
    /// After how long without a command it ends.
    pub idle_limit: Duration,
    /// The process with which it ends.
    pub owner: Option<OwnedFd>,
    /// Called once commands can enter.
    pub ready: Box<dyn FnOnce() + Send>,
    /// Done once it has lived for a while.
    pub delayed_task: Option<DelayedTask>,
}

/// Serves a session in this thread until it has ended. The command is the launcher.
///
/// The fence's own plan must have no limit on time or output: those hold for each command.
pub fn serve_session(
    fence: &Fence,
    launcher: &Command,
    terms: SessionTerms,
) -> io::Result<Finished> {
    let listener = terms.place.listen(&terms.name)?;
    let (entrance, theirs) = Entrance::new()?;
    let stop = Stop::new()?;
    let nothing = || File::options().write(true).open("/dev/null").map(OwnedFd::from);
    let streams =
        Streams { stdin: Some(theirs), stdout: Some(nothing()?), stderr: Some(nothing()?) };
    let entries = Arc::new(SessionEntries::default());
    let SessionTerms { name, place, binding, policies, limits, idle_limit, owner, .. } = terms;
    let shared = Arc::new(Shared {
        name,
        place,
        // A change of these limits is a change of the plan.
        plan: Plan { limits, ..fence.plan().clone() },
        guard: Arc::clone(fence.guard()),
        scope: fence.scope().clone(),
        entries: Arc::clone(&entries),
        entrance,
        limits,
        idle_limit,
        begun: Instant::now(),
        stop: stop.clone(),
        launcher: AtomicI32::new(0),
        policies: Mutex::new(policies),
        life: Mutex::new(Life::new(binding)),
    });
    let ready = terms.ready;
    let control = {
        let shared = Arc::clone(&shared);
        move || match shared.entrance.greet() {
            Ok(launcher) => {
                shared.launcher.store(launcher, Ordering::Release);
                ready();
                control::serve(&listener, &shared);
            }
            // Why it did not begin is told by the run.
            Err(_) => drop(shared.end(None)),
        }
    };
    std::thread::Builder::new().name("ringfence-control".to_owned()).spawn(control)?;
    let watched = Arc::clone(&shared);
    let watch = move || lifetime::watch(&watched, owner.as_ref());
    std::thread::Builder::new().name("ringfence-lifetime".to_owned()).spawn(watch)?;
    let session = Some(entries);
    let permit = fence.guard().permit_launcher(&launcher.program, launcher.argv.clone());
    let way = Way {
        streams,
        stop: Some(stop),
        delayed_task: terms.delayed_task,
        session,
        ..Way::default()
    };
    let finished = fence.run_as(permit, way);
    let has_begun = shared.launcher.load(Ordering::Acquire) != 0;
    let reason = match &finished.ended {
        Err(failed) => failed.to_string(),
        Ok(_) => "its launcher was killed".to_owned(),
    };
    // Why a session did not begin is told to the client that waits for it.
    shared.end(has_begun.then_some(&*reason));
    Ok(finished)
}
