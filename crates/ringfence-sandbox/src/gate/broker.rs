//! The supervisor's end of the line to the broker.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::{Mutex, PoisonError};

use crate::child::{ANSWER, Operation, Order};
use crate::sys;

/// The line to the broker: one order at a time.
#[derive(Debug)]
pub(crate) struct Broker {
    line: Mutex<OwnedFd>,
    /// Its number, as the tree sees it.
    pub(super) pid: i32,
}

/// What came of a job.
#[derive(Debug)]
pub(super) struct Made {
    /// What was opened.
    pub(super) descriptor: Option<OwnedFd>,
    /// What the call gave.
    pub(super) number: i32,
}

/// What is to be carried out.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) operation: Operation,
    pub(super) flags: i32,
    pub(super) mode: u32,
    pub(super) umask: u32,
    pub(super) numbers: [u64; 4],
    /// Names, without the NUL at their ends.
    pub(super) texts: [Vec<u8>; 2],
    pub(super) fds: Vec<OwnedFd>,
}

impl Job {
    pub(super) fn new(operation: Operation, fds: Vec<OwnedFd>) -> Job {
        Job {
            operation,
            flags: 0,
            mode: 0,
            umask: 0,
            numbers: [0; 4],
            texts: [Vec::new(), Vec::new()],
            fds,
        }
    }

    pub(super) fn named(operation: Operation, fds: Vec<OwnedFd>, name: &[u8]) -> Job {
        let mut job = Job::new(operation, fds);
        job.texts = [name.to_vec(), Vec::new()];
        job
    }
}

impl Broker {
    pub(crate) fn new(line: OwnedFd, pid: i32) -> Broker {
        Broker { line: Mutex::new(line), pid }
    }

    /// Has a job done.
    pub(super) fn order(&self, job: &Job) -> io::Result<Made> {
        let [first, second] = &job.texts;
        let length = |text: &Vec<u8>| text.len().saturating_add(1) as u32;
        let order = Order {
            operation: job.operation as u32,
            flags: job.flags,
            mode: job.mode,
            umask: job.umask,
            numbers: job.numbers,
            lengths: [length(first), length(second)],
        };
        let bytes = [order.bytes(), first, b"\0", second, b"\0"].concat();
        let fds: Vec<i32> = job.fds.iter().map(AsRawFd::as_raw_fd).collect();
        let line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        sys::send(line.as_raw_fd(), &bytes, &fds)?;
        let mut answer = [0; ANSWER];
        let (length, fds) = sys::receive(line.as_raw_fd(), &mut answer)?;
        // SAFETY: the kernel just gave them to us.
        let mut fds = fds.into_iter().flatten().map(|fd| unsafe { OwnedFd::from_raw_fd(fd) });
        let [a, b, c, d, e, f, g, h] = answer;
        let (errno, number) = (i32::from_ne_bytes([a, b, c, d]), i32::from_ne_bytes([e, f, g, h]));
        match (length, errno) {
            (ANSWER, 0) => Ok(Made { descriptor: fds.next(), number }),
            (ANSWER, errno) => Err(io::Error::from_raw_os_error(errno)),
            // The tree is ending.
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}
