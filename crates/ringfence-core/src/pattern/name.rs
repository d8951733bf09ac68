//! Name patterns: variables, tools, agents, servers and keychain entries.

use std::fmt;
use std::sync::Arc;

use super::brace;
use super::error::PatternError;
use super::glob::Glob;
use crate::access::Text;

/// A pattern that matches names, written as a glob.
// Shared by `Arc`: a rule has fields for several patterns, and most are empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePattern(Arc<Inner>);

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    text: Text,
    alternatives: Vec<Glob>,
}

impl NamePattern {
    /// Parses a pattern such as `AWS_*`, `{A,B}` or `GH_TOKEN`.
    pub fn parse(text: &str) -> Result<NamePattern, PatternError> {
        if text.is_empty() {
            return Err(PatternError::new(text, "names nothing"));
        }
        let alternatives = match text.contains('{') {
            false => vec![Glob::parse(text)?],
            true => {
                let texts = brace::expand(text)?;
                texts.iter().map(|text| Glob::parse(text)).collect::<Result<_, _>>()?
            }
        };
        Ok(NamePattern::new(text.into(), alternatives))
    }

    fn new(text: Text, alternatives: Vec<Glob>) -> NamePattern {
        NamePattern(Arc::new(Inner { text, alternatives }))
    }

    /// Creates a pattern that matches exactly this name.
    pub fn exact(name: &str) -> NamePattern {
        let glob = Glob::literal(name);
        NamePattern::new(glob.to_string().into(), vec![glob])
    }

    /// Creates the pattern that matches every name.
    pub fn any() -> NamePattern {
        NamePattern::new("*".into(), vec![Glob::any()])
    }

    /// Returns whether the pattern is known to match every name.
    pub fn is_any(&self) -> bool {
        self.alternatives().iter().any(Glob::is_any)
    }

    /// Returns whether the pattern matches a name.
    pub fn matches(&self, name: &str) -> bool {
        self.alternatives().iter().any(|glob| glob.matches(name))
    }

    /// Returns the globs. The pattern matches if any of them does.
    pub fn alternatives(&self) -> &[Glob] {
        &self.0.alternatives
    }

    /// Returns the pattern as written.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}
