//! How much a confined run may use.

/// How much a confined run may use; `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Seconds until all of it is ended.
    pub time: Option<u64>,
    /// Bytes of memory of each process.
    pub memory: Option<u64>,
    /// Processes and threads at one time.
    pub processes: Option<u64>,
    /// Bytes of the largest file.
    pub file_size: Option<u64>,
    /// Descriptors that one process may have open.
    pub open_files: Option<u64>,
    /// Bytes that the command may say.
    pub output: Option<u64>,
}

impl Limits {
    /// The lower of two limits on each point.
    #[must_use]
    pub fn meet(self, other: Limits) -> Limits {
        let lower = |one: Option<u64>, two: Option<u64>| match (one, two) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        self.join(other, lower)
    }

    /// These limits, and where there is none, the other one.
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
