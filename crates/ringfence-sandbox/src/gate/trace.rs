//! Stops a process between `execve` and its first instruction.
//!
//! Between reading the words of a start and the start itself another thread of the process could
//! change them. So the process is stopped where the kernel has its own copy and no instruction of
//! the new program has run, and looked at again.
//!
//! Whoever dies while it is held is waited for here: until then its parent does not learn of it.

use std::io;
use std::time::Duration;

use super::target::Target;
use crate::filter::MACHINE;

const OPTIONS: i32 = libc::PTRACE_O_TRACEEXEC | libc::PTRACE_O_EXITKILL;
/// How long it is waited between two looks at a thread that becomes its process.
const LOOK_AGAIN: Duration = Duration::from_micros(100);

/// How a start went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stopped {
    /// The new program stands before its first instruction; this is its process.
    Started(Target),
    /// The start failed; the old program goes on.
    Failed,
    /// The process is gone.
    Gone,
}

impl Stopped {
    /// What a thread that was held is now.
    pub(super) fn whom(self, thread: Target) -> Option<Target> {
        match self {
            Stopped::Started(process) => Some(process),
            Stopped::Failed => Some(thread),
            Stopped::Gone => None,
        }
    }
}

/// A thread that is held.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    thread: Target,
    /// The first thread of its process, whose number it gets when it starts a program.
    leader: i32,
}

/// Takes hold of a thread whose call waits, of a process with this first thread. A start that fails
/// stops as well, before the old program goes on: that is asked for while the call waits, which
/// nothing but its end interrupts.
pub(super) fn seize(target: Target, leader: i32) -> io::Result<Held> {
    request(libc::PTRACE_SEIZE as i64, target.pid, OPTIONS as usize)?;
    // Where this fails the process is gone, and is waited for.
    let _ = request(libc::PTRACE_INTERRUPT as i64, target.pid, 0);
    Ok(Held { thread: target, leader })
}

/// Waits until the start happened or failed. The call must have been let go on.
pub(super) fn wait(held: Held) -> Stopped {
    let Held { thread: target, leader } = held;
    loop {
        let Some((pid, status)) = next(target.pid, leader) else { return Stopped::Gone };
        if !libc::WIFSTOPPED(status) {
            return Stopped::Gone;
        }
        match status >> 16 {
            libc::PTRACE_EVENT_EXEC => return Stopped::Started(Target { pid, ..target }),
            libc::PTRACE_EVENT_STOP => return Stopped::Failed,
            _ => {
                let signal = libc::WSTOPSIG(status) as usize;
                let _ = request(libc::PTRACE_CONT as i64, pid, signal);
            }
        }
    }
}

/// What the thread does next. One that starts a program becomes the first of its process, with
/// the number of that; nobody is told under the number that it had.
fn next(thread: i32, leader: i32) -> Option<(i32, i32)> {
    if thread == leader {
        return waited(thread, 0).map(|status| (thread, status));
    }
    loop {
        // In this order: what is no longer the one is the other.
        let seen = [thread, leader].map(|pid| (pid, waited(pid, libc::WNOHANG)));
        if seen.iter().all(|(_, status)| status.is_none()) {
            return None;
        }
        let told = |(pid, status): (i32, Option<i32>)| Some((pid, status.filter(|it| *it != 0)?));
        if let Some(told) = seen.into_iter().find_map(told) {
            return Some(told);
        }
        std::thread::sleep(LOOK_AGAIN);
    }
}

/// What `wait` says of one that is held: its status, zero for nothing yet; none if it is not held.
fn waited(pid: i32, flags: i32) -> Option<i32> {
    loop {
        let mut status = 0;
        let flags = flags | libc::__WALL | libc::__WNOTHREAD;
        // SAFETY: the kernel writes the status.
        match unsafe { libc::waitpid(pid, &raw mut status, flags) } {
            -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            -1 => return None,
            0 => return Some(0),
            _ => return Some(status),
        }
    }
}

/// Where the stack of the new program begins; none if it is a program of another machine, which
/// lays its stack out in another way.
pub(super) fn stack(target: Target) -> io::Result<Option<u64>> {
    let mut said = Said::default();
    let (size, to) = (size_of::<Said>(), &raw mut said);
    // SAFETY: the kernel writes at most so many bytes of a structure of ours.
    match unsafe { libc::ptrace(LOOK as _, target.pid, size as *mut libc::c_void, to) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(Some(said.stack).filter(|_| said.machine == MACHINE)),
    }
}

/// The request for what is said of a process that is stopped.
const LOOK: i64 = 0x420e;

/// The first part of that.
#[repr(C)]
#[derive(Debug, Default)]
struct Said {
    kind: u8,
    flags: u8,
    reserved: u16,
    machine: u32,
    instruction: u64,
    stack: u64,
}

/// Lets go of it.
pub(super) fn release(target: Target) {
    if request(libc::PTRACE_DETACH as i64, target.pid, 0).is_err() {
        bury(target);
    }
}

/// Ends it before it did anything.
pub(super) fn kill(target: Target) {
    // SAFETY: takes numbers alone; it is held, so its number is its own.
    unsafe { libc::kill(target.pid, libc::SIGKILL) };
    bury(target);
}

/// Waits for one that dies.
fn bury(target: Target) {
    while waited(target.pid, 0).is_some_and(|status| libc::WIFSTOPPED(status)) {}
}

/// C libraries do not agree on the type of a request.
fn request(request: i64, pid: i32, data: usize) -> io::Result<()> {
    let nowhere = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: none of these requests reads or writes our memory.
    match unsafe { libc::ptrace(request as _, pid, nowhere, data) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
