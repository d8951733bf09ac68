//! The supervisor of a session: a daemon, started by the client that needs it.
//!
//! The supervisor starts with the client's stderr, so that it can report why a session cannot be made.
//! It closes every descriptor of the client before commands can enter.

use std::fs::File;
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ringfence::PreparedCommand;
use ringfence_exec::queue::QueueTimeouts;
use ringfence_exec::session::{SessionTerms, serve_session};
use ringfence_exec::{Approver, Finished};
use ringfence_guard::world::RealHost;
use ringfence_sandbox::Command;
use ringfence_sandbox::plan::Limits;
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::policy::{SessionDocuments, binding, documents_of};
use super::{named, place, scratch};
use crate::args::session::ServeArgs;
use crate::asking::{self, Manner};
use crate::command::hook::outside::Listening;
use crate::command::run::{UNCONFINED, has_gaps};
use crate::exit::{Exit, Failure};
use crate::show;

/// The line that a supervisor writes to stdout once commands can enter.
pub(crate) const READY: &str = "ready\n";

pub(super) fn run(args: &ServeArgs) -> Result<Exit, Failure> {
    let name = named(&args.name)?;
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut launcher = ringfence::Command::new(&program).args(["session", "launch"]);
    if let Some(agent) = &args.agent {
        launcher = launcher.agent(agent);
    }
    let host = Arc::new(RealHost::new());
    let draft = documents_of(&host, &args.files.policies, args.project.as_deref())?;
    let place = place(&host)?;
    let binding = binding(&draft, args.agent.as_deref())?;
    let root = binding.root.clone();
    let documents = SessionDocuments {
        policies: args.files.policies.clone(),
        project: args.project.clone(),
        // Only a hook's session has a project that was named.
        scratch: args.project.as_ref().and(args.until).and_then(|pid| scratch::rules(&draft, pid)),
        launcher,
    };
    let PreparedCommand { mut door, mut planned, notes, .. } = documents.ready(draft, &host)?;
    notes.iter().for_each(|note| show::say(&format!("note: {note}")));
    if has_gaps(&planned.plan, door.guard()) {
        return Ok(Exit::As(UNCONFINED));
    }
    let owner = args.until.map(held).transpose()?;
    // These hold for each command.
    let limits = planned.plan.limits;
    planned.plan.limits = Limits { seconds: None, output: None, ..limits };
    let words = [format!("session {}", args.name).into()];
    let manner =
        Manner { policies: &args.files.policies, times: QueueTimeouts::default(), waits: args.ask };
    let queue = Arc::new(asking::queue(&host, &words, &manner)?);
    let hooks = Listening::default();
    let soon = Some(hooks.soon(door.guard(), &queue, &args.files.policies));
    door = door.asking(Arc::clone(&queue) as Arc<dyn Approver>);
    // The process ends with the session: nobody has to take all that apart.
    let fence = ManuallyDrop::new(door.fence_of(planned));
    let client = Arc::new(Mutex::new(Some(leave_client()?)));
    let told = Arc::clone(&client);
    let terms = SessionTerms {
        name,
        place,
        binding,
        policies: Box::new(documents),
        limits,
        idle_limit: Duration::from_secs(args.idle),
        owner,
        ready: Box::new(move || say(&told, READY)),
        delayed_task: soon,
    };
    let words = [program.clone().into(), "session".into(), "launch".into()];
    let command = Command { program, argv: words.to_vec() };
    let served = serve_session(&fence, &command, terms);
    queue.close();
    drop(hooks);
    let failed = match served {
        Ok(Finished { ended: Err(failed), .. }) => Some(failed.to_string()),
        Ok(_) => None,
        Err(error) => Some(error.to_string()),
    };
    if let Some(failed) = failed {
        say(&client, &format!("the session of {root} could not begin: {failed}\n"));
    }
    Ok(Exit::As(UNCONFINED))
}

/// Says something to the client that started this, once; then it is let go.
fn say(client: &Mutex<Option<File>>, words: &str) {
    if let Some(mut client) = client.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _ = client.write_all(words.as_bytes());
    }
}

/// Puts nothing in the place of the client's streams. Returns the way to tell it whether a session began.
fn leave_client() -> Result<File, Failure> {
    let broken = |error: io::Error| Failure::new(error.to_string());
    let client = io::stdout().as_fd().try_clone_to_owned().map_err(broken)?;
    let nothing = File::options().read(true).write(true).open("/dev/null").map_err(broken)?;
    let put = rustix::stdio::dup2_stdin(&nothing)
        .and_then(|()| rustix::stdio::dup2_stdout(&nothing))
        .and_then(|()| rustix::stdio::dup2_stderr(&nothing));
    put.map_err(|errno| broken(errno.into()))?;
    Ok(client.into())
}

/// Opens a process with which a session ends.
fn held(pid: i32) -> Result<OwnedFd, Failure> {
    let gone =
        || Failure::new(format!("there is no process {pid} with which the session could end"));
    let pid = Pid::from_raw(pid).ok_or_else(gone)?;
    pidfd_open(pid, PidfdFlags::empty()).map_err(|_| gone())
}
