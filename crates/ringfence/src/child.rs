//! Running commands in a fence, and handles to them.

use std::io::{PipeReader, PipeWriter, Read};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use ringfence_exec::{Fence, Finished, Report, Way};
use ringfence_sandbox::{Ended, Stop};

use crate::command::Pipes;
use crate::error::Error;
use crate::permitted::PermittedCommand;

/// The result of a command: how it ended, its captured output, and what it was refused.
#[derive(Debug)]
pub struct Outcome {
    /// How the command ended.
    pub ended: Ended,
    /// The captured stdout, if it was piped.
    pub stdout: Vec<u8>,
    /// The captured stderr, if it was piped.
    pub stderr: Vec<u8>,
    /// What the command was refused, each with the rule that would allow it.
    pub report: Report,
}

impl Outcome {
    /// Returns whether the command exited with status 0.
    pub fn is_success(&self) -> bool {
        self.ended == Ended::Exited(0)
    }
}

/// Runs a command in its fence until it ends, and collects piped output. A pipe to stdin is closed at
/// once.
pub fn run(fence: &Arc<Fence>, command: PermittedCommand) -> Result<Outcome, Error> {
    let mut child = spawn(fence, command)?;
    drop(child.stdin.take());
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (stdout, stderr) = thread::scope(|scope| {
        let complaints = thread::Builder::new().spawn_scoped(scope, || all(stderr));
        let output = all(stdout);
        complaints.map(|own| (output, own.join().unwrap_or_default()))
    })?;
    let (ended, report) = child.wait()?;
    Ok(Outcome { ended, stdout, stderr, report })
}

/// Starts a command in its fence.
///
/// A thread of this process supervises the command and all its descendants, which end with it.
pub fn spawn(fence: &Arc<Fence>, command: PermittedCommand) -> Result<Child, Error> {
    let started = Started::new(fence, command)?;
    let body = started.body;
    let thread = thread::Builder::new().name("ringfence-run".to_owned()).spawn(body)?;
    let Pipes { stdin, stdout, stderr } = started.pipes;
    Ok(Child { stdin, stdout, stderr, stop: started.stop, thread: Some(thread) })
}

/// Everything that the supervising thread of a run needs.
pub(crate) struct Started {
    pub(crate) body: Box<dyn FnOnce() -> Finished + Send>,
    pub(crate) pipes: Pipes,
    pub(crate) stop: Stop,
}

impl Started {
    pub(crate) fn new(fence: &Arc<Fence>, command: PermittedCommand) -> Result<Started, Error> {
        let (command, permit) = command.into_parts();
        let (streams, pipes) = command.streams()?;
        let stop = Stop::new()?;
        let way = Way { streams, stop: Some(stop.clone()), ..Way::default() };
        let fence = Arc::clone(fence);
        let body = Box::new(move || fence.run_as(permit, way));
        Ok(Started { body, pipes, stop })
    }
}

/// A running command. Dropping the handle kills the command and all its descendants.
#[derive(Debug)]
pub struct Child {
    /// The other end of stdin, if it is a pipe.
    pub stdin: Option<PipeWriter>,
    /// The other end of stdout, if it is a pipe.
    pub stdout: Option<PipeReader>,
    /// The other end of stderr, if it is a pipe.
    pub stderr: Option<PipeReader>,
    stop: Stop,
    thread: Option<JoinHandle<Finished>>,
}

impl Child {
    /// Kills the command and all its descendants.
    pub fn kill(&self) {
        self.stop.stop();
    }

    /// Returns whether the command has ended.
    pub fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits until the command ends, and returns its result. A pipe to stdin is closed first.
    pub fn wait(mut self) -> Result<(Ended, Report), Error> {
        drop(self.stdin.take());
        finished(self.thread.take().map(JoinHandle::join))
    }
}

/// Returns the result of the thread that supervised a run.
pub(crate) fn finished<E>(finished: Option<Result<Finished, E>>) -> Result<(Ended, Report), Error> {
    match finished {
        Some(Ok(Finished { ended, report })) => {
            ended.map(|ended| (ended, report)).map_err(Error::Failed)
        }
        _ => Err(Error::Resources(std::io::Error::other("the thread of the run has ended"))),
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Reads a pipe to its end.
fn all(pipe: Option<PipeReader>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // Output that arrived before an error still counts.
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}
