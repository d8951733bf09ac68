//! Where a rule was written.

use std::fmt;
use std::sync::Arc;

/// The place a rule comes from: document, line and column.
///
/// Built-in rules have the name of their list and line 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// The document's name as people know it (`user policy.toml`).
    pub document: Arc<str>,
    /// The line, counted from 1; 0 where the rule was not read from text.
    pub line: u32,
    /// The column in characters, counted from 1; 0 where the rule was not read from text.
    pub column: u32,
}

impl Origin {
    /// A place in the named document.
    pub fn new(document: impl Into<Arc<str>>, line: u32, column: u32) -> Origin {
        Origin { document: document.into(), line, column }
    }

    /// A rule that was made by a program and stands in no file.
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
