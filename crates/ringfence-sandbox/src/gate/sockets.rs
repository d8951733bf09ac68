//! Sockets with names.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;

use super::broker::Job;
use super::files::{Gives, Prepared, about};
use super::judge::Deed;
use super::place::{Last, find, find_from, open_at};
use super::target::Target;
use crate::child::Operation;

/// The length of the family, before the path.
const FAMILY: usize = 2;

/// Prepares binding or connecting a socket of the process.
///
/// The socket is the process's own, so that what it was told before stays: that it must not wait,
/// or that someone waits for it.
pub(super) fn prepare(
    target: Target,
    socket: i32,
    address: &[u8],
    is_bind: bool,
) -> io::Result<Prepared> {
    let own = target.descriptor(socket)?;
    let path = address.get(FAMILY..).unwrap_or_default();
    let family = address.first_chunk().map_or(0, |family| u16::from_ne_bytes(*family));
    let is_named =
        i32::from(family) == libc::AF_UNIX && path.first().is_some_and(|first| *first != 0);
    if !is_named {
        let (operation, gives) = match is_bind {
            true => (Operation::BindTo, Gives::Nothing),
            false => (Operation::ConnectTo, Gives::Connection),
        };
        let job = Job::named(operation, vec![own], address);
        return Ok(Prepared::new(Vec::new(), job, gives));
    }
    let name = path.split(|byte| *byte == 0).next().unwrap_or_default();
    let name = CString::new(name)?;
    match is_bind {
        true => bind(target, own, &name),
        false => connect(target, own, &name),
    }
}

/// The socket is to say the name that the process gave it. Nobody of the tree makes that name lead
/// elsewhere in between: whoever changes a name waits for the same gate and the same broker.
fn bind(target: Target, own: OwnedFd, name: &CStr) -> io::Result<Prepared> {
    let start = match name.to_bytes() {
        [b'/', ..] => target.root()?,
        _ => target.directory(libc::AT_FDCWD)?,
    };
    let place = find_from(target, start.try_clone()?, name, Last::Itself)?;
    let mut job = Job::named(Operation::Bind, vec![own, place.directory], place.name.to_bytes());
    if place.is_plain {
        let [_, said] = &mut job.texts;
        *said = name.to_bytes().to_vec();
        job.fds.push(start);
    }
    job.umask = target.umask()?;
    let deeds = vec![(Deed::Write, place.path)];
    Ok(Prepared::new(deeds, job, Gives::Nothing))
}

/// It is connected to what was found: the name may be a link to another one by then.
fn connect(target: Target, own: OwnedFd, name: &CStr) -> io::Result<Prepared> {
    let place = find(target, libc::AT_FDCWD, name, Last::Followed)?;
    let object = open_at(&place)?;
    if !about(&object)?.file_type().is_socket() {
        return Err(io::Error::from_raw_os_error(libc::ECONNREFUSED));
    }
    let job = Job::new(Operation::Connect, vec![own, object]);
    let socket = Some(place.path);
    Ok(Prepared { socket, ..Prepared::new(Vec::new(), job, Gives::Connection) })
}

/// A socket that must not wait while this is there. It is the process's own too, so that what is
/// changed here is put back at once.
pub(super) struct Hurried<'a> {
    socket: &'a OwnedFd,
    /// Whether its owner waits for it.
    pub(super) waits: bool,
}

impl Hurried<'_> {
    pub(super) fn new(socket: &OwnedFd) -> Hurried<'_> {
        let waits = flags(socket) & libc::O_NONBLOCK == 0;
        if waits {
            set_flags(socket, flags(socket) | libc::O_NONBLOCK);
        }
        Hurried { socket, waits }
    }
}

impl Drop for Hurried<'_> {
    fn drop(&mut self) {
        if self.waits {
            set_flags(self.socket, flags(self.socket) & !libc::O_NONBLOCK);
        }
    }
}

fn flags(fd: &OwnedFd) -> i32 {
    // SAFETY: takes numbers alone.
    unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_GETFL) }
}

pub(super) fn set_flags(fd: &OwnedFd, flags: i32) {
    // SAFETY: takes numbers alone.
    unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, flags) };
}

/// How a connection that was begun went; none if that is not known within so many milliseconds.
pub(super) fn connected(socket: &OwnedFd, patience: i32) -> Option<io::Result<()>> {
    let mut wanted = libc::pollfd { fd: socket.as_raw_fd(), events: libc::POLLOUT, revents: 0 };
    // SAFETY: the kernel writes the entry.
    if unsafe { libc::poll(&raw mut wanted, 1, patience) } != 1 {
        return None;
    }
    let mut errno = 0;
    let mut length = size_of::<i32>() as libc::socklen_t;
    let (level, name) = (libc::SOL_SOCKET, libc::SO_ERROR);
    let value = (&raw mut errno).cast();
    // SAFETY: the kernel writes a number, whose length is said.
    let asked =
        unsafe { libc::getsockopt(socket.as_raw_fd(), level, name, value, &raw mut length) };
    Some(match (asked, errno) {
        (0, 0) => Ok(()),
        (0, errno) => Err(io::Error::from_raw_os_error(errno)),
        _ => Err(io::Error::last_os_error()),
    })
}
