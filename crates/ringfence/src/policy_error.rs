//! Why there is no guard.

use std::fmt;

use ringfence_guard::BuildError;
use ringfence_guard::world::{DocumentError, Unplaced};
use ringfence_manifest::{Diagnostic, Errors};

/// Why a guard could not be made. Nothing is decided then.
///
/// ```
/// use ringfence::{Guard, PolicyError};
///
/// # let project = tempfile::tempdir().unwrap();
/// let error = Guard::from_toml("alow = [\"cmd:ls\"]", project.path()).err().unwrap();
/// let PolicyError::Malformed(errors) = &error else { panic!("{error}") };
/// let diagnostic = errors.iter().next().unwrap();
/// assert_eq!((diagnostic.line(), diagnostic.column()), (1, 1));
/// assert_eq!(diagnostic.hint(), Some("did you mean `allow`?"));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum PolicyError {
    /// A text is not a policy; each diagnostic has its file, line and column.
    Malformed(Errors),
    /// A policy file is there, and cannot be read or relied on.
    Unusable(DocumentError),
    /// A rule cannot hold as it was meant on this machine.
    Unheld(BuildError),
    /// The directory cannot be used; the text says which one, and why.
    Directory(String),
    /// It cannot be told who or where this process is.
    Unplaced(Unplaced),
}

impl PolicyError {
    pub(crate) fn directory(path: &str, reason: &dyn fmt::Display) -> PolicyError {
        PolicyError::Directory(format!("`{path}` cannot be used: {reason}"))
    }

    /// Returns what is wrong with the text of the policy. Empty if the text is not the cause.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let errors = match self {
            PolicyError::Malformed(errors) => Some(errors),
            _ => None,
        };
        errors.into_iter().flat_map(Errors::iter)
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolicyError::Malformed(errors) => errors.fmt(f),
            PolicyError::Unusable(error) => error.fmt(f),
            PolicyError::Unheld(error) => error.fmt(f),
            PolicyError::Directory(reason) => f.write_str(reason),
            PolicyError::Unplaced(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PolicyError {}

impl From<Errors> for PolicyError {
    fn from(errors: Errors) -> PolicyError {
        PolicyError::Malformed(errors)
    }
}

impl From<DocumentError> for PolicyError {
    fn from(error: DocumentError) -> PolicyError {
        match error {
            DocumentError::Malformed(errors) => PolicyError::Malformed(errors),
            other => PolicyError::Unusable(other),
        }
    }
}

impl From<BuildError> for PolicyError {
    fn from(error: BuildError) -> PolicyError {
        PolicyError::Unheld(error)
    }
}

impl From<Unplaced> for PolicyError {
    fn from(error: Unplaced) -> PolicyError {
        PolicyError::Unplaced(error)
    }
}
