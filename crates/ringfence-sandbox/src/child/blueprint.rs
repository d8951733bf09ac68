//! Everything that the small processes need, prepared before they need it.

use std::ffi::{CString, c_char};
use std::rc::Rc;

use super::Frame;
use crate::net::NetSetup;

/// Everything that the small processes need but the command. It must outlive all of them.
#[derive(Debug)]
pub(crate) struct Blueprint {
    /// What they had from the first.
    pub(crate) frame: Rc<Frame>,
    pub(crate) setup: Setup,
}

/// What a plan makes of the namespaces and of the payload.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) net: NetSetup,
    /// What becomes writable; all else is mounted read-only. `None` leaves everything as it is.
    pub(crate) writable: Option<Vec<Bound>>,
    /// Directories that are empty and the tree's own.
    pub(crate) private: Vec<CString>,
    pub(crate) hidden: Vec<Hidden>,
    /// The highest number of a process, in digits, where the kernel counts each tree on its own.
    pub(crate) most_processes: Option<Vec<u8>>,
    pub(crate) confine: Confine,
    /// Where the command begins.
    pub(crate) cwd: CString,
}

/// A path that is mounted on itself.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) path: CString,
}

/// A path that is covered.
#[derive(Debug)]
pub(crate) struct Hidden {
    pub(crate) path: CString,
    pub(crate) cover: Cover,
}

/// What something is covered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cover {
    /// A file that nobody can open.
    File,
    /// A directory that nobody can open.
    Directory,
    /// A file that everybody can read, and that is empty.
    Blank,
}

/// What the payload does to itself.
#[derive(Debug)]
pub(crate) struct Confine {
    pub(crate) landlock: Vec<LandlockRule>,
    pub(crate) filter: Vec<libc::sock_filter>,
    pub(crate) limits: Vec<(usize, u64)>,
}

/// A path with its rights.
#[derive(Debug)]
pub(crate) struct LandlockRule {
    pub(crate) path: CString,
    pub(crate) access: u64,
}

/// The command.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) program: CString,
    /// Pointers into the texts, with a null at the end.
    pub(crate) argv: Vec<*const c_char>,
    pub(crate) envp: Vec<*const c_char>,
    #[expect(dead_code, reason = "the pointers above lead into them")]
    pub(crate) texts: Vec<CString>,
    /// Signals that were blocked before, as the command finds them.
    pub(crate) mask: u64,
}
