//! Resource limits of a confined run.

/// The resource limits of a confined run; `None` means no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Seconds until the whole run is killed.
    pub time: Option<u64>,
    /// Bytes of memory for each process.
    pub memory: Option<u64>,
    /// Processes and threads that may exist at one time.
    pub processes: Option<u64>,
    /// Bytes of the largest file that the run may write.
    pub file_size: Option<u64>,
    /// File descriptors that one process may have open.
    pub open_files: Option<u64>,
    /// Bytes that the command may write to its output.
    pub output: Option<u64>,
}

impl Limits {
    /// Returns the lower of the two limits for each resource.
    #[must_use]
    pub fn meet(self, other: Limits) -> Limits {
        let lower = |one: Option<u64>, two: Option<u64>| match (one, two) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        self.join(other, lower)
    }

    /// Returns these limits, with each missing limit taken from `other`.
    #[must_use]
    pub fn or(self, other: Limits) -> Limits {
        self.join(other, Option::or)
    }

    fn join(self, other: Limits, of: impl Fn(Option<u64>, Option<u64>) -> Option<u64>) -> Limits {
        Limits {
            time: of(self.time, other.time),
            memory: of(self.memory, other.memory),
            processes: of(self.processes, other.processes),
            file_size: of(self.file_size, other.file_size),
            open_files: of(self.open_files, other.open_files),
            output: of(self.output, other.output),
        }
    }
}
