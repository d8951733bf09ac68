//! Commands that run in a fence, for programs on tokio.
//!
//! A run is served by a thread of its own; tasks wait for it without one.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::thread;

use ringfence_exec::{Fence, Finished, Report};
use ringfence_sandbox::{Ended, Stop};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::sync::oneshot;

use crate::child::{Outcome, Started, finished};

use crate::error::Error;
use crate::permitted::PermittedCommand;

/// Runs a command in its fence until it has ended, and collects what it says into pipes. A pipe to
/// its input is closed at once. Where this is dropped before, the command is ended.
///
/// It must be called in a runtime of tokio that has I/O enabled.
pub async fn run(fence: &Arc<Fence>, command: PermittedCommand) -> Result<Outcome, Error> {
    let mut child = spawn(fence, command)?;
    drop(child.stdin.take());
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (stdout, stderr) = tokio::join!(all(stdout), all(stderr));
    let (ended, report) = child.wait().await?;
    Ok(Outcome { ended, stdout, stderr, report })
}

/// Starts a command in its fence.
///
/// It must be called in a runtime of tokio that has I/O enabled.
pub fn spawn(fence: &Arc<Fence>, command: PermittedCommand) -> Result<Child, Error> {
    let Started { body, pipes, stop } = Started::new(fence, command)?;
    let stdin = pipes.stdin.map(|own| Sender::from_owned_fd(OwnedFd::from(own))).transpose()?;
    let receiver = |own| Receiver::from_owned_fd(OwnedFd::from(own));
    let stdout = pipes.stdout.map(receiver).transpose()?;
    let stderr = pipes.stderr.map(receiver).transpose()?;
    let (sender, ended) = oneshot::channel();
    thread::Builder::new().name("ringfence-run".to_owned()).spawn(move || {
        // Where nobody waits any more, nobody wants to know.
        let _ = sender.send(body());
    })?;
    Ok(Child { stdin, stdout, stderr, stop, ended: Some(ended) })
}

/// A command that runs. When this is dropped it is ended, with all that it started, and nobody
/// waits for that.
#[derive(Debug)]
pub struct Child {
    /// The other end of what it reads, where that is a pipe.
    pub stdin: Option<Sender>,
    /// The other end of what it says, where that is a pipe.
    pub stdout: Option<Receiver>,
    /// The other end of what it complains, where that is a pipe.
    pub stderr: Option<Receiver>,
    stop: Stop,
    /// None once it has been told.
    ended: Option<oneshot::Receiver<Finished>>,
}

impl Child {
    /// Ends it, with all that it started.
    pub fn kill(&self) {
        self.stop.stop();
    }

    /// Waits for its end; how it ended, and what it was refused. A pipe to its input is closed
    /// before. Where this is dropped before, nothing is lost: it can be waited for again. What was told
    /// is told once.
    pub async fn wait(&mut self) -> Result<(Ended, Report), Error> {
        drop(self.stdin.take());
        let Some(ended) = &mut self.ended else { return finished::<()>(None) };
        let told = ended.await;
        self.ended = None;
        finished(Some(told))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

/// All that comes through a pipe.
async fn all(pipe: Option<Receiver>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // What came before an error was said.
        let _ = pipe.read_to_end(&mut bytes).await;
    }
    bytes
}
