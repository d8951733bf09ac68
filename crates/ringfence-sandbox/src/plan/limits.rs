//! How much a tree may use.

use serde::Serialize;

/// How much a tree may use; `None` is as much as the system lets the user have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Limits {
    /// Seconds until all of it is ended.
    pub seconds: Option<u64>,
    /// Bytes of address space of each process.
    pub memory: Option<u64>,
    /// Processes and threads of the user at one time.
    pub processes: Option<u64>,
    /// Bytes of the largest file.
    pub file_size: Option<u64>,
    /// Descriptors that one process may have open.
    pub open_files: Option<u64>,
    /// Bytes that the command may say.
    pub output: Option<u64>,
}

impl From<ringfence_core::Limits> for Limits {
    fn from(limits: ringfence_core::Limits) -> Limits {
        Limits {
            seconds: limits.time,
            memory: limits.memory,
            processes: limits.processes,
            file_size: limits.file_size,
            open_files: limits.open_files,
            output: limits.output,
        }
    }
}
