//! The descriptor on which the filter asks.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

const RECEIVE: libc::Ioctl = 0xc050_2100_u32 as libc::Ioctl;
const SEND: libc::Ioctl = 0xc018_2101_u32 as libc::Ioctl;
const IS_VALID: libc::Ioctl = 0x4008_2102_u32 as libc::Ioctl;
const ADD_FD: libc::Ioctl = 0x4018_2103_u32 as libc::Ioctl;
const SET_FLAGS: libc::Ioctl = 0x4008_2104_u32 as libc::Ioctl;
/// Whoever waits is woken on the processor of whoever wakes it.
const SAME_PROCESSOR: u64 = 1;
const CONTINUE: u32 = 1;
/// The descriptor is the answer.
const AND_SEND: u32 = 2;

/// A call that waits for its answer.
pub(super) type Call = libc::seccomp_notif;

/// The descriptor on which the filter asks.
#[derive(Debug)]
pub(super) struct Listener(OwnedFd);

impl Listener {
    /// One side always waits for the other, so both are quickest on one processor: waking another
    /// one takes longer than most answers. A kernel that cannot do this is slower, and no less
    /// safe.
    pub(super) fn new(fd: OwnedFd) -> Listener {
        // SAFETY: takes numbers alone.
        unsafe { libc::ioctl(fd.as_raw_fd(), SET_FLAGS, SAME_PROCESSOR) };
        Listener(fd)
    }

    pub(super) fn raw(&self) -> RawFd {
        self.0.as_raw_fd()
    }

    /// Whether a call is there.
    pub(super) fn is_ready(&self) -> bool {
        let mut wanted = libc::pollfd { fd: self.raw(), events: libc::POLLIN, revents: 0 };
        // SAFETY: the kernel writes the one entry.
        unsafe { libc::poll(&raw mut wanted, 1, 0) > 0 && wanted.revents & libc::POLLIN != 0 }
    }

    /// The next call; none if the process that made it is gone.
    pub(super) fn receive(&self) -> io::Result<Option<Call>> {
        // SAFETY: the kernel wants all zeros.
        let mut call: Call = unsafe { std::mem::zeroed() };
        // SAFETY: the kernel writes the structure, which outlives the request.
        match unsafe { libc::ioctl(self.raw(), RECEIVE, &raw mut call) } {
            0 => Ok(Some(call)),
            _ => match io::Error::last_os_error() {
                gone if gone.raw_os_error() == Some(libc::ENOENT) => Ok(None),
                again if again.kind() == io::ErrorKind::Interrupted => Ok(None),
                error => Err(error),
            },
        }
    }

    /// Whether the call still waits, so that what was read belongs to it.
    pub(super) fn still_waits(&self, id: u64) -> bool {
        // SAFETY: the kernel reads the number, which outlives the request.
        unsafe { libc::ioctl(self.raw(), IS_VALID, &raw const id) == 0 }
    }

    /// The call goes on as it was made; whether it still waited.
    pub(super) fn go_on(&self, id: u64) -> bool {
        self.send(id, 0, 0, CONTINUE)
    }

    /// The call gave this.
    pub(super) fn done(&self, id: u64, value: i64) {
        self.send(id, value, 0, 0);
    }

    /// The call failed with this number.
    pub(super) fn fail(&self, id: u64, errno: i32) {
        self.send(id, 0, errno.wrapping_neg(), 0);
    }

    /// The call gave a descriptor.
    pub(super) fn give(&self, id: u64, fd: &OwnedFd, cloexec: bool) {
        let mut added = libc::seccomp_notif_addfd {
            id,
            flags: AND_SEND,
            srcfd: fd.as_raw_fd() as u32,
            newfd: 0,
            newfd_flags: if cloexec { libc::O_CLOEXEC as u32 } else { 0 },
        };
        // SAFETY: the kernel reads the structure, which outlives the request.
        if unsafe { libc::ioctl(self.raw(), ADD_FD, &raw mut added) } < 0 {
            let errno = io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO);
            self.fail(id, errno);
        }
    }

    fn send(&self, id: u64, val: i64, error: i32, flags: u32) -> bool {
        let mut answer = libc::seccomp_notif_resp { id, val, error, flags };
        // SAFETY: the kernel reads the structure, which outlives the request. Where it fails, the
        // process is gone.
        unsafe { libc::ioctl(self.raw(), SEND, &raw mut answer) == 0 }
    }
}
