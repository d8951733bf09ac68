//! What a command must not be given as a stream, because it was opened outside.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;

/// Why a stream is not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// Nothing is covered where it was opened.
    Directory,
    /// It belongs to the network outside, or is sent to names that nobody judges.
    Socket,
}

/// Why this is not given, if it is not.
pub(super) fn unfit(stream: OwnedFd) -> io::Result<Option<Unfit>> {
    let stream = File::from(stream);
    let kind = stream.metadata()?.file_type();
    Ok(match () {
        () if kind.is_dir() => Some(Unfit::Directory),
        () if kind.is_socket() && !leads_to_one(&stream) => Some(Unfit::Socket),
        () => None,
    })
}

/// Whether a socket leads to the one that it is connected to, and to nobody else ever: of the
/// sockets of this machine those that are streams or keep their packets in order. A connection of
/// the network can be given up for another one.
fn leads_to_one(socket: &File) -> bool {
    let is_kind = [libc::SOCK_STREAM, libc::SOCK_SEQPACKET].map(Some);
    option(socket, libc::SO_DOMAIN) == Some(libc::AF_UNIX)
        && is_kind.contains(&option(socket, libc::SO_TYPE))
        && is_connected(socket)
}

fn option(socket: &File, name: libc::c_int) -> Option<libc::c_int> {
    let mut value: libc::c_int = 0;
    let mut length = size_of::<libc::c_int>() as libc::socklen_t;
    let (to, length) = ((&raw mut value).cast(), &raw mut length);
    // SAFETY: the kernel writes a number, whose length is said.
    let asked = unsafe { libc::getsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, name, to, length) };
    (asked == 0).then_some(value)
}

fn is_connected(socket: &File) -> bool {
    // SAFETY: all zeros is an address like any other.
    let mut address: libc::sockaddr_un = unsafe { std::mem::zeroed() };
    let mut length = size_of::<libc::sockaddr_un>() as libc::socklen_t;
    let (to, length) = ((&raw mut address).cast(), &raw mut length);
    // SAFETY: the kernel writes at most as much as is said.
    unsafe { libc::getpeername(socket.as_raw_fd(), to, length) == 0 }
}
