//! Children that do not outlive this process, without a fence around them.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::sys;

/// Lets the kernel end the child when the thread that starts it ends, however that happens.
///
/// Only the child itself is tied, not what it starts: for a whole tree there is the fence.
pub fn tether(command: &mut Command) -> &mut Command {
    let parent = std::process::id();
    // SAFETY: the closure makes two system calls between fork and exec, and nothing else.
    unsafe {
        command.pre_exec(move || {
            sys::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as usize, 0)?;
            // Whoever should be outlived may have ended before the kernel was told.
            if std::os::unix::process::parent_id() == parent {
                Ok(())
            } else {
                Err(io::ErrorKind::BrokenPipe.into())
            }
        })
    }
}
