//! Waiting for several descriptors at once.

use std::io;
use std::os::fd::RawFd;
use std::time::{Duration, Instant};

/// Waits until something happened to one of these, and says what, and whether to one of the
/// others; those that are negative never are ready. None: the time is over.
pub(crate) fn poll<const N: usize>(
    fds: [RawFd; N],
    others: &[RawFd],
    end: Option<Instant>,
) -> io::Result<Option<([i16; N], bool)>> {
    let left = end.map(|end| end.saturating_duration_since(Instant::now()));
    if left.is_some_and(|left| left.is_zero()) {
        return Ok(None);
    }
    // Rounded up, so that it is not asked again and again at the end.
    let most = |left: Duration| i32::try_from(left.as_millis()).unwrap_or(i32::MAX);
    let timeout = left.map_or(-1, |left| most(left).saturating_add(1));
    let entry = |fd: &RawFd| libc::pollfd { fd: *fd, events: libc::POLLIN, revents: 0 };
    let mut wanted: Vec<libc::pollfd> = fds.iter().chain(others).map(entry).collect();
    // SAFETY: the kernel writes the entries, whose number is said.
    let ready = unsafe { libc::poll(wanted.as_mut_ptr(), wanted.len() as libc::nfds_t, timeout) };
    if ready == -1 {
        return match io::Error::last_os_error() {
            error if error.kind() == io::ErrorKind::Interrupted => Ok(Some(([0; N], false))),
            error => Err(error),
        };
    }
    let mut happened = wanted.into_iter().map(|entry| entry.revents);
    let first = std::array::from_fn(|_| happened.next().unwrap_or_default());
    Ok(Some((first, happened.any(|own| own != 0))))
}
