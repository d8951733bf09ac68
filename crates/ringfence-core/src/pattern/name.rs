//! Patterns over names: variables, tools, agents, servers, keychain entries.

use std::fmt;
use std::sync::Arc;

use super::brace;
use super::error::PatternError;
use super::glob::Glob;
use crate::access::Text;

/// A set of names, written as a glob.
// Apart, because rules have places for several and few have any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePattern(Arc<Inner>);

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    text: Text,
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

    /// A pattern that matches exactly this name.
    pub fn exact(name: &str) -> NamePattern {
        let glob = Glob::literal(name);
        NamePattern::new(glob.to_string().into(), vec![glob])
    }

    /// The pattern that matches every name.
    pub fn any() -> NamePattern {
        NamePattern::new("*".into(), vec![Glob::any()])
    }

    /// Whether every name matches.
    pub fn is_any(&self) -> bool {
        self.alternatives().iter().any(Glob::is_any)
    }

    /// Whether this name matches.
    pub fn matches(&self, name: &str) -> bool {
        self.alternatives().iter().any(|glob| glob.matches(name))
    }

    /// The globs, any of which may match.
    pub fn alternatives(&self) -> &[Glob] {
        &self.0.alternatives
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}
