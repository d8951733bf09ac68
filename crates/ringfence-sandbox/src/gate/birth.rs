//! Who made a process, and which of those with its number it is.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::OnceLock;

use super::target::{Target, owned};

/// The birth of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Birth {
    /// Its parent now: whoever made it, or took it in.
    pub(super) parent: i32,
    /// A number that no other process with its number has.
    pub(super) began: u64,
}

/// The birth of a process; none if it is gone.
pub(super) fn birth(number: i32) -> Option<Birth> {
    match is_asked() {
        true => asked(number),
        false => read(number),
    }
}

/// The first thread of a thread's process, and the birth of that. Only first threads can be held
/// by a descriptor, so that whether it is one is told by that.
pub(super) fn of_thread(target: Target) -> io::Result<(i32, Option<Birth>)> {
    if is_asked()
        && let Ok(held) = hold(target.pid)
    {
        return Ok((target.pid, told(&held)));
    }
    let leader = target.leader()?;
    Ok((leader, birth(leader)))
}

/// Holds a process by a descriptor: whoever has its number later is not meant by that.
pub(crate) fn hold(number: i32) -> io::Result<OwnedFd> {
    // SAFETY: takes numbers alone.
    owned(unsafe { libc::syscall(libc::SYS_pidfd_open, number, 0) })
}

/// Whether a process that is held is still there, if only to be waited for.
pub(crate) fn is_there(held: &OwnedFd) -> bool {
    let (call, held, nothing) = (libc::SYS_pidfd_send_signal, held.as_raw_fd(), 0);
    // SAFETY: sends nothing, and takes numbers alone.
    unsafe { libc::syscall(call, held, nothing, nothing, nothing) == 0 }
}

/// Whether the kernel is asked. The two ways know processes by different numbers, so it is always
/// the same one.
fn is_asked() -> bool {
    static IS_ASKED: OnceLock<bool> = OnceLock::new();
    let own = || i32::try_from(std::process::id()).ok().and_then(asked).is_some();
    *IS_ASKED.get_or_init(own)
}

/// What the kernel says of a process, from Linux 6.13 on.
fn asked(number: i32) -> Option<Birth> {
    told(&hold(number).ok()?)
}

/// What it says of one that is held.
fn told(held: &OwnedFd) -> Option<Birth> {
    let mut about = About::default();
    // SAFETY: the kernel writes the structure, whose size is part of the request.
    if unsafe { libc::ioctl(held.as_raw_fd(), GET_INFO, &raw mut about) } != 0 {
        return None;
    }
    // No two processes have the same number there while the machine runs.
    let began = super::files::stat(held).ok()?.st_ino;
    Some(Birth { parent: i32::try_from(about.parent).ok()?, began })
}

const GET_INFO: libc::Ioctl = 0xc040_ff0b_u32 as libc::Ioctl;

/// The first form of what it says.
#[repr(C)]
#[derive(Debug, Default)]
struct About {
    mask: u64,
    group: u64,
    thread: u32,
    process: u32,
    parent: u32,
    rest: [u32; 9],
}

/// What the kernel says of a process is shorter: some fifty numbers and a name of 15 bytes.
const LONGEST_STAT: usize = 2048;

/// What `/proc` says: it began so many ticks after the machine.
fn read(number: i32) -> Option<Birth> {
    // Read at once: the kernel says it anew for every piece.
    let mut bytes = [0; LONGEST_STAT];
    let length = File::open(format!("/proc/{number}/stat")).ok()?.read(&mut bytes).ok()?;
    // The name stands in parentheses and may hold anything.
    let said = bytes.get(..length)?;
    let end = said.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(said.get(end.saturating_add(1)..)?).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let parent = fields.nth(1)?.parse().ok()?;
    let began = fields.nth(17)?.parse().ok()?;
    Some(Birth { parent, began })
}

#[cfg(test)]
#[path = "birth_tests.rs"]
mod tests;
