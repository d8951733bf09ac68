//! The messages between clients and supervisors: one JSON object in each.

use ringfence_sandbox::session::{receive_frame, send_frame};
use ringfence_sandbox::{Ended, Failed};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io;
use std::os::unix::net::UnixStream;

use super::entries::EnteredBy;
use crate::report::Report;

/// The owner of a session besides the user. A client with another binding is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The project, or the working directory where there is none.
    pub root: String,
    /// The agent whose rules hold, if one was named.
    pub agent: Option<String>,
    /// A hash of the documents in force and of this program.
    pub policy: String,
}

/// The description of a session that `ringfence session list` and `show` print.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionInfo {
    /// The name.
    pub name: String,
    /// The PID of the supervisor.
    pub pid: u32,
    /// The project, agent and policy that the session belongs to.
    pub binding: Binding,
    /// The age of the session in seconds.
    pub age: u64,
    /// The seconds since the last command ended, if none runs.
    pub idle: Option<u64>,
    /// The seconds without a command after which the session ends.
    pub idle_limit: u64,
    /// How many commands have entered.
    pub entered: u64,
    /// The commands that run now.
    pub commands: Vec<RunningCommand>,
    /// Every process inside the fence.
    pub processes: Vec<RunningCommand>,
}

/// A process or a command of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningCommand {
    /// The PID outside the fence.
    pub pid: i32,
    /// Its command line.
    pub command: String,
}

/// A request of a client.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Request {
    /// Asks whether a command with this binding may enter.
    Hello { binding: Binding },
    /// Start the entry of the next message, with the descriptors of this one.
    Enter { by: EnteredBy },
    /// Send a signal to the command.
    Signal { signal: u8 },
    /// Put the command in the foreground of its terminal.
    Foreground,
    /// Describe the session.
    Show,
    /// End the session.
    End,
}

/// An answer of a supervisor.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(super) enum Reply {
    /// The command may be sent. With `most`, the client limits the bytes that the command writes.
    Welcome { most: Option<u64> },
    /// The fence is out of date, because the policy allows more now. The fence has ended.
    Renewed { processes: Vec<RunningCommand> },
    /// The command stopped by a signal.
    Stopped { signal: u8 },
    /// The command has ended.
    Ended { how: How, report: Box<Report> },
    /// The description of the session.
    Info { info: Box<SessionInfo> },
    /// The session ends, and with it these processes.
    Ending { processes: Vec<RunningCommand> },
    /// The request is refused, with the reason.
    Refused { reason: String },
}

/// How a command ended, in the form of the messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum How {
    Exited(i32),
    Signalled(i32),
    Killed,
    TimedOut,
    /// The program could not be started, with this error number.
    NotStarted(i32),
    /// This part could not be set up, with this error number.
    NotSetUp(String, i32),
    /// A stream is a directory.
    Directory(String),
    /// A stream is a socket to others.
    Socket(String),
    /// Something else, in words.
    Failed(String),
}

impl How {
    /// Returns how a command ended, for the other end.
    pub(super) fn of(ended: &Result<Ended, Failed>) -> How {
        let number = |error: &io::Error| error.raw_os_error().unwrap_or_default();
        match ended {
            Ok(Ended::Exited(status)) => How::Exited(*status),
            Ok(Ended::Signalled(signal)) => How::Signalled(*signal),
            Ok(Ended::Killed | Ended::SaidTooMuch) => How::Killed,
            Ok(Ended::TimedOut) => How::TimedOut,
            Err(Failed::Start(error)) => How::NotStarted(number(error)),
            Err(Failed::Fence { part, error, .. }) => {
                How::NotSetUp((*part).to_owned(), number(error))
            }
            Err(Failed::Directory(stream)) => How::Directory((*stream).to_owned()),
            Err(Failed::Socket(stream)) => How::Socket((*stream).to_owned()),
            Err(other) => How::Failed(other.to_string()),
        }
    }
}

pub(super) fn say<T: Serialize>(to: &UnixStream, said: &T) -> io::Result<()> {
    send_frame(to, &serde_json::to_vec(said)?, &[])
}

/// Reads the next message; `None` if the other end has disconnected.
pub(super) fn hear<T: DeserializeOwned>(from: &UnixStream) -> io::Result<Option<T>> {
    match receive_frame(from)? {
        Some((bytes, _)) => serde_json::from_slice(&bytes).map(Some).map_err(io::Error::from),
        None => Ok(None),
    }
}
