//! What can be wrong with documents that were read without error.

use std::fmt;

use super::expand::Nowhere;
use crate::origin::Origin;
use crate::rule::Rule;

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

impl Problem {
    /// Returns the problem of a rule whose place cannot be told.
    pub(super) fn new(rule: &Rule, nowhere: Nowhere) -> Problem {
        let reason = match nowhere {
            Nowhere::NoRoot => "needs a project, and there is none here",
            Nowhere::Unset => "needs a variable that holds an absolute path, and it does not",
        };
        Problem {
            pattern: rule.pattern.to_string(),
            origin: rule.origin.clone(),
            reason: reason.to_owned(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: `{}` {}", self.origin, self.pattern, self.reason)
    }
}

impl std::error::Error for Problem {}
