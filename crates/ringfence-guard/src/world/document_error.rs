//! Errors while reading the documents in force. Nothing can be decided after one.

use std::fmt;

use ringfence_core::path::AbsPath;
use ringfence_manifest::Errors;

/// Why a document cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentError {
    /// The document is malformed.
    Malformed(Errors),
    /// The file exists but cannot be read, or is unsafe to rely on.
    Unusable(UnusablePolicy),
    /// There are two documents where one is expected.
    Ambiguous(AmbiguousPolicy),
}

/// A policy file that cannot be read or is unsafe, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusablePolicy {
    path: Box<str>,
    reason: String,
    hint: Option<&'static str>,
}

/// Two policy files where one is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmbiguousPolicy {
    first: AbsPath,
    second: AbsPath,
}

impl DocumentError {
    pub(super) fn unusable(path: &str, reason: impl Into<String>) -> DocumentError {
        DocumentError::Unusable(UnusablePolicy {
            path: path.into(),
            reason: reason.into(),
            hint: None,
        })
    }

    pub(super) fn ambiguous(first: AbsPath, second: AbsPath) -> DocumentError {
        DocumentError::Ambiguous(AmbiguousPolicy { first, second })
    }

    pub(super) fn with_hint(mut self, hint: &'static str) -> DocumentError {
        if let DocumentError::Unusable(unusable) = &mut self {
            unusable.hint = Some(hint);
        }
        self
    }

    /// Returns advice on how to fix the error, if the message does not contain it.
    pub fn hint(&self) -> Option<&str> {
        match self {
            DocumentError::Malformed(_) => None,
            DocumentError::Unusable(unusable) => unusable.hint,
            DocumentError::Ambiguous(_) => Some("keep one of the two"),
        }
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DocumentError::Malformed(errors) => errors.fmt(f),
            DocumentError::Unusable(UnusablePolicy { path, reason, .. }) => {
                write!(f, "the policy `{path}` cannot be used: {reason}")
            }
            DocumentError::Ambiguous(AmbiguousPolicy { first, second }) => {
                write!(f, "there are two policies, `{first}` and `{second}`")
            }
        }
    }
}

impl std::error::Error for DocumentError {}

impl From<Errors> for DocumentError {
    fn from(errors: Errors) -> DocumentError {
        DocumentError::Malformed(errors)
    }
}
