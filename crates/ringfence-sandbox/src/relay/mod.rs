//! Stands between a command and the terminal, and counts what it says where that is limited.
//!
//! The command gets a terminal of its own where one of its streams is a terminal, and pipes where
//! its output is counted; what it writes is handed on. It has no other way to the streams of this
//! process: it is in a session of its own, so that `/dev/tty` is never the terminal outside.

mod budget;
mod given;
mod pty;
mod pump;

use std::io::{self, IsTerminal};
use std::os::fd::{OwnedFd, RawFd};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::bell::Bell;
use crate::gate::received;
use crate::signals::FORWARDED;
use crate::spawn::pipe;
use crate::terminal::{Blocked, Keyboard};
use budget::Budget;
pub(crate) use given::Unfit;
use given::unfit;
use pty::{Pty, is_terminal};
use pump::Pump;

/// How long it is waited for whoever reads the last words of a command that was ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long a client waits for the last output where something in the background has the streams.
const LEFT_BEHIND: Duration = Duration::from_millis(200);

/// The standard streams of a command; one that is not given is this process's own.
#[derive(Debug, Default)]
pub struct Streams {
    /// What it reads.
    pub stdin: Option<OwnedFd>,
    /// What it says.
    pub stdout: Option<OwnedFd>,
    /// What it complains.
    pub stderr: Option<OwnedFd>,
}

impl Streams {
    /// The three of them, in order.
    pub(crate) fn all(&self) -> [&Option<OwnedFd>; 3] {
        [&self.stdin, &self.stdout, &self.stderr]
    }

    /// The first that is not given, by its name, and why.
    pub(crate) fn unfit(&self) -> io::Result<Option<(&'static str, Unfit)>> {
        let names = ["standard input", "standard output", "standard error"];
        for ((number, own), name) in (0..).zip(self.all()).zip(names) {
            if let Some(own) = copy(own, number)?
                && let Some(unfit) = unfit(own)?
            {
                return Ok(Some((name, unfit)));
            }
        }
        Ok(None)
    }
}

/// Returns whether a command that is started now is shown on a terminal: then nothing else is drawn
/// there.
pub fn uses_terminal() -> bool {
    io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal()
}

/// How a command has the terminal that is made for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// It is in the foreground of its terminal from the first.
    InFront(RawFd),
    /// It comes to the foreground when it wants to read: others of the same pipeline may be the ones
    /// that are typed to.
    OnDemand(RawFd),
    /// It has no controlling terminal.
    Nothing,
}

impl Hold {
    /// Returns the number of the stream that is its controlling terminal.
    pub(crate) fn terminal(self) -> Option<RawFd> {
        match self {
            Hold::InFront(terminal) | Hold::OnDemand(terminal) => Some(terminal),
            Hold::Nothing => None,
        }
    }
}

/// Streams that are handed on.
#[derive(Debug)]
pub(crate) struct Relay {
    budget: Arc<Budget>,
    stop: Arc<Bell>,
    pumps: Vec<Pump>,
    pty: Option<Pty>,
    pub(crate) hold: Hold,
    counts: bool,
}

impl Relay {
    /// Puts a terminal in the place of streams that are one, and pipes in that of others if a command
    /// may say only so much; none where nothing has to be handed on.
    pub(crate) fn new(streams: &mut Streams, most: Option<u64>) -> io::Result<Option<Relay>> {
        let stdin = copy(&streams.stdin, 0)?;
        let stdout = copy(&streams.stdout, 1)?;
        let stderr = copy(&streams.stderr, 2)?;
        // What is said on a terminal is shown where the command would have said it.
        let shown = [&stdout, &stderr, &stdin].into_iter().flatten().find(|own| is_terminal(own));
        if shown.is_none() && most.is_none() {
            return Ok(None);
        }
        let pty = shown.map(Pty::new).transpose()?;
        let is_terminal = |own: &Option<OwnedFd>| own.as_ref().is_some_and(is_terminal);
        let terminal = (0..).zip([&stdin, &stdout, &stderr]).find(|(_, own)| is_terminal(own));
        let in_front = pty.as_ref().is_some_and(|pty| pty.keyboard.is_in_front());
        let hold = match terminal.filter(|_| in_front) {
            Some((number, _)) if is_terminal(&stdout) => Hold::InFront(number),
            Some((number, _)) => Hold::OnDemand(number),
            None => Hold::Nothing,
        };
        let mut relay = Relay {
            budget: Arc::new(Budget::new(most.unwrap_or(u64::MAX))?),
            stop: Arc::new(Bell::new()?),
            pumps: Vec::new(),
            pty,
            hold,
            counts: most.is_some(),
        };
        if is_terminal(&stdin) {
            streams.stdin = relay.slave()?;
        }
        if let Some(stdout) = relay.handed_on(stdout)? {
            streams.stdout = Some(stdout);
        }
        if let Some(stderr) = relay.handed_on(stderr)? {
            streams.stderr = Some(stderr);
        }
        Ok(Some(relay))
    }

    fn slave(&self) -> io::Result<Option<OwnedFd>> {
        self.pty.as_ref().map(Pty::slave).transpose()
    }

    /// Returns what the command gets in the place of a stream that it writes; none if it keeps that.
    fn handed_on(&mut self, outer: Option<OwnedFd>) -> io::Result<Option<OwnedFd>> {
        let Some(outer) = outer else { return Ok(None) };
        if is_terminal(&outer) {
            return self.slave();
        }
        if !self.counts {
            return Ok(None);
        }
        let (from, to) = pipe()?;
        self.pumps.push(Pump { from, to: outer });
        Ok(Some(to))
    }

    /// Begins to hand on. While anybody has the command's ends it goes on.
    pub(crate) fn start(self) -> io::Result<Relaying> {
        let Relay { budget, stop, pumps, pty, hold, counts } = self;
        let keyboard = pty.as_ref().map(|pty| Arc::clone(&pty.keyboard));
        let mut relaying =
            Relaying { budget, stop, outward: Vec::new(), inward: None, keyboard, counts };
        let shown = pty.as_ref().map(Pty::outward).transpose()?;
        for pump in pumps.into_iter().chain(shown) {
            let (budget, stop) = (Arc::clone(&relaying.budget), Arc::clone(&relaying.stop));
            relaying.outward.push(thread(move || pump.run(&budget, &stop))?);
        }
        if let Some(pty) = pty {
            match hold {
                Hold::InFront(_) => pty.keyboard.give(),
                Hold::OnDemand(_) => {}
                Hold::Nothing => pty.keyboard.give_lines(),
            }
            let end = Arc::new(Bell::new()?);
            let ends = Arc::clone(&end);
            relaying.inward = Some((end, thread(move || pty.inward(&ends))?));
        }
        Ok(relaying)
    }
}

/// Streams that are being handed on.
#[derive(Debug)]
pub(crate) struct Relaying {
    budget: Arc<Budget>,
    stop: Arc<Bell>,
    outward: Vec<JoinHandle<()>>,
    inward: Option<(Arc<Bell>, JoinHandle<()>)>,
    /// The terminal outside is set back when this is dropped.
    pub(crate) keyboard: Option<Arc<Keyboard>>,
    counts: bool,
}

impl Relaying {
    /// Returns a descriptor that is readable once more was said than may be, where that is limited.
    pub(crate) fn over(&self) -> Option<RawFd> {
        self.counts.then(|| self.budget.raw())
    }

    /// Hands on what a command of a session has written by its end; whether it was more than may be.
    /// What the command left in the background may have its streams for long, and nobody waits for that.
    pub(crate) fn leave(self) -> bool {
        if let Some((end, thread)) = self.inward {
            end.ring();
            let _ = thread.join();
        }
        let end = Instant::now().checked_add(LEFT_BEHIND);
        let waits = || end.is_some_and(|end| Instant::now() < end);
        while waits() && !self.outward.iter().all(JoinHandle::is_finished) {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.budget.is_over()
    }

    /// Waits until all that was said has been handed on; whether it was more than may be. After a
    /// command that was ended nobody waits long.
    pub(crate) fn finish(self, was_ended: bool) -> bool {
        if let Some((end, thread)) = self.inward {
            end.ring();
            let _ = thread.join();
        }
        let end = Instant::now().checked_add(LAST_WORDS);
        let waits = || end.is_some_and(|end| Instant::now() < end);
        while was_ended && waits() && !self.outward.iter().all(JoinHandle::is_finished) {
            std::thread::sleep(Duration::from_millis(1));
        }
        if was_ended {
            self.stop.ring();
        }
        for thread in self.outward {
            let _ = thread.join();
        }
        self.budget.is_over()
    }
}

/// Starts a thread that takes no signal which is meant for the command.
fn thread(body: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    let _blocked = Blocked::new(&FORWARDED);
    std::thread::Builder::new().name("ringfence-output".to_owned()).spawn(body)
}

/// A copy of a stream that was given, or of this process's own; none where that is closed.
pub(crate) fn copy(given: &Option<OwnedFd>, number: RawFd) -> io::Result<Option<OwnedFd>> {
    if let Some(given) = given {
        return given.try_clone().map(Some);
    }
    // SAFETY: takes numbers alone.
    match unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 3) } {
        -1 => match io::Error::last_os_error() {
            error if error.raw_os_error() == Some(libc::EBADF) => Ok(None),
            error => Err(error),
        },
        copy => Ok(Some(received(copy))),
    }
}
