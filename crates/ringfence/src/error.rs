//! Why a command could not be run.

use std::fmt;
use std::io;
use std::path::PathBuf;

use ringfence_sandbox::Failed;

/// Why a command could not be run. What a run was refused is no error: it is in its report.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The policy cannot be read, or says what cannot be.
    Policy(String),
    /// There is no such directory, or it cannot be used.
    Directory(PathBuf, String),
    /// There is no such program.
    NotFound(PathBuf),
    /// Rules that nothing on this host can hold, each with its facet.
    Unheld(Vec<String>),
    /// The run could not be confined, or the command not be started.
    Failed(Failed),
    /// Pipes or threads could not be had.
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
            Error::Unheld(gaps) => write!(f, "nothing here can hold {}", gaps.join("; ")),
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
