//! Namespaces that are made before there is a plan.

use std::io::{self, IsTerminal};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::Arc;

use crate::child::{self, Blueprint, Ends, Frame, Request};
use crate::gate::received;
use crate::sys;

/// The namespaces of a tree, in the making: they are the same for every plan.
///
/// Making them takes about as long as making a plan, and is done by a process of its own. Whoever
/// begins with a room has both sooner; [`run`](crate::run) makes one where there is none. A
/// room that is dropped ends, and leaves nothing behind.
#[derive(Debug)]
pub struct Room {
    pub(crate) frame: Arc<Frame>,
    /// The terminal that the command is given.
    pub(crate) terminal: Option<RawFd>,
    pub(crate) orders: Option<OwnedFd>,
    control: Option<OwnedFd>,
    /// While this is open the init lives.
    lifeline: Option<OwnedFd>,
    /// The others' ends, closed here once they have copies.
    theirs: Vec<OwnedFd>,
    /// The process that makes the init, until it has been waited for.
    maker: Option<i32>,
    init: Option<i32>,
    /// What was handed over; it goes when the init has gone.
    blueprint: Option<Box<Blueprint>>,
}

impl Room {
    /// Begins to make the namespaces. The tree ends with the thread that does.
    pub fn new() -> io::Result<Room> {
        let (lifeline_there, lifeline) = pipe()?;
        let (control, control_there) = line()?;
        let (orders, orders_there) = line()?;
        let terminal = own_terminal();
        let ends = Ends {
            lifeline: lifeline_there.as_raw_fd(),
            control: control_there.as_raw_fd(),
            orders: orders_there.as_raw_fd(),
        };
        let kept = [Some(ends.lifeline), Some(ends.control), Some(ends.orders), terminal];
        let frame = Arc::new(Frame::new(&ends, keep(&kept))?);
        let maker = Some(child::begin(&frame)?);
        Ok(Room {
            frame,
            terminal,
            orders: Some(orders),
            control: Some(control),
            lifeline: Some(lifeline),
            theirs: vec![lifeline_there, control_there, orders_there],
            maker,
            init: None,
            blueprint: None,
        })
    }

    /// The number of the init, once it has been made.
    pub(crate) fn init(&mut self) -> io::Result<i32> {
        if let Some(init) = self.init {
            return Ok(init);
        }
        let maker = self.maker.take().ok_or(io::ErrorKind::NotFound)?;
        let init = child::begun(&self.frame, maker)?;
        self.theirs.clear();
        self.init = Some(init);
        Ok(init)
    }

    /// Lets the init go on with all that it needs; the line to it.
    pub(crate) fn begin(&mut self, blueprint: Box<Blueprint>) -> io::Result<OwnedFd> {
        let control = self.control.take().ok_or(io::ErrorKind::NotFound)?;
        self.frame.hand_over(self.blueprint.insert(blueprint));
        // Where the init has ended, it has said why.
        let _ = sys::send(control.as_raw_fd(), &[Request::Begin as u8], &[]);
        Ok(control)
    }

    /// Ends the init, and waits for its end and that of all it had started.
    pub(crate) fn end(&mut self) {
        let init = self.init();
        self.control = None;
        self.lifeline = None;
        self.init = None;
        if let Ok(init) = init {
            wait(init);
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if self.maker.is_some() || self.init.is_some() {
            self.end();
        }
    }
}

/// Waits for the end of a process.
fn wait(pid: i32) {
    let mut status = 0;
    loop {
        // SAFETY: the kernel writes the status.
        let waited = unsafe { libc::waitpid(pid, &raw mut status, libc::__WALL) };
        if waited == pid || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return;
        }
    }
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut fds = [0; 2];
    // SAFETY: the kernel writes two numbers.
    match unsafe { libc::pipe2(fds.as_mut_ptr(), libc::O_CLOEXEC) } {
        0 => both(fds),
        _ => Err(io::Error::last_os_error()),
    }
}

/// A line on which messages keep their ends.
fn line() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut fds = [0; 2];
    let kind = libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC;
    // SAFETY: the kernel writes two numbers.
    match unsafe { libc::socketpair(libc::AF_UNIX, kind, 0, fds.as_mut_ptr()) } {
        0 => both(fds),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Two new descriptors. Where the standard streams are closed they would take their numbers, and
/// the command would be given them.
fn both([one, two]: [RawFd; 2]) -> io::Result<(OwnedFd, OwnedFd)> {
    let (one, two) = (received(one), received(two));
    Ok((above_standard(one)?, above_standard(two)?))
}

fn above_standard(fd: OwnedFd) -> io::Result<OwnedFd> {
    if fd.as_raw_fd() > 2 {
        return Ok(fd);
    }
    // SAFETY: takes numbers alone.
    match unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 3) } {
        -1 => Err(io::Error::last_os_error()),
        copy => Ok(received(copy)),
    }
}

/// Whether a command that is started now gets the terminal: then nothing else is drawn there.
pub fn lends_terminal() -> bool {
    own_terminal().is_some()
}

/// The terminal, if this process has the use of it.
fn own_terminal() -> Option<RawFd> {
    let streams: [(RawFd, bool); 3] = [
        (0, io::stdin().is_terminal()),
        (1, io::stdout().is_terminal()),
        (2, io::stderr().is_terminal()),
    ];
    let (fd, _) = streams.into_iter().find(|(_, is_terminal)| *is_terminal)?;
    // SAFETY: take numbers alone.
    let in_front = unsafe { libc::tcgetpgrp(fd) == libc::getpgrp() };
    in_front.then_some(fd)
}

/// The descriptors that the init keeps, in order.
fn keep(fds: &[Option<RawFd>]) -> Vec<RawFd> {
    let mut keep: Vec<RawFd> = fds.iter().flatten().copied().chain([0, 1, 2]).collect();
    keep.sort_unstable();
    keep.dedup();
    keep
}
