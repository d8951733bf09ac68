//! The terminal on which a run was started, and what of it reaches the command.
//!
//! The command never has that terminal itself: whoever has a descriptor of a terminal can read what
//! is typed to others by leaving its session, and take the foreground while it is in it. It has a
//! terminal of its own, which is shown on this one. What is typed is handed on only while the run is
//! in the foreground.

use std::fs;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::sync::{Arc, Mutex, PoisonError};

/// What is typed at the terminal outside, for the terminal of the command.
#[derive(Debug)]
pub(crate) struct Keyboard {
    outer: OwnedFd,
    /// The other end of the command's terminal.
    master: Arc<OwnedFd>,
    /// Whether no session has the terminal outside, so that nobody else is typed to there.
    is_free: bool,
    state: Mutex<State>,
}

/// How keys are handed on.
#[derive(Debug, Default)]
struct State {
    /// Whether the command gets them.
    is_given: bool,
    /// Whether they mean nothing outside while it does.
    is_plain: bool,
    /// What the terminal outside is set back to, while keys mean nothing there.
    before: Option<Modes>,
    /// Whether the run is stopped.
    is_stopped: bool,
}

/// The settings of a terminal.
#[derive(Clone, Copy)]
struct Modes(libc::termios);

impl std::fmt::Debug for Modes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Modes")
    }
}

impl Modes {
    fn of(terminal: &OwnedFd) -> Option<Modes> {
        // SAFETY: all zeros is a description that the call fills.
        let mut modes: libc::termios = unsafe { std::mem::zeroed() };
        // SAFETY: the structure outlives the call.
        let known = unsafe { libc::tcgetattr(terminal.as_raw_fd(), &raw mut modes) } == 0;
        known.then_some(Modes(modes))
    }

    /// The same, with keys that mean nothing and output that is shown as it is.
    fn raw(mut self) -> Modes {
        // SAFETY: changes the structure alone.
        unsafe { libc::cfmakeraw(&raw mut self.0) };
        self
    }

    /// The same for a terminal that is shown on one with these settings: what that one does is done
    /// once.
    fn shown(mut self) -> Modes {
        self.0.c_oflag &= !libc::OPOST;
        self.0.c_lflag &= !libc::ECHO;
        self
    }

    fn set(&self, terminal: &OwnedFd) {
        // SAFETY: the structure outlives the call.
        unsafe { libc::tcsetattr(terminal.as_raw_fd(), libc::TCSANOW, &raw const self.0) };
    }
}

impl Keyboard {
    pub(crate) fn new(outer: OwnedFd, master: Arc<OwnedFd>) -> Keyboard {
        let is_free = group_in_front(&outer).is_none() && !has_session(&outer);
        let keyboard = Keyboard { outer, master, is_free, state: Mutex::default() };
        if let Some(modes) = Modes::of(&keyboard.outer) {
            modes.shown().set(&keyboard.master);
        }
        keyboard
    }

    pub(crate) fn outer(&self) -> &OwnedFd {
        &self.outer
    }

    /// Returns whether this process has the use of the terminal outside.
    pub(crate) fn is_in_front(&self) -> bool {
        // SAFETY: takes nothing and always succeeds.
        let own = unsafe { libc::getpgrp() };
        self.is_free || group_in_front(&self.outer) == Some(own)
    }

    /// Hands keys on as they are: the command's own terminal says what they mean.
    pub(crate) fn give(&self) {
        let mut state = self.state();
        if let Some(modes) = Modes::of(&self.outer).filter(|_| !state.is_plain) {
            modes.set(&self.master);
        }
        (state.is_given, state.is_plain) = (true, true);
        drop(state);
        self.follow();
    }

    /// Hands whole lines on: the terminal outside says what keys mean.
    pub(crate) fn give_lines(&self) {
        self.state().is_given = true;
    }

    /// Sets the terminal outside as it has to be now; whether what is typed is for the command.
    pub(crate) fn follow(&self) -> bool {
        let in_front = self.is_in_front();
        let mut state = self.state();
        if !in_front {
            // Whoever has the use of it now has set it.
            state.before = None;
        } else if state.is_plain && !state.is_stopped && state.before.is_none() {
            state.before = Modes::of(&self.outer);
            if let Some(before) = state.before {
                before.raw().set(&self.outer);
            }
        }
        state.is_given && in_front && !state.is_stopped
    }

    /// Stops this process, as whoever started it expects when the command has stopped.
    pub(crate) fn stop(&self) {
        self.state().is_stopped = true;
        self.set_back();
        stop();
        self.state().is_stopped = false;
        self.follow();
    }

    /// Sets the terminal outside back, unless somebody else has the use of it.
    fn set_back(&self) {
        let before = self.state().before.take();
        if let Some(before) = before.filter(|_| self.is_in_front()) {
            before.set(&self.outer);
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        self.set_back();
    }
}

/// Stops this process; returns once someone lets it go on.
pub(crate) fn stop() {
    // SAFETY: takes numbers alone.
    unsafe { libc::kill(libc::getpid(), libc::SIGSTOP) };
}

/// Returns the process group that has the use of a terminal; none if the terminal is not that of
/// this process's session.
fn group_in_front(terminal: &OwnedFd) -> Option<i32> {
    // SAFETY: takes a number alone.
    let group = unsafe { libc::tcgetpgrp(terminal.as_raw_fd()) };
    (group >= 0).then_some(group)
}

/// Returns whether a process of this machine has a terminal as its controlling one. What cannot be
/// seen counts as one.
fn has_session(terminal: &OwnedFd) -> bool {
    let about = fs::metadata(format!("/proc/self/fd/{}", terminal.as_raw_fd()));
    let Ok(about) = about else { return true };
    let Ok(processes) = fs::read_dir("/proc") else { return true };
    let is_device = about.file_type().is_char_device();
    let stats = processes.flatten().filter_map(|entry| {
        entry.file_name().to_str()?.parse::<u32>().ok()?;
        fs::read(entry.path().join("stat")).ok()
    });
    let mut terminals = stats.filter_map(|stat| terminal_of(&stat));
    !is_device || terminals.any(|device| device == about.rdev())
}

/// Returns the device of the controlling terminal that a line of `/proc/PID/stat` names.
fn terminal_of(stat: &[u8]) -> Option<u64> {
    // The name stands in parentheses and may hold anything.
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(stat.get(end.saturating_add(1)..)?).ok()?;
    let number: i32 = rest.split_ascii_whitespace().nth(4)?.parse().ok()?;
    let number = u32::from_ne_bytes(number.to_ne_bytes());
    let (major, minor) = ((number >> 8) & 0xfff, (number & 0xff) | ((number >> 12) & 0xfff00));
    Some(libc::makedev(major, minor)).filter(|_| number != 0)
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
