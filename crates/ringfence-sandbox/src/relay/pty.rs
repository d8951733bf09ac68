//! A terminal of the command's own, shown on the one outside.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::Arc;

use super::pump::{Pump, put, wait};
use crate::bell::Bell;
use crate::gate::received;
use crate::sys;
use crate::terminal::Keyboard;

/// How often it is looked whether the window outside has another size, and who is in front.
const LOOK_AGAIN: i32 = 100;

/// A terminal of the command's own.
#[derive(Debug)]
pub(super) struct Pty {
    master: Arc<OwnedFd>,
    pub(super) keyboard: Arc<Keyboard>,
    /// The command's end, until it has been handed over.
    slave: OwnedFd,
}

pub(super) fn is_terminal(fd: &OwnedFd) -> bool {
    // SAFETY: takes a number alone.
    unsafe { libc::isatty(fd.as_raw_fd()) == 1 }
}

impl Pty {
    /// A terminal that is as the one outside is now.
    pub(super) fn new(outer: &OwnedFd) -> io::Result<Pty> {
        let flags = libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC;
        // SAFETY: takes a number alone.
        let master = checked(unsafe { libc::posix_openpt(flags) })?;
        // SAFETY: takes a number alone.
        if unsafe { libc::unlockpt(master.as_raw_fd()) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: takes numbers alone.
        let slave = unsafe { libc::ioctl(master.as_raw_fd(), libc::TIOCGPTPEER, flags) };
        let slave = checked(slave)?;
        let master = Arc::new(master);
        let keyboard = Arc::new(Keyboard::new(outer.try_clone()?, Arc::clone(&master)));
        resize(outer, &master);
        Ok(Pty { master, keyboard, slave })
    }

    /// The command's end once more.
    pub(super) fn slave(&self) -> io::Result<OwnedFd> {
        self.slave.try_clone()
    }

    /// What the command says, to the terminal outside.
    pub(super) fn outward(&self) -> io::Result<Pump> {
        Ok(Pump { from: self.master.try_clone()?, to: self.keyboard.outer().try_clone()? })
    }

    /// Hands on what is typed outside, and the size of the window, until it is rung.
    pub(super) fn inward(self, end: &Bell) {
        let Pty { master, keyboard, slave } = self;
        let outer = keyboard.outer();
        // While this end is open the command's last words are waited for in vain.
        drop(slave);
        let mut bytes = [0; 1024];
        loop {
            let typed = if keyboard.follow() { outer.as_raw_fd() } else { -1 };
            let wanted = [(end.raw(), libc::POLLIN), (typed, libc::POLLIN)];
            let [is_over, is_typed] = wait(wanted, LOOK_AGAIN);
            if is_over {
                return;
            }
            resize(outer, &master);
            // The kernel stops whoever reads from the background, if that came in between.
            if !is_typed || !keyboard.follow() {
                continue;
            }
            match sys::read(outer.as_raw_fd(), &mut bytes) {
                Ok(length) if length > 0 => {
                    let typed = bytes.get(..length).unwrap_or_default();
                    if !put(master.as_raw_fd(), typed, end) {
                        return;
                    }
                }
                Err(sys::Errno(libc::EINTR | libc::EAGAIN)) => {}
                // The end of input, or of the terminal.
                _ => {
                    if !put(master.as_raw_fd(), END_OF_INPUT, end) {
                        return;
                    }
                    wait([(end.raw(), libc::POLLIN)], LOOK_AGAIN);
                }
            }
        }
    }
}

/// What ends the input of a terminal that reads lines.
const END_OF_INPUT: &[u8] = &[4];

/// Gives a terminal the size of another; the kernel tells the command if that is new.
fn resize(from: &OwnedFd, to: &OwnedFd) {
    // SAFETY: all zeros is a size.
    let mut size: libc::winsize = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes and reads the structure, which outlives the calls.
    unsafe {
        if libc::ioctl(from.as_raw_fd(), libc::TIOCGWINSZ, &raw mut size) == 0 {
            libc::ioctl(to.as_raw_fd(), libc::TIOCSWINSZ, &raw const size);
        }
    }
}

fn checked(fd: RawFd) -> io::Result<OwnedFd> {
    match fd {
        -1 => Err(io::Error::last_os_error()),
        fd => Ok(received(fd)),
    }
}
