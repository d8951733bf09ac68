//! The keeper of one command: its session leader and parent.
//!
//! The kernel stops a process by Ctrl-Z only if its parent is in the same session and in another process
//! group. So each command has a parent of its own, which also has the command's terminal, hands on
//! signals, and says how the command ended. When the supervisor closes the channel, the keeper kills the
//! command's process group.

use std::convert::Infallible;
use std::ffi::{CString, OsString, c_char};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::ptr;

use ringfence_core::bytes::ByteReader;

use super::channel::Channel;
use super::entry::{Entry, EntryTerminal};
use super::launcher::{put, set_children_ended};
use crate::child::{block_signals, children_ended, close_all_later, reset_signals};
use crate::gate::received;
use crate::poll::poll;
use crate::spawn::pipe;
use crate::sys;

/// The descriptor on which a command may say in which directory it ended, where its client gave a pipe
/// for that.
pub const LAST_DIRECTORY: RawFd = 9;

/// A message from the supervisor to a keeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Order {
    /// Here is a part of the entry.
    Part = 1,
    /// The entry is whole: fork the command.
    Fork = 2,
    /// The command is known by its PID: it may begin.
    Go = 3,
    /// Send this signal to the command's process group.
    Signal = 4,
    /// Put the command's process group in the foreground of its terminal.
    Foreground = 5,
}

/// A message from a keeper to the supervisor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Said {
    /// By the command itself, before it becomes the program: the kernel adds its PID.
    Ready = 1,
    /// The command stopped, by this signal.
    Stopped = 2,
    /// The command ended, with this status of `wait`.
    Ended = 3,
    /// The command could not be started: at this step, with this error.
    NotStarted = 4,
}

/// At which step a command could not be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Step {
    /// Reading the entry.
    Entry = 1,
    /// Making its terminal the controlling one.
    Terminal = 2,
    /// Forking.
    Fork = 3,
    /// Changing to the working directory.
    Directory = 4,
    /// Executing the program.
    Exec = 5,
}

/// A step that failed, with its error.
type Broken = (Step, io::Error);

/// Says that a command could not be started.
pub(super) fn could_not_start(channel: &Channel, step: Step, error: io::Error) {
    let errno = error.raw_os_error().unwrap_or(libc::EIO);
    let [a, b, c, d] = errno.to_ne_bytes();
    let _ = channel.send(&[Said::NotStarted as u8, step as u8, a, b, c, d], &[]);
}

/// Starts the command that the channel tells of, and keeps it until it has ended.
pub(super) fn keep(channel: &Channel, streams: [OwnedFd; 3]) -> ! {
    if let Err((step, error)) = start(channel, streams) {
        could_not_start(channel, step, error);
    }
    sys::exit(0)
}

fn start(channel: &Channel, streams: [OwnedFd; 3]) -> Result<(), Broken> {
    set_children_ended(libc::SIG_DFL).map_err(|error| (Step::Fork, error))?;
    let read = read_entry(channel).map_err(|error| (Step::Entry, error))?;
    let Some((entry, pipe_given)) = read else { return Ok(()) };
    // SAFETY: takes nothing.
    unsafe { libc::setsid() };
    let terminal = take_terminal(&entry, &streams).map_err(|error| (Step::Terminal, error))?;
    let forked = |error| (Step::Fork, error);
    let (go_there, go) = pipe().map_err(forked)?;
    let (failed, failed_there) = pipe().map_err(forked)?;
    let failed_there = above(failed_there, LAST_DIRECTORY).map_err(forked)?;
    let children = children_ended().map_err(|errno| forked(errno.into()))?;
    // SAFETY: this process has one thread.
    match unsafe { libc::fork() } {
        -1 => Err(forked(io::Error::last_os_error())),
        0 => {
            drop(go);
            let Err((step, error)) =
                become_command(channel, &entry, &streams, pipe_given, go_there);
            let errno = error.raw_os_error().unwrap_or(libc::EIO).to_ne_bytes();
            let _ = File::from(failed_there).write_all(&[&[step as u8], &errno[..]].concat());
            sys::exit(127)
        }
        pid => {
            // Both do it, so that it is done before either goes on.
            // SAFETY: takes numbers alone.
            unsafe { libc::setpgid(pid, pid) };
            // Whoever reads what the command writes sees its end when the command ends.
            drop((streams, go_there, failed_there));
            let kept = Kept { channel, pid, terminal, go: Some(go.into()), failed };
            kept.serve(children);
            Ok(())
        }
    }
}

/// Reads the parts of an entry; `None` if the supervisor has gone.
fn read_entry(channel: &Channel) -> io::Result<Option<(Entry, Option<OwnedFd>)>> {
    let mut bytes = Vec::new();
    let pipe = loop {
        let message = channel.receive()?;
        match message.bytes.split_first() {
            None => return Ok(None),
            Some((kind, part)) if *kind == Order::Part as u8 => bytes.extend_from_slice(part),
            Some((kind, _)) if *kind == Order::Fork as u8 => break message.fds.into_iter().next(),
            Some(_) => return Err(io::ErrorKind::InvalidData.into()),
        }
    };
    let entry = Entry::unpack(&mut ByteReader::new(&bytes)).filter(Entry::is_plain);
    entry.map(|entry| Some((entry, pipe))).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// Moves a descriptor above a number.
fn above(own: OwnedFd, number: RawFd) -> io::Result<OwnedFd> {
    let least = number.saturating_add(1);
    // SAFETY: takes numbers alone.
    match unsafe { libc::fcntl(own.as_raw_fd(), libc::F_DUPFD_CLOEXEC, least) } {
        -1 => Err(io::Error::last_os_error()),
        moved => Ok(received(moved)),
    }
}

/// Makes a stream the controlling terminal of this session. Returns a descriptor of it.
fn take_terminal(entry: &Entry, streams: &[OwnedFd; 3]) -> io::Result<Option<OwnedFd>> {
    let number = entry.terminal.stream();
    let Some(terminal) = number.and_then(|own| streams.get(usize::from(own))) else {
        return Ok(None);
    };
    // SAFETY: takes numbers alone; 0 takes no terminal from anybody.
    match unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCSCTTY, 0) } {
        0 => terminal.try_clone().map(Some),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Puts a process group in the foreground of a terminal. All signals are blocked, so that asking from
/// the background does not stop this process.
fn give_terminal(terminal: &OwnedFd, group: i32) {
    // SAFETY: takes numbers alone.
    unsafe { libc::tcsetpgrp(terminal.as_raw_fd(), group) };
}

/// Becomes the program of the entry, once the supervisor knows this process.
fn become_command(
    channel: &Channel,
    entry: &Entry,
    streams: &[OwnedFd; 3],
    last_directory: Option<OwnedFd>,
    go: OwnedFd,
) -> Result<Infallible, Broken> {
    let early = |error| (Step::Fork, error);
    // SAFETY: takes numbers alone.
    unsafe { libc::setpgid(0, 0) };
    for (stream, number) in streams.iter().zip(0..) {
        put(stream.as_raw_fd(), number).map_err(early)?;
    }
    channel.send(&[Said::Ready as u8], &[]).map_err(early)?;
    let mut byte = [0];
    // Where nobody lets it go on, it ends.
    File::from(go).read_exact(&mut byte).map_err(early)?;
    enter(&entry.cwd).map_err(|error| (Step::Directory, error))?;
    if let EntryTerminal::InFront(number) = entry.terminal {
        // SAFETY: takes nothing.
        let own = unsafe { libc::getpid() };
        let terminal = streams.get(usize::from(number));
        terminal.into_iter().for_each(|terminal| give_terminal(terminal, own));
    }
    // SAFETY: takes a number alone.
    unsafe { libc::umask(entry.umask) };
    entry.bounds.take_on().map_err(|errno| early(errno.into()))?;
    // Where something inside kills the keeper, the command is not left to nobody.
    let kill = libc::SIGKILL as usize;
    sys::prctl(libc::PR_SET_PDEATHSIG, kill, 0).map_err(|errno| early(errno.into()))?;
    reset_signals().map_err(|errno| early(errno.into()))?;
    close_all_later().map_err(|errno| early(errno.into()))?;
    if let Some(pipe) = last_directory {
        // Whatever had this number is not needed any more.
        let pipe = above(pipe, LAST_DIRECTORY).map_err(early)?;
        put(pipe.as_raw_fd(), LAST_DIRECTORY).map_err(early)?;
    }
    execute(entry).map_err(|error| (Step::Exec, error))
}

fn enter(directory: &Path) -> io::Result<()> {
    let path = CString::new(directory.as_os_str().as_bytes())?;
    // SAFETY: a C string that outlives the call.
    match unsafe { libc::chdir(path.as_ptr()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn execute(entry: &Entry) -> io::Result<Infallible> {
    let texts = |own: &[OsString]| -> io::Result<Vec<CString>> {
        own.iter().map(|own| Ok(CString::new(own.clone().into_vec())?)).collect()
    };
    let pointers = |own: &[CString]| -> Vec<*const c_char> {
        own.iter().map(|own| own.as_ptr()).chain([ptr::null()]).collect()
    };
    let program = CString::new(entry.program.as_os_str().as_bytes())?;
    let (argv, envp) = (texts(&entry.argv)?, texts(&entry.variables)?);
    let (argv, envp) = (pointers(&argv), pointers(&envp));
    block_signals(0)?;
    // SAFETY: C strings and lists of them that end with null; `texts` live until the end of this
    // function, which a successful call never reaches.
    unsafe { libc::execve(program.as_ptr(), argv.as_ptr(), envp.as_ptr()) };
    Err(io::Error::last_os_error())
}

/// A command that was forked.
struct Kept<'a> {
    channel: &'a Channel,
    pid: i32,
    terminal: Option<OwnedFd>,
    /// Lets the command begin.
    go: Option<File>,
    /// What the command says if it cannot start.
    failed: OwnedFd,
}

impl Kept<'_> {
    /// Serves the channel until the command has ended or the supervisor has gone.
    fn serve(mut self, children: RawFd) {
        loop {
            let Ok(ready) = poll([self.channel.raw(), children], &[], None) else {
                return self.kill();
            };
            let Some(([told, ended], _)) = ready else { continue };
            if told != 0 && !self.obey() {
                return self.kill();
            }
            if ended != 0 {
                let _ = sys::read(children, &mut [0; 128]);
                if self.reap() {
                    return;
                }
            }
        }
    }

    /// Does what the supervisor says; `false` if it has gone.
    fn obey(&mut self) -> bool {
        let Ok(message) = self.channel.receive() else { return false };
        match *message.bytes.as_slice() {
            [] => return false,
            [order] if order == Order::Go as u8 => {
                if let Some(mut go) = self.go.take() {
                    let _ = go.write_all(&[1]);
                }
            }
            [order, signal] if order == Order::Signal as u8 => self.signal(signal.into()),
            [order] if order == Order::Foreground as u8 => {
                self.terminal.iter().for_each(|terminal| give_terminal(terminal, self.pid));
            }
            _ => {}
        }
        true
    }

    /// Sends a signal to the command's process group. The command has not been waited for, so its
    /// number is its own.
    fn signal(&self, signal: i32) {
        // SAFETY: takes numbers alone.
        unsafe { libc::kill(self.pid.wrapping_neg(), signal) };
    }

    fn kill(&self) {
        self.signal(libc::SIGKILL);
    }

    /// Waits for what the command did; whether it has ended.
    fn reap(&mut self) -> bool {
        loop {
            let mut status = 0;
            let flags = libc::WNOHANG | libc::WUNTRACED;
            // SAFETY: the kernel writes the status.
            if unsafe { libc::waitpid(self.pid, &raw mut status, flags) } != self.pid {
                return false;
            }
            if libc::WIFSTOPPED(status) {
                let signal = libc::WSTOPSIG(status) as u8;
                let _ = self.channel.send(&[Said::Stopped as u8, signal], &[]);
                continue;
            }
            self.end(status);
            return true;
        }
    }

    /// Says how the command ended.
    fn end(&mut self, status: i32) {
        if let Some(terminal) = &self.terminal {
            // The kernel hangs up whoever is in the foreground when a session's leader ends: not
            // what the command has left in the background.
            // SAFETY: takes nothing.
            give_terminal(terminal, unsafe { libc::getpgrp() });
        }
        let mut failed = [0; 5];
        let failed = sys::read(self.failed.as_raw_fd(), &mut failed).map(|length| (length, failed));
        let said = match failed {
            Ok((5, [step, a, b, c, d])) => vec![Said::NotStarted as u8, step, a, b, c, d],
            _ => [&[Said::Ended as u8], &status.to_ne_bytes()[..]].concat(),
        };
        let _ = self.channel.send(&said, &[]);
    }
}
