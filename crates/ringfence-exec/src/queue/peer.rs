//! Who is at the other end.

use std::fs;
use std::os::unix::net::UnixStream;

use rustix::net::sockopt::socket_peercred;

/// Whether the other end is the same user, and in the same user namespace: a run has one of its
/// own, so that nothing inside one passes for a person. An error says why not.
pub(super) fn check(stream: &UnixStream) -> Result<(), &'static str> {
    let peer = socket_peercred(stream).map_err(|_| "it cannot be told who asks")?;
    if peer.uid != rustix::process::geteuid() {
        return Err("another user is not listened to");
    }
    let pid = peer.pid.as_raw_nonzero();
    let theirs = fs::read_link(format!("/proc/{pid}/ns/user"));
    let own = fs::read_link("/proc/self/ns/user");
    match (theirs, own) {
        (Ok(theirs), Ok(own)) if theirs == own => Ok(()),
        _ => Err("whoever is inside a run or a container is not listened to"),
    }
}
