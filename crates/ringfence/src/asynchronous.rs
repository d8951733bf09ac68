//! Runs commands in a fence from tasks on tokio.
//!
//! A separate thread serves each run; tasks wait for it without blocking a thread.

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

/// Runs a command in its fence until it ends, and collects piped output. A pipe to stdin is closed
/// at once. Dropping the future kills the command.
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
        // If the receiver was dropped, nobody needs the result.
        let _ = sender.send(body());
    })?;
    Ok(Child { stdin, stdout, stderr, stop, ended: Some(ended) })
}

/// A running command. Dropping it kills the command and all its descendants without waiting for
/// them.
#[derive(Debug)]
pub struct Child {
    /// The write end of stdin, if it is piped.
    pub stdin: Option<Sender>,
    /// The read end of stdout, if it is piped.
    pub stdout: Option<Receiver>,
    /// The read end of stderr, if it is piped.
    pub stderr: Option<Receiver>,
    stop: Stop,
    /// `None` after the result was returned.
    ended: Option<oneshot::Receiver<Finished>>,
}

impl Child {
    /// Kills the command and all its descendants.
    pub fn kill(&self) {
        self.stop.stop();
    }

    /// Closes stdin and waits for the command. Returns its exit status and the report of what was
    /// refused.
    ///
    /// If the future is dropped, `wait` can be called again. The result is returned only once.
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

/// Reads a pipe to its end.
async fn all(pipe: Option<Receiver>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // Data received before an error is kept.
        let _ = pipe.read_to_end(&mut bytes).await;
    }
    bytes
}
