//! Why the documents in force could not be read; nothing can be decided then.

use std::fmt;

use ringfence_core::path::AbsPath;
use ringfence_manifest::Errors;

/// Why a document could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentError {
    /// It is not a document.
    Malformed(Errors),
    /// It is there and cannot be read, or may not be relied on.
    Unusable(Unusable),
    /// Two documents lie where one is expected.
    Ambiguous(Ambiguous),
}

/// A document that cannot be read, or may not be relied on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unusable {
    path: Box<str>,
    reason: String,
    hint: Option<&'static str>,
}

/// Two documents where one is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ambiguous {
    first: AbsPath,
    second: AbsPath,
}

impl DocumentError {
    pub(super) fn unusable(path: &str, reason: impl Into<String>) -> DocumentError {
        DocumentError::Unusable(Unusable { path: path.into(), reason: reason.into(), hint: None })
    }

    pub(super) fn ambiguous(first: AbsPath, second: AbsPath) -> DocumentError {
        DocumentError::Ambiguous(Ambiguous { first, second })
    }

    pub(super) fn with_hint(mut self, hint: &'static str) -> DocumentError {
        if let DocumentError::Unusable(unusable) = &mut self {
            unusable.hint = Some(hint);
        }
        self
    }

    /// What to do about it, where the error itself does not say.
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
            DocumentError::Unusable(Unusable { path, reason, .. }) => {
                write!(f, "the policy `{path}` cannot be used: {reason}")
            }
            DocumentError::Ambiguous(Ambiguous { first, second }) => {
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
