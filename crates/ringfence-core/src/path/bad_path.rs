//! Why a text is no path that can be judged.

use std::fmt;

use crate::net::excerpt;

use super::path_fault::PathFault;

/// A path that was refused: the text, and what is wrong with it.
///
/// A refused path is never opened, so whoever meets this error answers `deny`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadPath {
    path: Box<str>,
    fault: PathFault,
}

impl BadPath {
    /// The text `path` has this fault.
    #[cold]
    pub fn new(path: &str, fault: PathFault) -> BadPath {
        BadPath { path: path.into(), fault }
    }

    /// The text as it was given.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What is wrong with it.
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
