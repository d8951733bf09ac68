//! The supervisor's end of the lines to the launcher and to the keepers.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use ringfence_core::bytes::ByteWriter;

use super::channel::{Channel, LONGEST};
use super::entry::Entry;
use super::keeper::{Order, Said, Step};
use super::launcher::HELLO;
use crate::gate::{hold, received};
use crate::poll::poll;
use crate::run::{Ended, Failed};

/// How long the launcher may take to begin.
const PATIENCE: Duration = Duration::from_secs(20);

/// The way into a session: the line to its launcher.
#[derive(Debug)]
pub struct Entrance(Mutex<Channel>);

/// A command on its way into a session, or in it. When this is dropped, the command's process group is
/// killed.
#[derive(Debug)]
pub struct Entrant {
    channel: Channel,
    /// The command and its keeper, once the command is known by its PID.
    held: OnceLock<Held>,
    /// Whether the command has ended by itself.
    has_ended: AtomicBool,
}

/// A command and its keeper, by pidfds: no other process is meant by these.
#[derive(Debug)]
struct Held {
    command: OwnedFd,
    keeper: OwnedFd,
}

/// What happened to a command of a session.
#[derive(Debug)]
pub enum EntrantEvent {
    /// The command has this PID and waits for [`Entrant::go`] before it becomes the program.
    Ready(i32),
    /// This signal stopped it.
    Stopped(u8),
    /// It ended, or could not be started.
    Ended(Result<Ended, Failed>),
}

impl Entrance {
    /// Creates the line. Returns the launcher's end too, which has to be its standard input.
    pub fn new() -> io::Result<(Entrance, OwnedFd)> {
        let (own, theirs) = Channel::pair()?;
        own.know_senders()?;
        Ok((Entrance(Mutex::new(own)), theirs.into_end()))
    }

    /// Waits until the launcher takes entries. Returns its PID.
    pub fn greet(&self) -> io::Result<i32> {
        let line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let end = Instant::now().checked_add(PATIENCE);
        loop {
            match poll([line.raw()], &[], end)? {
                None => return Err(io::ErrorKind::TimedOut.into()),
                Some(([0], _)) => {}
                Some(_) => break,
            }
        }
        match line.receive_from()? {
            Some((said, pid)) if said == [HELLO] && pid > 0 => Ok(pid),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Has a command forked inside, with these streams. Whether they may be given was looked at before.
    pub fn enter(&self, entry: &Entry, streams: [OwnedFd; 3]) -> io::Result<Entrant> {
        self.enter_with(entry, streams, None)
    }

    /// Has a command forked that also gets this pipe, as [`LAST_DIRECTORY`](super::LAST_DIRECTORY).
    pub fn enter_with(
        &self,
        entry: &Entry,
        streams: [OwnedFd; 3],
        pipe: Option<&OwnedFd>,
    ) -> io::Result<Entrant> {
        let (own, theirs) = Channel::pair()?;
        own.know_senders()?;
        let theirs = theirs.into_end();
        let [stdin, stdout, stderr] = streams.each_ref().map(AsRawFd::as_raw_fd);
        let fds = [theirs.as_raw_fd(), stdin, stdout, stderr];
        self.0.lock().unwrap_or_else(PoisonError::into_inner).send(&[1], &fds)?;
        drop((theirs, streams));
        let mut to = ByteWriter::new();
        entry.pack(&mut to);
        for part in to.finish().chunks(LONGEST.saturating_sub(1)) {
            own.send(&[&[Order::Part as u8], part].concat(), &[])?;
        }
        let pipe: Vec<i32> = pipe.map(AsRawFd::as_raw_fd).into_iter().collect();
        own.send(&[Order::Fork as u8], &pipe)?;
        Ok(Entrant { channel: own, held: OnceLock::new(), has_ended: AtomicBool::new(false) })
    }
}

impl Entrant {
    /// Waits for what happens next.
    pub fn next(&self) -> io::Result<EntrantEvent> {
        loop {
            let Some((said, pid)) = self.channel.receive_from()? else {
                // Its keeper was killed.
                return Ok(EntrantEvent::Ended(Ok(Ended::Killed)));
            };
            match *said.as_slice() {
                [own] if own == Said::Ready as u8 => {
                    let _ = self.held.set(Held::of(pid)?);
                    return Ok(EntrantEvent::Ready(pid));
                }
                [own, signal] if own == Said::Stopped as u8 => {
                    return Ok(EntrantEvent::Stopped(signal));
                }
                [own, a, b, c, d] if own == Said::Ended as u8 => {
                    self.has_ended.store(true, Ordering::Release);
                    let status = i32::from_ne_bytes([a, b, c, d]);
                    return Ok(EntrantEvent::Ended(Ok(ended(status))));
                }
                [own, step, a, b, c, d] if own == Said::NotStarted as u8 => {
                    let error = io::Error::from_raw_os_error(i32::from_ne_bytes([a, b, c, d]));
                    return Ok(EntrantEvent::Ended(Err(failed(step, error))));
                }
                _ => {}
            }
        }
    }

    /// Lets the command become its program.
    pub fn go(&self) -> io::Result<()> {
        self.channel.send(&[Order::Go as u8], &[])
    }

    /// Sends a signal to the command's process group. The keeper has no part in it: something inside may
    /// have stopped it.
    pub fn signal(&self, signal: u8) -> io::Result<()> {
        let Some(held) = self.held.get() else {
            return self.channel.send(&[Order::Signal as u8, signal], &[]);
        };
        held.wake_keeper();
        held.signal_group(signal.into());
        Ok(())
    }

    /// Puts the command's process group in the foreground of its terminal.
    pub fn foreground(&self) -> io::Result<()> {
        self.channel.send(&[Order::Foreground as u8], &[])
    }

    /// Waits until something happened to this command, or it is this time; whether something happened.
    pub fn wait(&self, end: Option<Instant>) -> io::Result<bool> {
        Ok(poll([self.channel.raw()], &[], end)?.is_some_and(|([ready], _)| ready != 0))
    }

    /// Waits until something happened to this command, or somebody else has said something, or it is
    /// this time. Returns which of the two; neither if the time is over.
    pub fn wait_beside(
        &self,
        other: BorrowedFd<'_>,
        end: Option<Instant>,
    ) -> io::Result<[bool; 2]> {
        let ready = poll([self.channel.raw(), other.as_raw_fd()], &[], end)?;
        Ok(ready.map_or([false; 2], |(ready, _)| ready.map(|own| own != 0)))
    }
}

impl Held {
    /// Holds a command that waits to begin, and the keeper, which leads its session.
    fn of(pid: i32) -> io::Result<Held> {
        // SAFETY: takes a number alone. The command waits, so its number is its own.
        let keeper = unsafe { libc::getsid(pid) };
        if keeper == -1 {
            return Err(io::Error::last_os_error());
        }
        Ok(Held { command: hold(pid)?, keeper: hold(keeper)? })
    }

    /// Sends a signal to the process group that the command leads.
    fn signal_group(&self, signal: i32) {
        send_signal(&self.command, signal, GROUP);
    }

    /// Lets a keeper go on that something inside has stopped.
    fn wake_keeper(&self) {
        send_signal(&self.keeper, libc::SIGCONT, 0);
    }
}

/// The process group that a process leads, from Linux 6.9 on.
const GROUP: libc::c_uint = 1 << 2;

fn send_signal(held: &OwnedFd, signal: i32, flags: libc::c_uint) {
    let (call, nothing) = (libc::SYS_pidfd_send_signal, std::ptr::null::<libc::siginfo_t>());
    // SAFETY: takes numbers and no description of the signal. Whoever has ended needs no signal.
    unsafe { libc::syscall(call, held.as_raw_fd(), signal, nothing, flags) };
}

impl Drop for Entrant {
    fn drop(&mut self) {
        // After its end, what it left behind is nobody's business here.
        if !self.has_ended.load(Ordering::Acquire)
            && let Some(held) = self.held.get()
        {
            held.signal_group(libc::SIGKILL);
            held.wake_keeper();
        }
    }
}

impl AsFd for Entrant {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.channel.as_fd()
    }
}

/// Translates a status of `wait`.
fn ended(status: i32) -> Ended {
    match libc::WIFEXITED(status) {
        true => Ended::Exited(libc::WEXITSTATUS(status)),
        false => Ended::Signalled(libc::WTERMSIG(status)),
    }
}

/// Says what could not be done.
fn failed(step: u8, error: io::Error) -> Failed {
    let part = match step {
        own if own == Step::Exec as u8 => return Failed::Start(error),
        own if own == Step::Directory as u8 => "the working directory",
        own if own == Step::Terminal as u8 => "the terminal",
        own if own == Step::Entry as u8 => "the entry",
        _ => "the process",
    };
    Failed::Fence { part, about: None, error }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        // SAFETY: the channel owns the descriptor for as long as it is borrowed.
        unsafe { BorrowedFd::borrow_raw(self.raw()) }
    }
}

/// Opens what has nothing in it and keeps nothing, for reading and writing.
pub(super) fn nothing() -> io::Result<OwnedFd> {
    // SAFETY: a C string that outlives the call.
    match unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC) } {
        -1 => Err(io::Error::last_os_error()),
        fd => Ok(received(fd)),
    }
}
