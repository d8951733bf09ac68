//! Errors of pattern parsing.

use std::fmt;

/// The error for a pattern that cannot be parsed: the text, the reason and an optional hint.
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

    /// Returns the pattern, shortened if it is very long.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the reason.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Returns advice on what to write instead, if there is any.
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

/// Shortens a pattern for a message, because a policy file may contain text of any length.
fn shorten(text: &str) -> String {
    const KEPT: usize = 120;
    let mut short: String = text.chars().take(KEPT).collect();
    if text.chars().nth(KEPT).is_some() {
        short.push('…');
    }
    short
}
