//! Patterns over names: variables, tools, agents, servers, keychain entries.

use std::fmt;
use std::sync::Arc;

use super::brace;
use super::error::PatternError;
use super::glob::Glob;

/// A set of names, written as a glob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePattern {
    text: Arc<str>,
    alternatives: Vec<Glob>,
}

impl NamePattern {
    /// Reads a pattern such as `AWS_*`, `{A,B}` or `GH_TOKEN`.
    pub fn parse(text: &str) -> Result<NamePattern, PatternError> {
        if text.is_empty() {
            return Err(PatternError::new(text, "names nothing"));
        }
        let alternatives = match text.contains('{') {
            false => vec![Glob::parse(text)?],
            true => brace::expand(text)?
                .iter()
                .map(|text| Glob::parse(text))
                .collect::<Result<_, _>>()?,
        };
        Ok(NamePattern { text: text.into(), alternatives })
    }

    /// A pattern that matches exactly this name.
    pub fn exact(name: &str) -> NamePattern {
        let glob = Glob::literal(name);
        NamePattern { text: glob.to_string().into(), alternatives: vec![glob] }
    }

    /// The pattern that matches every name.
    pub fn any() -> NamePattern {
        NamePattern { text: "*".into(), alternatives: vec![Glob::any()] }
    }

    /// Whether every name matches.
    pub fn is_any(&self) -> bool {
        self.alternatives.iter().any(Glob::is_any)
    }

    /// Whether this name matches.
    pub fn matches(&self, name: &str) -> bool {
        self.alternatives.iter().any(|glob| glob.matches(name))
    }

    /// The globs, any of which may match.
    pub fn alternatives(&self) -> &[Glob] {
        &self.alternatives
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
