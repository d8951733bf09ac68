//! The client's side of a command in a session: its streams, its terminal, the signals to it.
//!
//! The client stays outside. Its terminal never goes in: the command gets one of its own, which this
//! process shows on the other, as in a run of its own.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};

use super::entrance::nothing;
use super::entry::EntryTerminal;
use crate::poll::poll;
use crate::relay::{Hold, Relay, Relaying, Streams, Unfit, copy};
use crate::run::Failed;
use crate::signals::Signals;
use crate::terminal::stop;

/// The three streams of this process, checked and ready to be given to a command.
#[derive(Debug)]
pub struct ClientStreams {
    relay: Option<Relay>,
    streams: Streams,
}

/// A message from a client to the supervisor while its command runs.
pub trait ToSupervisor {
    /// Sends this signal to the command's process group.
    fn signal(&self, signal: u8);
    /// Puts the command's process group in the foreground of its terminal.
    fn foreground(&self);
}

/// Why [`Attendant::wait`] returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attending {
    /// The supervisor has said something, or has gone.
    Said,
    /// The command has written more than it may.
    SaidTooMuch,
}

/// Serves streams, terminal and signals while a command runs.
#[derive(Debug)]
pub struct Attendant {
    relaying: Option<Relaying>,
    signals: Signals,
}

/// How an attended command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attended {
    /// Whether it had written more than it may.
    pub said_too_much: bool,
}

impl ClientStreams {
    /// Checks the streams as a run of their own does, and puts a terminal of the command's own in the
    /// place of this one. With `most`, output is counted.
    pub fn new(most: Option<u64>) -> Result<ClientStreams, Failed> {
        let broken = |error| Failed::Fence { part: "the streams", about: None, error };
        let mut streams = Streams::default();
        check_streams(&streams)?;
        let relay = Relay::new(&mut streams, most).map_err(broken)?;
        Ok(ClientStreams { relay, streams })
    }

    /// Returns which of the streams is the terminal of the command.
    pub fn terminal(&self) -> EntryTerminal {
        self.relay.as_ref().map_or(Hold::Nothing, |relay| relay.hold).into()
    }

    /// Returns the descriptors that the command is given. In the place of a closed stream stands
    /// `/dev/null`.
    pub fn descriptors(&self) -> io::Result<[OwnedFd; 3]> {
        let [stdin, stdout, stderr] = self.streams.all();
        let own = |given: &Option<OwnedFd>, number| match copy(given, number)? {
            Some(own) => Ok(own),
            None => nothing(),
        };
        Ok([own(stdin, 0)?, own(stdout, 1)?, own(stderr, 2)?])
    }

    /// Begins to hand on. The command's ends are closed here, so that the end of its output is seen.
    pub fn start(self) -> io::Result<Attendant> {
        let ClientStreams { relay, streams } = self;
        drop(streams);
        let relaying = relay.map(Relay::start).transpose()?;
        Ok(Attendant { relaying, signals: Signals::new()? })
    }
}

/// Refuses streams by which something outside could be reached.
pub fn check_streams(streams: &Streams) -> Result<(), Failed> {
    let broken = |error| Failed::Fence { part: "the streams", about: None, error };
    match streams.unfit().map_err(broken)? {
        Some((stream, Unfit::Directory)) => Err(Failed::Directory(stream)),
        Some((stream, Unfit::Socket)) => Err(Failed::Socket(stream)),
        None => Ok(()),
    }
}

impl Attendant {
    /// Hands signals on until the supervisor says something.
    pub fn wait(&self, supervisor: BorrowedFd<'_>, to: &dyn ToSupervisor) -> io::Result<Attending> {
        let over = self.relaying.as_ref().and_then(Relaying::over).unwrap_or(-1);
        loop {
            let fds = [supervisor.as_raw_fd(), self.signals.raw(), over];
            let Some(([said, signalled, over], _)) = poll(fds, &[], None)? else { continue };
            if signalled != 0
                && let Some(signal) = self.signals.next()
            {
                self.forward(signal, to);
            }
            if over != 0 {
                return Ok(Attending::SaidTooMuch);
            }
            if said != 0 {
                return Ok(Attending::Said);
            }
        }
    }

    /// Stops this process because the command has stopped, and lets both go on together. A command that
    /// wanted to use its terminal from the background gets it if this process is in the foreground.
    pub fn stopped(&self, signal: u8, to: &dyn ToSupervisor) {
        let Some(keyboard) = self.relaying.as_ref().and_then(|own| own.keyboard.as_deref()) else {
            return;
        };
        let signal = i32::from(signal);
        let wants_terminal = signal == libc::SIGTTIN || signal == libc::SIGTTOU;
        if !wants_terminal || !keyboard.is_in_front() {
            keyboard.stop();
        }
        if wants_terminal && keyboard.is_in_front() {
            keyboard.give();
            to.foreground();
        }
        to.signal(libc::SIGCONT as u8);
    }

    /// Hands on the last output of a command that has ended. What the command left in the background
    /// may keep the streams; nobody waits for that.
    pub fn finish(self) -> Attended {
        Attended { said_too_much: self.relaying.is_some_and(Relaying::leave) }
    }

    /// Hands a signal on. With the command this process stops: where that has a terminal, once the
    /// command has stopped.
    fn forward(&self, signal: u8, to: &dyn ToSupervisor) {
        to.signal(signal);
        let has_keyboard = self.relaying.as_ref().is_some_and(|own| own.keyboard.is_some());
        if i32::from(signal) == libc::SIGTSTP && !has_keyboard {
            stop();
            to.signal(libc::SIGCONT as u8);
        }
    }
}
