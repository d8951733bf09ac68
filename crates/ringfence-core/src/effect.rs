//! The three effects, in order of strictness.

use std::fmt;
use std::str::FromStr;

/// The effect of a rule, and the decision of a verdict: `allow` < `ask` < `deny`.
///
/// The strictest of several effects is their maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The access may happen.
    Allow,
    /// A person decides.
    Ask,
    /// The access may not happen.
    Deny,
}

impl Effect {
    /// All effects, mildest first.
    pub const ALL: [Effect; 3] = [Effect::Allow, Effect::Ask, Effect::Deny];

    /// Returns the word for this effect in files, JSON, the audit log and the docs.
    pub fn as_str(self) -> &'static str {
        match self {
            Effect::Allow => "allow",
            Effect::Ask => "ask",
            Effect::Deny => "deny",
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error for a text that is none of `allow`, `ask`, `deny`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownEffect(pub String);

impl fmt::Display for UnknownEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is none of `allow`, `ask`, `deny`", self.0)
    }
}

impl std::error::Error for UnknownEffect {}

impl FromStr for Effect {
    type Err = UnknownEffect;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Effect::ALL
            .into_iter()
            .find(|effect| effect.as_str() == text)
            .ok_or_else(|| UnknownEffect(text.to_owned()))
    }
}
