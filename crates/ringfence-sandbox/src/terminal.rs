//! The terminal, which the command has while it runs.

use std::os::fd::RawFd;

/// The terminal that was lent to the command; it is taken back when this is dropped.
pub(crate) struct Terminal {
    fd: RawFd,
    /// The group that had it before.
    own: i32,
    /// How it was before, where what is typed is handed on to another terminal as it is.
    modes: Option<libc::termios>,
}

impl Terminal {
    pub(crate) fn lent(fd: RawFd) -> Terminal {
        // SAFETY: takes nothing and always succeeds.
        Terminal { fd, own: unsafe { libc::getpgrp() }, modes: None }
    }

    /// The terminal that shows another one, which is the command's: keys mean nothing here.
    pub(crate) fn relayed(fd: RawFd) -> Terminal {
        // SAFETY: all zeros is a description that the call fills.
        let mut modes: libc::termios = unsafe { std::mem::zeroed() };
        // SAFETY: the structure outlives the call.
        let is_known = unsafe { libc::tcgetattr(fd, &raw mut modes) } == 0;
        let terminal = Terminal { modes: is_known.then_some(modes), ..Terminal::lent(fd) };
        terminal.mean_nothing();
        terminal
    }

    /// Keys mean nothing any more.
    fn mean_nothing(&self) {
        let Some(mut modes) = self.modes else { return };
        // SAFETY: changes the structure alone.
        unsafe { libc::cfmakeraw(&raw mut modes) };
        self.set(&modes);
    }

    /// Keys mean what they did before.
    fn mean_again(&self) {
        if let Some(modes) = &self.modes {
            self.set(modes);
        }
    }

    /// Sets how it works, unless somebody else has the use of it.
    fn set(&self, modes: &libc::termios) {
        // SAFETY: the structure outlives the call; the rest takes numbers alone.
        unsafe {
            if libc::tcgetpgrp(self.fd) == self.own {
                libc::tcsetattr(self.fd, libc::TCSADRAIN, modes);
            }
        }
    }

    /// The command was stopped: this process stops as well, as whoever started it expects, and
    /// gives the terminal back when it goes on.
    pub(crate) fn stop(&self) {
        // SAFETY: takes a number alone.
        let command = unsafe { libc::tcgetpgrp(self.fd) };
        self.give(self.own);
        self.mean_again();
        // SAFETY: takes numbers alone; returns once someone lets this process go on.
        unsafe { libc::kill(libc::getpid(), libc::SIGSTOP) };
        // Whoever lets it go on in the background keeps the terminal.
        // SAFETY: takes a number alone.
        let in_front = unsafe { libc::tcgetpgrp(self.fd) } == self.own;
        if command > 0 && in_front {
            self.give(command);
        }
        self.mean_nothing();
    }

    /// Gives the terminal to a group. Asking for it from the background would stop this process.
    fn give(&self, group: i32) {
        let stops = Blocked::new(&[libc::SIGTTOU]);
        // SAFETY: takes numbers alone.
        unsafe { libc::tcsetpgrp(self.fd, group) };
        drop(stops);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.give(self.own);
        self.mean_again();
    }
}

/// Signals that are blocked in this thread until this is dropped.
#[derive(Debug)]
pub(crate) struct Blocked {
    before: libc::sigset_t,
    own: libc::sigset_t,
}

impl Blocked {
    pub(crate) fn new(signals: &[i32]) -> Blocked {
        // SAFETY: all zeros is a set, which the calls make empty and fill.
        unsafe {
            let mut own: libc::sigset_t = std::mem::zeroed();
            let mut before: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut own);
            for signal in signals {
                libc::sigaddset(&raw mut own, *signal);
            }
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const own, &raw mut before);
            Blocked { before, own }
        }
    }

    /// The signals themselves.
    pub(crate) fn set(&self) -> &libc::sigset_t {
        &self.own
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        // SAFETY: the set is the one that was in force before.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.before, std::ptr::null_mut());
        }
    }
}
