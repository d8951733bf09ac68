//! What can be wrong with a pattern.

use std::fmt;

/// A pattern that cannot be read: which, where, why, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternError {
    text: String,
    reason: String,
    hint: Option<String>,
}

impl PatternError {
    pub(crate) fn new(text: &str, reason: impl Into<String>) -> PatternError {
        PatternError { text: shorten(text), reason: reason.into(), hint: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> PatternError {
        self.hint = Some(hint.into());
        self
    }

    /// The pattern, shortened if it is very long.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Why it cannot be read.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// What to write instead, where that can be told.
    pub fn remedy(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bad pattern `{}`: {}", self.text, self.reason)
    }
}

impl std::error::Error for PatternError {}

/// Patterns come from files that may hold anything: messages stay short whatever they quote.
fn shorten(text: &str) -> String {
    const KEPT: usize = 120;
    let mut short: String = text.chars().take(KEPT).collect();
    if text.chars().nth(KEPT).is_some() {
        short.push('…');
    }
    short
}
