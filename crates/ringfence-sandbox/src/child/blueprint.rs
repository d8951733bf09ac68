//! Everything that the small processes need, prepared before they need it.

use std::ffi::{CString, c_char};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicI32};

use super::{Frame, Object};
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
    pub(crate) writable: Option<Vec<Object>>,
    /// Directories that are empty and the tree's own.
    pub(crate) private: Vec<Private>,
    pub(crate) hidden: Vec<Hidden>,
    /// What is covered in the new `/proc`.
    pub(crate) hidden_in_proc: Vec<Object>,
    /// The highest number of a process, in digits, where the kernel counts each tree on its own.
    pub(crate) most_processes: Option<Vec<u8>>,
    pub(crate) confine: Confine,
    /// The directory in which the command starts.
    pub(crate) cwd: Object,
}

/// A directory that is replaced by an empty one of the run's own.
#[derive(Debug)]
pub(crate) struct Private {
    pub(crate) object: Object,
    /// The init's descriptor of the mount, once it is attached; else -1.
    pub(super) mount: AtomicI32,
}

impl Private {
    pub(crate) fn new(object: Object) -> Private {
        Private { object, mount: AtomicI32::new(-1) }
    }
}

/// A file or directory that is covered.
#[derive(Debug)]
pub(crate) struct Hidden {
    pub(crate) object: Object,
    pub(crate) cover: Cover,
    /// Whether the init found nothing at the path.
    pub(crate) missing: AtomicBool,
}

impl Hidden {
    pub(crate) fn new(object: Object, cover: Cover) -> Hidden {
        Hidden { object, cover, missing: AtomicBool::new(false) }
    }
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
    /// The Landlock rights on private directories.
    pub(crate) private: u64,
    /// The Landlock rights on the empty file that covers others; 0 where it covers none.
    pub(crate) blank: u64,
    pub(crate) filter: Vec<libc::sock_filter>,
    pub(crate) limits: Vec<(usize, u64)>,
}

/// A file or directory with its Landlock rights.
#[derive(Debug)]
pub(crate) struct LandlockRule {
    pub(crate) object: Object,
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
