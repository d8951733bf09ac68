//! What lint has to say.

use std::fmt;

use ringfence_core::Origin;

use super::code::Code;
use super::survey::Entry;

/// Something about one rule that its author should look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The code, as in `ringfence lint --explain L001`.
    pub code: &'static str,
    /// The code's name, in kebab case.
    pub name: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is the matter.
    pub message: String,
    /// The rule that it is about.
    pub origin: Origin,
    /// What to do about it, in one line.
    pub remedy: String,
    /// The other rule that makes it so, where there is one.
    pub related: Option<Origin>,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; the policy may well be meant so.
    Info,
    /// The policy probably does not do what was meant.
    Warning,
}

impl Severity {
    /// The word for this severity in messages and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Finding {
    /// A finding about a rule, as severe as its code usually is.
    pub(super) fn new(code: &Code, entry: &Entry<'_>, message: String, remedy: String) -> Finding {
        Finding {
            code: code.code,
            name: code.name,
            severity: code.severity,
            message,
            origin: entry.rule.origin.clone(),
            remedy,
            related: None,
        }
    }

    /// The same finding with the other rule that makes it so.
    pub(super) fn because_of(mut self, origin: &Origin) -> Finding {
        self.related = Some(origin.clone());
        self
    }

    /// The same finding with its own severity.
    pub(super) fn with_severity(mut self, severity: Severity) -> Finding {
        self.severity = severity;
        self
    }
}
