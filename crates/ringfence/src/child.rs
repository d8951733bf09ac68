//! Commands that run in a fence.

use std::io::{PipeReader, PipeWriter, Read};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use ringfence_exec::{Fence, Finished, Report, Way};
use ringfence_sandbox::{Ended, Stop};

use crate::command::Pipes;
use crate::error::Error;
use crate::permitted::PermittedCommand;

/// How a command ended, what it said into pipes, and what it was refused.
#[derive(Debug)]
pub struct Outcome {
    /// How it ended.
    pub ended: Ended,
    /// What it said, where that is a pipe.
    pub stdout: Vec<u8>,
    /// What it complained, where that is a pipe.
    pub stderr: Vec<u8>,
    /// What it was refused, and what would grant it.
    pub report: Report,
}

impl Outcome {
    /// Whether the command ended by itself, with status 0.
    pub fn is_success(&self) -> bool {
        self.ended == Ended::Exited(0)
    }
}

/// Runs a command in its fence until it has ended, and collects what it says into pipes. A pipe to
/// its input is closed at once.
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
/// The command and all it starts are served by a thread of this process and end with it.
pub fn spawn(fence: &Arc<Fence>, command: PermittedCommand) -> Result<Child, Error> {
    let started = Started::new(fence, command)?;
    let body = started.body;
    let thread = thread::Builder::new().name("ringfence-run".to_owned()).spawn(body)?;
    let Pipes { stdin, stdout, stderr } = started.pipes;
    Ok(Child { stdin, stdout, stderr, stop: started.stop, thread: Some(thread) })
}

/// What is needed to serve a run in a thread.
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

/// A command that runs. When this is dropped it is ended, with all that it started.
#[derive(Debug)]
pub struct Child {
    /// The other end of what it reads, where that is a pipe.
    pub stdin: Option<PipeWriter>,
    /// The other end of what it says, where that is a pipe.
    pub stdout: Option<PipeReader>,
    /// The other end of what it complains, where that is a pipe.
    pub stderr: Option<PipeReader>,
    stop: Stop,
    thread: Option<JoinHandle<Finished>>,
}

impl Child {
    /// Ends it, with all that it started.
    pub fn kill(&self) {
        self.stop.stop();
    }

    /// Whether it has ended.
    pub fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for its end; how it ended, and what it was refused. A pipe to its input is closed
    /// before.
    pub fn wait(mut self) -> Result<(Ended, Report), Error> {
        drop(self.stdin.take());
        finished(self.thread.take().map(JoinHandle::join))
    }
}

/// What came of a thread that served a run.
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

/// All that comes through a pipe.
fn all(pipe: Option<PipeReader>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // What came before an error was said.
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}
