//! A last word for a process that takes too long.
//!
//! It is said by a signal's handler and not by a second thread: a process that judges one call and
//! ends would spend a tenth of its life on starting and ending that. The handler makes plain system
//! calls on what was prepared before, and nothing else.

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What is said when the time is over, and how the process ends.
#[derive(Debug, Clone)]
pub struct LastWord {
    /// What goes to standard output.
    pub stdout: Vec<u8>,
    /// What goes to standard error.
    pub stderr: Vec<u8>,
    /// The status with which the process ends.
    pub status: u8,
    /// The status where standard output does not take it.
    pub unsaid: u8,
}

/// The time in which this process has to come to an end of something.
#[derive(Debug)]
#[must_use = "it holds until it is lifted"]
pub struct Deadline(());

/// What the handler says; set once, before the handler can run.
static WORD: OnceLock<LastWord> = OnceLock::new();
/// Whether the time still counts.
static COUNTS: AtomicBool = AtomicBool::new(false);

impl Deadline {
    /// Begins to count. A process has one deadline in its life.
    pub fn set(limit: Duration, word: LastWord) -> io::Result<Deadline> {
        WORD.set(word).map_err(|_| io::Error::from(io::ErrorKind::AlreadyExists))?;
        COUNTS.store(true, Ordering::Release);
        listen()?;
        count(limit)?;
        Ok(Deadline(()))
    }

    /// Stops counting: from here on the process speaks for itself.
    pub fn lift(self) {
        COUNTS.store(false, Ordering::Release);
        // What still rings finds nothing to say.
        let _ = count(Duration::ZERO);
    }
}

/// Has the handler called for the alarm, also where whoever started this process kept it out.
fn listen() -> io::Result<()> {
    // SAFETY: all-zero bytes are a valid `sigaction` and a valid set of signals; both are filled in
    // by the calls below, and outlive the calls that read them. The handler keeps to what a handler
    // may do.
    let failed = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = speak as *const () as libc::sighandler_t;
        action.sa_flags = libc::SA_RESTART;
        let mut alarm: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut alarm);
        libc::sigaddset(&raw mut alarm, libc::SIGALRM);
        libc::sigaction(libc::SIGALRM, &raw const action, std::ptr::null_mut()) != 0
            || libc::sigprocmask(libc::SIG_UNBLOCK, &raw const alarm, std::ptr::null_mut()) != 0
    };
    if failed { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Rings once after a while; never for none.
fn count(limit: Duration) -> io::Result<()> {
    let never = libc::timeval { tv_sec: 0, tv_usec: 0 };
    let once = libc::timeval {
        tv_sec: libc::time_t::try_from(limit.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_usec: limit.subsec_micros().into(),
    };
    let timer = libc::itimerval { it_interval: never, it_value: once };
    // SAFETY: the timer outlives the call, and no old one is asked for.
    match unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const timer, std::ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Says the last word and ends the process.
extern "C" fn speak(_: libc::c_int) {
    if !COUNTS.swap(false, Ordering::AcqRel) {
        return;
    }
    let Some(word) = WORD.get() else { return };
    let said = write_all(libc::STDOUT_FILENO, &word.stdout);
    write_all(libc::STDERR_FILENO, &word.stderr);
    let status = if said { word.status } else { word.unsaid };
    // SAFETY: it ends the process at once, without anything that a handler may not do.
    unsafe { libc::_exit(status.into()) }
}

/// Whether all bytes were written.
fn write_all(fd: i32, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        // SAFETY: the bytes outlive the call.
        let written = unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written) {
            Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
            // No signal comes while this one is handled, apart from those that end the process.
            Err(_) => return false,
        }
    }
    true
}
