//! Exit codes, in one table, and what makes a command stop.

use std::fmt;
use std::process::ExitCode;

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Allowed, or done.
    Allow,
    /// Some test or check failed.
    Failed,
    /// Something is broken: bad arguments, an unreadable policy.
    Error,
    /// A person would be asked.
    Ask,
    /// Denied.
    Deny,
    /// As a command that was run.
    As(u8),
}

impl Exit {
    /// What the process ends with.
    pub(crate) fn status(self) -> u8 {
        match self {
            Exit::Allow => 0,
            Exit::Failed => 1,
            Exit::Error => 2,
            Exit::Ask => 3,
            Exit::Deny => 4,
            Exit::As(status) => status,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.status())
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What went wrong; may have several lines, and colours only where the terminal shows them.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) hint: Option<String>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), hint: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::new(message)
    }
}
