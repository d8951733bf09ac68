//! What can be wrong with documents that were read without error.

use std::fmt;

use crate::origin::Origin;

/// Something that a policy's author should know: a rule that cannot hold as it was meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The rule.
    pub pattern: String,
    /// Where it was written.
    pub origin: Origin,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: `{}` {}", self.origin, self.pattern, self.reason)
    }
}

impl std::error::Error for Problem {}
