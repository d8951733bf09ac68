//! Settings apart from rules.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::de::Spanned;

/// `[security]`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "Security")]
pub(crate) struct RawSecurity {
    /// Hosts that nothing may reach: no command, no tool, no fetch.
    pub(crate) universal_deny_domains: Vec<Spanned<String>>,
    /// The answer to a call whose program cannot be told.
    pub(crate) unanalysable: Option<Spanned<Answer>>,
    /// The answer to an operand that cannot be told.
    pub(crate) unknown_operands: Option<Spanned<Answer>>,
    /// Programs whose grant is really meant, although it gives nearly everything away.
    pub(crate) dangerously_grant: Option<Spanned<Vec<Spanned<GrantWord>>>>,
    /// Whether refusals name the allowed roots.
    pub(crate) reveal_roots: Option<Spanned<bool>>,
}

/// One of the three answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answer {
    /// It may happen.
    Allow,
    /// A person decides.
    Ask,
    /// It may not happen.
    Deny,
}

/// The answer where nothing matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Default")]
pub(crate) enum DefaultWord {
    /// It may not happen.
    Deny,
    /// A person decides.
    Ask,
}

/// Whether verdicts are enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Mode")]
pub(crate) enum ModeWord {
    /// Verdicts are enforced.
    Enforce,
    /// Verdicts are decided and recorded, and nothing is refused.
    Observe,
}

/// Programs that are granted only by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Grant")]
pub(crate) enum GrantWord {
    /// `sudo`
    Sudo,
    /// `doas`
    Doas,
    /// `python`, `python3`, `uv run` and kin.
    Python,
}
