//! A socket pair on which messages keep their ends, with descriptors and the sender's PID.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use crate::gate::received;
use crate::spawn::line;
use crate::sys;

/// One end of a socket pair.
#[derive(Debug)]
pub(crate) struct Channel(OwnedFd);

/// A message and what came with it.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) bytes: Vec<u8>,
    pub(crate) fds: Vec<OwnedFd>,
}

/// The longest message.
pub(crate) const LONGEST: usize = 64 << 10;

impl Channel {
    /// Creates a pair.
    pub(crate) fn pair() -> io::Result<(Channel, Channel)> {
        line().map(|(one, two)| (Channel(one), Channel(two)))
    }

    /// Wraps an end that was handed over.
    pub(crate) fn of(end: OwnedFd) -> Channel {
        Channel(end)
    }

    pub(crate) fn into_end(self) -> OwnedFd {
        self.0
    }

    pub(crate) fn raw(&self) -> RawFd {
        self.0.as_raw_fd()
    }

    pub(crate) fn send(&self, bytes: &[u8], fds: &[RawFd]) -> io::Result<()> {
        Ok(sys::send(self.raw(), bytes, fds)?)
    }

    /// Receives the next message; an empty one if nobody has the other end any more.
    pub(crate) fn receive(&self) -> io::Result<Message> {
        let mut bytes = vec![0; LONGEST];
        loop {
            match sys::receive(self.raw(), &mut bytes) {
                Err(sys::Errno(libc::EINTR)) => {}
                Err(errno) => return Err(errno.into()),
                Ok((length, fds)) => {
                    bytes.truncate(length);
                    let fds = fds.into_iter().flatten().map(received).collect();
                    return Ok(Message { bytes, fds });
                }
            }
        }
    }

    /// Has the kernel add the sender's PID to every message that arrives here.
    pub(crate) fn know_senders(&self) -> io::Result<()> {
        let (on, name) = (1_i32, libc::SO_PASSCRED);
        let length = size_of::<i32>() as libc::socklen_t;
        let value = (&raw const on).cast();
        // SAFETY: the kernel reads one number, whose size is given.
        match unsafe { libc::setsockopt(self.raw(), libc::SOL_SOCKET, name, value, length) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Receives a short message with the PID of its sender, as this process sees that PID. The kernel
    /// says it, so a sender cannot name another process. `None` if nobody has the other end any more.
    pub(crate) fn receive_from(&self) -> io::Result<Option<(Vec<u8>, i32)>> {
        let mut bytes = [0_u8; 64];
        let mut control = [0_u64; 8];
        let mut part = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
        // SAFETY: all zeros is a message without parts; the parts are set below.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = control.as_mut_ptr().cast();
        message.msg_controllen = size_of_val(&control) as _;
        // SAFETY: the message points at `part` and `control`, which outlive the call.
        let read = unsafe { libc::recvmsg(self.raw(), &raw mut message, libc::MSG_CMSG_CLOEXEC) };
        let Ok(length) = usize::try_from(read) else { return Err(io::Error::last_os_error()) };
        if length == 0 {
            return Ok(None);
        }
        // SAFETY: the kernel has filled the control part of this message.
        let pid = unsafe { sender(&message) };
        let said = bytes.get(..length).unwrap_or_default().to_vec();
        Ok(Some((said, pid.unwrap_or_default())))
    }
}

/// Returns the sender's PID from a received message.
///
/// # Safety
///
/// The message was filled by `recvmsg`, and its control part is still there.
unsafe fn sender(message: &libc::msghdr) -> Option<i32> {
    // SAFETY: by the contract of this function.
    let mut next = unsafe { libc::CMSG_FIRSTHDR(message) };
    // SAFETY: `next` is null or points at a header inside the control part.
    while let Some(header) = unsafe { next.as_ref() } {
        if header.cmsg_level == libc::SOL_SOCKET && header.cmsg_type == libc::SCM_CREDENTIALS {
            // SAFETY: the data of such a header is a `ucred`, which may lie unaligned.
            let own = unsafe { libc::CMSG_DATA(next).cast::<libc::ucred>().read_unaligned() };
            return Some(own.pid);
        }
        // SAFETY: as above.
        next = unsafe { libc::CMSG_NXTHDR(message, next) };
    }
    None
}
