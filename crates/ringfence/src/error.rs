//! Errors of running a command.

use std::fmt;
use std::io;
use std::path::PathBuf;

use ringfence_sandbox::Failed;

/// Why a command could not be run. Refusals during a run are not errors; they are in the report.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The policy cannot be read or compiled; contains the message.
    Policy(String),
    /// The directory does not exist or cannot be used; contains the reason.
    Directory(PathBuf, String),
    /// The program was not found.
    NotFound(PathBuf),
    /// Nothing on this host can enforce these rules; each is listed with its facet.
    Unenforceable(Vec<String>),
    /// The run could not be confined, or the command could not be started.
    Failed(Failed),
    /// A pipe or thread could not be created.
    Resources(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Policy(reason) => f.write_str(reason),
            Error::Directory(path, reason) => {
                write!(f, "`{}` cannot be used: {reason}", path.display())
            }
            Error::NotFound(program) => write!(f, "`{}` was not found", program.display()),
            Error::Unenforceable(gaps) => {
                write!(f, "nothing on this host can enforce {}", gaps.join("; "))
            }
            Error::Failed(failed) => failed.fmt(f),
            Error::Resources(error) => write!(f, "the run could not be prepared: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Failed(failed) => Some(failed),
            Error::Resources(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Resources(error)
    }
}
