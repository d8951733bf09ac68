//! Children without a fence around them: those that end with this process, and those that do not.

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

/// Makes the child a daemon: a session of its own, and no descriptor of this process but the standard
/// streams that the command names.
pub fn detach(command: &mut Command) -> &mut Command {
    // SAFETY: the closure makes two system calls between fork and exec, and nothing else.
    unsafe {
        command.pre_exec(|| {
            if libc::setsid() == -1 {
                return Err(io::Error::last_os_error());
            }
            let to = u32::MAX as usize;
            let cloexec = libc::CLOSE_RANGE_CLOEXEC as usize;
            sys::syscall(libc::SYS_close_range, [3, to, cloexec, 0, 0, 0]).map(drop)?;
            Ok(())
        })
    }
}
