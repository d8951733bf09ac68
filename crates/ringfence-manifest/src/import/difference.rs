//! Where a policy does not say quite what it was made of.

use std::fmt;
use std::sync::Arc;

/// In which direction one policy differs from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    /// It allows less, or asks where the other does not.
    Narrower,
    /// It allows more, or does not ask where the other does.
    Wider,
    /// It decides alike, although something was left out: that had no effect before either.
    Same,
}

impl Way {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Way::Narrower => "narrower",
            Way::Wider => "wider",
            Way::Same => "same",
        }
    }
}

/// One rule that could not be carried over exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The file.
    pub file: Arc<str>,
    /// The line, counted from 1; 0 where it is about the file as a whole.
    pub line: u32,
    /// The column in characters, counted from 1; 0 where it is about the file as a whole.
    pub column: u32,
    /// The rule as it stands there; empty where it is about the file as a whole.
    pub rule: String,
    /// The direction.
    pub way: Way,
    /// What differs.
    pub message: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { file, line, column, rule, way, message } = self;
        match line {
            0 => write!(f, "{file}: {}: {message}", way.as_str()),
            _ => write!(f, "{file}:{line}:{column}: `{rule}`: {}: {message}", way.as_str()),
        }
    }
}
