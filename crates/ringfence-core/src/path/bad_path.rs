//! Errors for paths that cannot be judged.

use std::fmt;

use crate::net::excerpt;

use super::path_fault::PathFault;

/// The error for a path that was refused, with its text and fault.
///
/// A refused path is never opened. Callers must answer `deny`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadPath {
    path: Box<str>,
    fault: PathFault,
}

impl BadPath {
    /// Creates the error for a text.
    #[cold]
    pub fn new(path: &str, fault: PathFault) -> BadPath {
        BadPath { path: path.into(), fault }
    }

    /// Returns the refused text.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the reason.
    pub fn fault(&self) -> &PathFault {
        &self.fault
    }
}

impl fmt::Display for BadPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            PathFault::Empty => write!(f, "the path {}", self.fault),
            _ => write!(f, "the path `{}` {}", excerpt(&self.path), self.fault),
        }
    }
}

impl std::error::Error for BadPath {}
