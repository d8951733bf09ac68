//! Messages between a client and a supervisor: a length, the bytes, and descriptors with the length.

use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

use crate::gate::received;
use crate::sys;

/// Returns the longest message: the arguments and variables that the kernel gives a program at most,
/// and some room.
pub fn most_sent() -> usize {
    8 << 20
}

/// Sends a message with up to four descriptors.
pub fn send_frame(to: &UnixStream, bytes: &[u8], fds: &[BorrowedFd<'_>]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    if bytes.len() > most_sent() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let fds: Vec<RawFd> = fds.iter().map(AsRawFd::as_raw_fd).collect();
    sys::send(to.as_raw_fd(), &length.to_ne_bytes(), &fds)?;
    let mut to = to;
    to.write_all(bytes)
}

/// Receives a message with its descriptors. `None` if the other end has gone before it began one.
pub fn receive_frame(from: &UnixStream) -> io::Result<Option<(Vec<u8>, Vec<OwnedFd>)>> {
    let (mut head, mut filled, mut fds) = ([0_u8; 4], 0_usize, Vec::new());
    while filled < head.len() {
        let rest = head.get_mut(filled..).unwrap_or_default();
        let (length, more) = match sys::receive(from.as_raw_fd(), rest) {
            Err(sys::Errno(libc::EINTR)) => continue,
            heard => heard?,
        };
        fds.extend(more.into_iter().flatten().map(received));
        match length {
            0 if filled == 0 => return Ok(None),
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            length => filled = filled.saturating_add(length),
        }
    }
    let length = u32::from_ne_bytes(head) as usize;
    if length > most_sent() {
        return Err(io::ErrorKind::InvalidData.into());
    }
    // Memory grows with what arrives, not with what was announced.
    let mut bytes = Vec::new();
    from.take(length as u64).read_to_end(&mut bytes)?;
    match bytes.len() == length {
        true => Ok(Some((bytes, fds))),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[cfg(test)]
#[path = "frame_tests.rs"]
mod tests;
