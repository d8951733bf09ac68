//! Rules as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms::{AllOr, AnyForm, TextOr};
use super::texts::Texts;
use crate::de::{Dated, Spanned};

/// An entry of `allow`, `ask`, `danger`, `deny` or `danger_list`.
pub(crate) type RawRule = Spanned<TextOr<RuleTable>>;

/// An entry of `ceiling`: a rule, or a list of rules that is a ceiling of its own.
pub(crate) type RawCeiling = Spanned<AnyForm<RuleTable, RawRule>>;

/// A flat `deny`: a list, `true`, or names.
pub(crate) type RawDeny = AllOr<RawRule, DenyNames>;

/// A rule with more to say than its pattern.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a rule table")]
#[schemars(rename = "Rule")]
pub(crate) struct RuleTable {
    /// What the rule matches: `cmd:git:*`, `fs:r:@root/**`, `net:*.example.com` and so on.
    pub(crate) pattern: Option<Spanned<String>>,
    /// Instead of `pattern`: a class (`net`, `env`, …) of which nothing is granted beyond what is
    /// listed, even if nothing is. Not in `deny`, `danger` and `danger_list`.
    pub(crate) closed: Option<Spanned<ClassWord>>,
    /// Only for agents of this name; a glob.
    pub(crate) agent: Option<Spanned<String>>,
    /// Only for calls of this tool: `terminal`, `file`, `code_execution`, `web`, or a glob on
    /// names such as `mcp__github__*`.
    pub(crate) tool: Option<Spanned<String>>,
    /// Only for what happens under one of these commands, written as after `cmd:`.
    pub(crate) command: Option<Texts>,
    /// Not for what happens under one of these commands, written as after `cmd:`.
    pub(crate) unless: Option<Texts>,
    /// Only for commands that run at or below one of these directories.
    pub(crate) within: Option<Texts>,
    /// What the rule does not match after all; only in `deny` and `danger_list`. For a file rule a
    /// bare path is enough.
    pub(crate) except: Option<Vec<Spanned<String>>>,
    /// Only in `allow`: the rule holds where no document has rules of its class.
    pub(crate) fallback: Option<Spanned<bool>>,
    /// Only in `ceiling`: what the rule matches is asked about.
    pub(crate) ask: Option<Spanned<bool>>,
    /// Why the rule is there.
    pub(crate) why: Option<String>,
    /// Who answers for it.
    pub(crate) owner: Option<String>,
    /// The last day on which it holds.
    pub(crate) until: Option<Dated>,
    /// Its name in messages and tests.
    pub(crate) id: Option<String>,
}

/// What a flat `deny` table can name.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "DenyNames")]
pub(crate) struct DenyNames {
    /// Shells run as programs.
    pub(crate) sh: Option<Spanned<bool>>,
    /// The network.
    pub(crate) network: Option<Spanned<bool>>,
    /// The network.
    pub(crate) net: Option<Spanned<bool>>,
}

/// The word for a class.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Class")]
pub(crate) enum ClassWord {
    /// Running programs.
    Exec,
    /// Files.
    Files,
    /// The network.
    Net,
    /// Unix sockets.
    Socket,
    /// Variables of the environment.
    Env,
    /// Tools.
    Tool,
    /// Keychain entries.
    Keychain,
}
