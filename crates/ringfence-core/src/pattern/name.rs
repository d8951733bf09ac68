//! Patterns over names: variables, tools, agents, servers, keychain entries.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::brace;
use super::error::PatternError;
use super::glob::Glob;
use super::plain;
use crate::access::Text;

/// A set of names, written as a glob.
// Apart, because rules have places for several and few have any.
#[derive(Clone)]
pub struct NamePattern(Arc<Inner>);

struct Inner {
    text: Text,
    /// Read when someone asks for them, where the text is known to be well-formed.
    alternatives: OnceLock<Vec<Glob>>,
}

impl NamePattern {
    /// Reads a pattern such as `AWS_*`, `{A,B}` or `GH_TOKEN`.
    pub fn parse(text: &str) -> Result<NamePattern, PatternError> {
        match plain::is_name(text) {
            true => Ok(NamePattern::new(text.into(), OnceLock::new())),
            false => NamePattern::parse_in_full(text),
        }
    }

    /// Reads a pattern of which nothing is known yet.
    pub(super) fn parse_in_full(text: &str) -> Result<NamePattern, PatternError> {
        Ok(NamePattern::new(text.into(), read(text)?.into()))
    }

    fn new(text: Text, alternatives: OnceLock<Vec<Glob>>) -> NamePattern {
        NamePattern(Arc::new(Inner { text, alternatives }))
    }

    /// A pattern that matches exactly this name.
    pub fn exact(name: &str) -> NamePattern {
        let glob = Glob::literal(name);
        NamePattern::new(glob.to_string().into(), vec![glob].into())
    }

    /// The pattern that matches every name.
    pub fn any() -> NamePattern {
        NamePattern::new("*".into(), vec![Glob::any()].into())
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
        self.0.alternatives.get_or_init(|| read(&self.0.text).unwrap_or_default())
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }
}

fn read(text: &str) -> Result<Vec<Glob>, PatternError> {
    if text.is_empty() {
        return Err(PatternError::new(text, "names nothing"));
    }
    match text.contains('{') {
        false => Ok(vec![Glob::parse(text)?]),
        true => brace::expand(text)?.iter().map(|text| Glob::parse(text)).collect(),
    }
}

impl PartialEq for NamePattern {
    fn eq(&self, other: &NamePattern) -> bool {
        self.0.text == other.0.text && self.alternatives() == other.alternatives()
    }
}

impl Eq for NamePattern {}

impl fmt::Debug for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("NamePattern");
        shown.field("text", &self.0.text).field("alternatives", &self.alternatives()).finish()
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}
