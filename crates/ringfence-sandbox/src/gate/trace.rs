//! Stops a process between `execve` and its first instruction.
//!
//! Between reading the words of a start and the start itself another thread of the process could
//! change them. So the process is stopped where the kernel has its own copy and no instruction of
//! the new program has run, and looked at again.

use std::io;

use super::target::Target;

const OPTIONS: i32 = libc::PTRACE_O_TRACEEXEC | libc::PTRACE_O_EXITKILL;

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

/// Takes hold of a thread whose call waits.
pub(super) fn seize(target: Target) -> io::Result<()> {
    request(libc::PTRACE_SEIZE, target.pid, OPTIONS as usize)
}

/// Waits until the start happened or failed. The call must have been let go on.
pub(super) fn wait(target: Target) -> Stopped {
    // A start that fails stops as well.
    if request(libc::PTRACE_INTERRUPT, target.pid, 0).is_err() {
        return Stopped::Gone;
    }
    loop {
        let mut status = 0;
        let flags = libc::__WALL | libc::__WNOTHREAD;
        // SAFETY: the kernel writes the status.
        let pid = unsafe { libc::waitpid(target.pid, &raw mut status, flags) };
        if pid < 0 {
            match io::Error::last_os_error().kind() {
                io::ErrorKind::Interrupted => continue,
                // A thread that starts a program becomes the first of its process.
                _ => return Stopped::Gone,
            }
        }
        if !libc::WIFSTOPPED(status) {
            return Stopped::Gone;
        }
        match status >> 16 {
            libc::PTRACE_EVENT_EXEC => return Stopped::Started(target),
            libc::PTRACE_EVENT_STOP => return Stopped::Failed,
            _ => {
                let signal = libc::WSTOPSIG(status) as usize;
                if request(libc::PTRACE_CONT, target.pid, signal).is_err() {
                    return Stopped::Gone;
                }
            }
        }
    }
}

/// Lets go of it.
pub(super) fn release(target: Target) {
    let _ = request(libc::PTRACE_DETACH, target.pid, 0);
}

/// Ends it before it did anything.
pub(super) fn kill(target: Target) {
    // SAFETY: takes numbers alone; it is held, so its number is its own.
    unsafe { libc::kill(target.pid, libc::SIGKILL) };
    release(target);
}

fn request(request: libc::c_uint, pid: i32, data: usize) -> io::Result<()> {
    let nowhere = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: none of these requests reads or writes our memory.
    match unsafe { libc::ptrace(request, pid, nowhere, data) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
