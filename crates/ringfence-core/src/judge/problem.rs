//! Problems of rules in documents that were parsed without error.

use std::fmt;

use super::expand::PlacementError;
use crate::origin::Origin;
use crate::rule::Rule;

/// A rule whose pattern cannot be expanded on this host. The policy's author gets it as a notice or
/// an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleProblem {
    /// The rule's pattern.
    pub pattern: String,
    /// The source position of the rule.
    pub origin: Origin,
    /// The reason, as the rest of a sentence that starts with the pattern.
    pub reason: String,
}

impl RuleProblem {
    /// Creates the report about a rule whose pattern cannot be expanded.
    pub(super) fn new(rule: &Rule, error: PlacementError) -> RuleProblem {
        let reason = match error {
            PlacementError::NoRoot => "needs a project root, but there is none here",
            PlacementError::Unset => "starts with a variable that is not set to an absolute path",
        };
        RuleProblem {
            pattern: rule.pattern.to_string(),
            origin: rule.origin.clone(),
            reason: reason.to_owned(),
        }
    }
}

impl fmt::Display for RuleProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: `{}` {}", self.origin, self.pattern, self.reason)
    }
}

impl std::error::Error for RuleProblem {}
