//! The source position of a rule.

use std::fmt;
use std::sync::Arc;

/// The source position of a rule: document, line and column.
///
/// A built-in rule has the name of its list as document, and line 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// The document's name in messages (`user policy.toml`).
    pub document: Arc<str>,
    /// The line, counted from 1; 0 if the rule was not read from a text.
    pub line: u32,
    /// The column in characters, counted from 1; 0 if the rule was not read from a text.
    pub column: u32,
}

impl Origin {
    /// Creates a position in the named document.
    pub fn new(document: impl Into<Arc<str>>, line: u32, column: u32) -> Origin {
        Origin { document: document.into(), line, column }
    }

    /// Creates the origin of a built-in rule, which stands in no file.
    pub fn built_in(list: impl Into<Arc<str>>) -> Origin {
        Origin::new(list, 0, 0)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            f.write_str(&self.document)
        } else {
            write!(f, "{}:{}", self.document, self.line)
        }
    }
}
