//! A filter of the embedder's own, asked beside the policy.

use serde_json::Value;

/// What a filter makes of a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Classification {
    /// Nothing against it.
    Allow,
    /// A person should decide.
    Confirm {
        /// Why.
        reason: String,
    },
    /// It must not happen.
    Deny {
        /// Why.
        reason: String,
    },
}

/// Classifies tool calls by name and input; it can make a verdict stricter, never milder.
pub trait SmartFilter: Send + Sync {
    /// What to make of the call.
    fn classify(&self, name: &str, input: &Value) -> Classification;
}
