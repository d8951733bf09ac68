//! A filter that embedders can add to the policy.

use serde_json::Value;

/// A filter's answer about a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Classification {
    /// The filter has no objection.
    Allow,
    /// A person should decide.
    Confirm {
        /// The reason, for the person.
        reason: String,
    },
    /// The call must be denied.
    Deny {
        /// The reason.
        reason: String,
    },
}

/// Classifies tool calls by name and input. A filter can make a verdict stricter, never milder.
pub trait SmartFilter: Send + Sync {
    /// Classifies one tool call.
    fn classify(&self, name: &str, input: &Value) -> Classification;
}
