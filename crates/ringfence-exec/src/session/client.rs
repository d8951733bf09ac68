//! The client of a session. It runs outside every fence.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use ringfence_core::bytes::ByteWriter;
use ringfence_sandbox::session::{
    Attendant, Attending, ClientStreams, Entry, ToSupervisor, check_peer, send_frame,
};
use ringfence_sandbox::{Ended, Failed};

use super::entries::EnteredBy;
use super::message::{Binding, How, Reply, Request, RunningCommand, SessionInfo, hear, say};
use super::place::{SessionName, SessionPlace};
use crate::report::Report;

/// The time limit for a supervisor's answer to a request that starts no command.
const PATIENCE: Duration = Duration::from_secs(30);

/// The error of a client's request.
#[derive(Debug)]
pub enum SessionClientError {
    /// The supervisor refused the request, for this reason.
    Refused(String),
    /// The session has ended.
    Gone,
    /// The supervisor cannot be reached, or its answer cannot be read.
    Broken(io::Error),
}

impl fmt::Display for SessionClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionClientError::Refused(reason) => f.write_str(reason),
            SessionClientError::Gone => f.write_str("the session has ended"),
            SessionClientError::Broken(error) => {
                write!(f, "the session cannot be reached: {error}")
            }
        }
    }
}

impl std::error::Error for SessionClientError {}

impl From<io::Error> for SessionClientError {
    fn from(error: io::Error) -> SessionClientError {
        SessionClientError::Broken(error)
    }
}

type Result<T> = std::result::Result<T, SessionClientError>;

/// A connection to a session.
#[derive(Debug)]
pub struct Client(UnixStream);

/// The answer of a session to a client that wants to enter.
#[derive(Debug)]
pub enum Hello {
    /// The command may be sent.
    Welcome(Conversation),
    /// The session's fence is out of date: the policy allows more now. The fence has ended together
    /// with these processes, and the client has to start the session again.
    Renewed(Vec<RunningCommand>),
}

/// A session that waits for a command.
#[derive(Debug)]
pub struct Conversation {
    stream: UnixStream,
    /// The maximum number of bytes that the command may write.
    most: Option<u64>,
}

/// How a command of a session ended, and what was refused meanwhile.
#[derive(Debug)]
pub struct Outcome {
    /// How it ended.
    pub ended: std::result::Result<Ended, Failed>,
    /// What was refused in the session while the command ran.
    pub report: Report,
}

impl Client {
    /// Connects to a session; `None` if no session has this name. A process inside a fence that
    /// listens on the socket does not count as a session.
    pub fn connect(place: &SessionPlace, name: &SessionName) -> Result<Option<Client>> {
        let Some(stream) = place.connect(name)? else { return Ok(None) };
        check_peer(&stream).map_err(|reason| SessionClientError::Refused(reason.to_owned()))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Some(Client(stream)))
    }

    /// Asks the supervisor whether a command with this binding may enter.
    pub fn hello(self, binding: &Binding) -> Result<Hello> {
        let stream = self.0;
        let binding = binding.clone();
        match ask(&stream, &Request::Hello { binding })? {
            Reply::Welcome { most } => Ok(Hello::Welcome(Conversation { stream, most })),
            Reply::Renewed { processes } => {
                // It has let go of everything when the connection ends.
                let _ = hear::<Reply>(&stream);
                Ok(Hello::Renewed(processes))
            }
            other => Err(unexpected(other)),
        }
    }

    /// Describes the session.
    pub fn show(self) -> Result<SessionInfo> {
        match ask(&self.0, &Request::Show)? {
            Reply::Info { info } => Ok(*info),
            other => Err(unexpected(other)),
        }
    }

    /// Ends the session, and waits for its end. Returns the processes that ended with it.
    pub fn end(self) -> Result<Vec<RunningCommand>> {
        match ask(&self.0, &Request::End)? {
            Reply::Ending { processes } => {
                let _ = hear::<Reply>(&self.0);
                Ok(processes)
            }
            other => Err(unexpected(other)),
        }
    }
}

fn ask(stream: &UnixStream, request: &Request) -> Result<Reply> {
    // Where the other end has gone, that is told by the answer.
    let _ = say(stream, request);
    match hear(stream) {
        Ok(Some(reply)) => Ok(reply),
        Ok(None) => Err(SessionClientError::Gone),
        Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {
            Err(SessionClientError::Gone)
        }
        Err(error) => Err(error.into()),
    }
}

fn unexpected(reply: Reply) -> SessionClientError {
    match reply {
        Reply::Refused { reason } => SessionClientError::Refused(reason),
        _ => SessionClientError::Broken(io::ErrorKind::InvalidData.into()),
    }
}

impl Conversation {
    /// Runs a command in the session until it has ended, with this process's stdin, stdout and
    /// stderr. `by` says who gave the command. A command of a hook can get a pipe, on which it says
    /// in which directory it ended.
    ///
    /// `entry.terminal` is replaced by the terminal among these streams.
    pub fn run(
        self,
        mut entry: Entry,
        by: EnteredBy,
        last_directory: Option<OwnedFd>,
    ) -> Result<Outcome> {
        let Conversation { stream, most } = self;
        let streams = match ClientStreams::new(most) {
            Ok(streams) => streams,
            Err(failed) => return Ok(Outcome { ended: Err(failed), report: Report::default() }),
        };
        entry.terminal = streams.terminal();
        let given = streams.descriptors()?;
        say(&stream, &Request::Enter { by })?;
        let mut to = ByteWriter::new();
        entry.pack(&mut to);
        let fds: Vec<BorrowedFd<'_>> =
            given.iter().chain(&last_directory).map(AsFd::as_fd).collect();
        send_frame(&stream, &to.finish(), &fds)?;
        drop((given, last_directory));
        let attendant = streams.start()?;
        stream.set_read_timeout(None)?;
        let outcome = attend(&stream, &attendant);
        match (attendant.finish().said_too_much, outcome) {
            (true, outcome) => {
                let report = outcome.map(|own| own.report).unwrap_or_default();
                Ok(Outcome { ended: Ok(Ended::SaidTooMuch), report })
            }
            (false, outcome) => outcome,
        }
    }
}

/// Serves a command until it has ended.
fn attend(stream: &UnixStream, attendant: &Attendant) -> Result<Outcome> {
    let to = Toward(stream);
    loop {
        match attendant.wait(stream.as_fd(), &to)? {
            Attending::SaidTooMuch => {
                let ended = Ok(Ended::SaidTooMuch);
                return Ok(Outcome { ended, report: Report::default() });
            }
            Attending::Said => {}
        }
        match hear(stream) {
            Ok(Some(Reply::Stopped { signal })) => attendant.stopped(signal, &to),
            Ok(Some(Reply::Ended { how, report })) => {
                return Ok(Outcome { ended: ended(how), report: *report });
            }
            Ok(Some(other)) => return Err(unexpected(other)),
            // The session has ended, and the command with it.
            Ok(None) | Err(_) => {
                return Ok(Outcome { ended: Ok(Ended::Killed), report: Report::default() });
            }
        }
    }
}

struct Toward<'a>(&'a UnixStream);

impl ToSupervisor for Toward<'_> {
    fn signal(&self, signal: u8) {
        let _ = say(self.0, &Request::Signal { signal });
    }

    fn foreground(&self) {
        let _ = say(self.0, &Request::Foreground);
    }
}

impl AsFd for Client {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Converts the supervisor's message about how a command ended.
fn ended(how: How) -> std::result::Result<Ended, Failed> {
    let error = io::Error::from_raw_os_error;
    let stream = |name: &str| {
        let all = ["standard input", "standard output", "standard error"];
        all.into_iter().find(|own| *own == name).unwrap_or("a stream")
    };
    match how {
        How::Exited(status) => Ok(Ended::Exited(status)),
        How::Signalled(signal) => Ok(Ended::Signalled(signal)),
        How::Killed => Ok(Ended::Killed),
        How::TimedOut => Ok(Ended::TimedOut),
        How::NotStarted(number) => Err(Failed::Start(error(number))),
        How::NotSetUp(part, number) => {
            let all = ["the working directory", "the terminal", "the entry"];
            let part = all.into_iter().find(|own| *own == part).unwrap_or("the process");
            Err(Failed::Fence { part, about: None, error: error(number) })
        }
        How::Directory(name) => Err(Failed::Directory(stream(&name))),
        How::Socket(name) => Err(Failed::Socket(stream(&name))),
        How::Failed(words) => {
            let error = io::Error::other(words);
            Err(Failed::Fence { part: "the command", about: None, error })
        }
    }
}

/// Lists the sessions of a user, without sockets left behind by killed supervisors.
impl SessionPlace {
    /// Returns the description of each session, or the reason why it does not answer.
    pub fn list(&self) -> io::Result<(Vec<SessionInfo>, Vec<String>)> {
        let (mut found, mut unreachable) = (Vec::new(), Vec::new());
        for name in self.names()? {
            match Client::connect(self, &name) {
                Ok(None) => {}
                Ok(Some(client)) => match client.show() {
                    Ok(info) => found.push(info),
                    Err(SessionClientError::Gone) => {}
                    Err(error) => unreachable.push(format!("{}: {error}", name.as_str())),
                },
                Err(error) => unreachable.push(format!("{}: {error}", name.as_str())),
            }
        }
        Ok((found, unreachable))
    }
}
