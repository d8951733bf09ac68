//! Who is at the other end of a control socket.

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;

use crate::gate::{is_there, received};

/// The namespaces that every fence has of its own.
const NAMESPACES: [&str; 5] = ["user", "mnt", "pid", "net", "ipc"];

/// Checks that the other end of a socket is this user and in the namespaces of this process: outside
/// every fence and container. An error says why not.
///
/// The process is held by a pidfd while its namespaces are read, so that no other process can take its
/// PID in between.
pub fn check_peer(stream: &UnixStream) -> Result<(), &'static str> {
    const UNKNOWN: &str = "the kernel does not tell who asks";
    let peer: libc::ucred = option(stream, libc::SO_PEERCRED).map_err(|_| UNKNOWN)?;
    let held: i32 = option(stream, libc::SO_PEERPIDFD).map_err(|_| UNKNOWN)?;
    let held: OwnedFd = received(held);
    // SAFETY: takes nothing and always succeeds.
    if peer.uid != unsafe { libc::geteuid() } {
        return Err("another user is not listened to");
    }
    let is_same = |name: &&str| {
        let theirs = fs::read_link(format!("/proc/{}/ns/{name}", peer.pid));
        let own = fs::read_link(format!("/proc/self/ns/{name}"));
        matches!((theirs, own), (Ok(theirs), Ok(own)) if theirs == own)
    };
    match NAMESPACES.iter().all(is_same) && is_there(&held) {
        true => Ok(()),
        false => Err("a process inside a run or a container is not listened to"),
    }
}

/// Reads an option of a socket that is plain numbers.
fn option<T: Copy>(stream: &UnixStream, name: libc::c_int) -> io::Result<T> {
    // SAFETY: all zeros is a value of the numbers that are read here.
    let mut value: T = unsafe { std::mem::zeroed() };
    let mut length = size_of::<T>() as libc::socklen_t;
    let (to, size) = ((&raw mut value).cast(), &raw mut length);
    // SAFETY: the kernel writes at most as many bytes as the value has.
    match unsafe { libc::getsockopt(stream.as_raw_fd(), libc::SOL_SOCKET, name, to, size) } {
        0 if length as usize == size_of::<T>() => Ok(value),
        0 => Err(io::ErrorKind::InvalidData.into()),
        _ => Err(io::Error::last_os_error()),
    }
}
