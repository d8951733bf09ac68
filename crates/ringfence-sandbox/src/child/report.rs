//! What the small processes say to the supervisor through the memory that they share.

use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use crate::sys::{self, Errno};

/// What was being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Stage {
    /// Nothing yet.
    Begun,
    /// The user's number in the new namespace.
    Users,
    /// The network of the tree.
    Network,
    /// The view of the file system.
    Mounts,
    /// A directory that is to be writable.
    Writable,
    /// A directory that is to be the run's own.
    Private,
    /// A file that is to be hidden.
    Hiding,
    /// A new `/proc`.
    Proc,
    /// The rules on files.
    Landlock,
    /// Making the payload.
    Payload,
    /// Capabilities.
    Capabilities,
    /// Limits.
    Limits,
    /// The directory to start in.
    Directory,
    /// The filter of calls.
    Filter,
    /// Becoming the command.
    Exec,
    /// The command runs.
    Running,
}

impl Stage {
    const ALL: [Stage; 16] = [
        Stage::Begun,
        Stage::Users,
        Stage::Network,
        Stage::Mounts,
        Stage::Writable,
        Stage::Private,
        Stage::Hiding,
        Stage::Proc,
        Stage::Landlock,
        Stage::Payload,
        Stage::Capabilities,
        Stage::Limits,
        Stage::Directory,
        Stage::Filter,
        Stage::Exec,
        Stage::Running,
    ];
}

/// How far it came, and how it ended.
#[derive(Debug, Default)]
pub(crate) struct Report {
    stage: AtomicU32,
    /// The number of the error, and which of several things it was about.
    errno: AtomicI32,
    which: AtomicU32,
    /// What `wait` said of the command.
    status: AtomicI32,
    has_ended: AtomicU32,
}

impl Report {
    pub(crate) fn stage(&self) -> Stage {
        let stage = self.stage.load(Ordering::Acquire);
        Stage::ALL.into_iter().find(|own| *own as u32 == stage).unwrap_or(Stage::Begun)
    }

    pub(crate) fn error(&self) -> Option<(Errno, usize)> {
        let errno = self.errno.load(Ordering::Acquire);
        (errno != 0).then(|| (Errno(errno), self.which.load(Ordering::Acquire) as usize))
    }

    /// What `wait` said of the command, if it ended by itself.
    pub(crate) fn status(&self) -> Option<i32> {
        let ended = self.has_ended.load(Ordering::Acquire) == 1;
        ended.then(|| self.status.load(Ordering::Acquire))
    }

    pub(super) fn enter(&self, stage: Stage) {
        self.stage.store(stage as u32, Ordering::Release);
    }

    pub(super) fn at(&self, which: usize) {
        self.which.store(which as u32, Ordering::Release);
    }

    pub(super) fn end(&self, status: i32) {
        self.status.store(status, Ordering::Release);
        self.has_ended.store(1, Ordering::Release);
    }

    /// Says what failed, and ends the process.
    pub(super) fn fail(&self, errno: Errno) -> ! {
        self.errno.store(errno.0, Ordering::Release);
        sys::exit(1)
    }
}
