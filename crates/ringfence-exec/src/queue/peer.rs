//! Checks which process is at the other end of a socket.

use std::fs;
use std::os::unix::net::UnixStream;

use rustix::net::sockopt::socket_peercred;

/// Checks that the other end has the same user and the same user namespace. Each run has its own
/// namespace, so nothing inside a run passes for a person. The error is the reason.
pub(super) fn check(stream: &UnixStream) -> Result<(), &'static str> {
    let peer = socket_peercred(stream).map_err(|_| "the process at the other end is unknown")?;
    if peer.uid != rustix::process::geteuid() {
        return Err("requests of another user are refused");
    }
    let pid = peer.pid.as_raw_nonzero();
    let theirs = fs::read_link(format!("/proc/{pid}/ns/user"));
    let own = fs::read_link("/proc/self/ns/user");
    match (theirs, own) {
        (Ok(theirs), Ok(own)) if theirs == own => Ok(()),
        _ => Err("requests from inside a run or a container are refused"),
    }
}
