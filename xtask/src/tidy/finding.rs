//! What a check found, and where.

use std::fmt;

/// One thing that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    /// The file, relative to the root.
    pub(super) file: String,
    /// The line, counted from 1; 0 where the whole file is meant.
    pub(super) line: usize,
    /// What is wrong there.
    pub(super) message: String,
    /// Whether the gate stays shut over it.
    pub(super) weight: Weight,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// Said, and passed over.
    Warning,
    /// Said, and the task fails.
    Fault,
}

impl Finding {
    /// A finding that fails the task.
    pub(super) fn fault(file: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { file: file.to_owned(), line, message: message.into(), weight: Weight::Fault }
    }

    /// A finding that is only said.
    pub(super) fn warning(file: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { weight: Weight::Warning, ..Finding::fault(file, line, message) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.weight {
            Weight::Warning => "warning: ",
            Weight::Fault => "",
        };
        match self.line {
            0 => write!(f, "{}: {mark}{}", self.file, self.message),
            line => write!(f, "{}:{line}: {mark}{}", self.file, self.message),
        }
    }
}
