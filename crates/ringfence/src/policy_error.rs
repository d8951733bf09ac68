//! Errors of creating a guard.

use std::fmt;

use ringfence_guard::BuildError;
use ringfence_guard::world::{DocumentError, SurroundingsError};
use ringfence_manifest::{Diagnostic, Errors};

/// Why a guard could not be created. No call is decided then.
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
    /// The text is not a valid policy; each diagnostic has a file, line and column.
    Malformed(Errors),
    /// A policy file exists but cannot be read, or is unsafe to rely on.
    Unusable(DocumentError),
    /// A rule cannot be enforced as intended on this machine.
    Unenforceable(BuildError),
    /// The directory cannot be used; contains the message.
    Directory(String),
    /// The user, directory or date of this process cannot be determined.
    Surroundings(SurroundingsError),
}

impl PolicyError {
    pub(crate) fn directory(path: &str, reason: &dyn fmt::Display) -> PolicyError {
        PolicyError::Directory(format!("`{path}` cannot be used: {reason}"))
    }

    /// Returns the errors in the policy's text; empty if the text is not the cause.
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
            PolicyError::Unenforceable(error) => error.fmt(f),
            PolicyError::Directory(reason) => f.write_str(reason),
            PolicyError::Surroundings(error) => error.fmt(f),
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
        PolicyError::Unenforceable(error)
    }
}

impl From<SurroundingsError> for PolicyError {
    fn from(error: SurroundingsError) -> PolicyError {
        PolicyError::Surroundings(error)
    }
}
