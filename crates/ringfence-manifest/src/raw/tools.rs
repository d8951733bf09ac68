//! Tools, permissions, keychain, MCP servers.

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms::Names;
use super::rule::{RawDeny, RawRule};
use super::settings::{Answer, DefaultWord};
use crate::de::Spanned;

/// `[permissions]`: rules on tools by name.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "Permissions")]
pub(crate) struct RawPermissions {
    /// The answer for tools where nothing matches.
    pub(crate) default: Option<Spanned<DefaultWord>>,
    /// Tools by name or glob, each with its answer.
    pub(crate) tools: Option<Names<Spanned<Answer>>>,
}

/// `[tools.X]`: a tool with the paths it may touch.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "Tool")]
pub(crate) struct RawTool {
    /// Whether the tool may be called at all.
    pub(crate) enabled: Option<Spanned<bool>>,
    /// Paths at and below which the tool may read and write; nothing beyond them.
    pub(crate) allowed_paths: Option<Spanned<Vec<Spanned<String>>>>,
    /// Paths at and below which the tool may do nothing.
    pub(crate) denied_paths: Option<Vec<Spanned<String>>>,
    /// Paths at and below which the tool may read.
    pub(crate) allowed_read_paths: Option<Spanned<Vec<Spanned<String>>>>,
    /// Paths at and below which the tool may write.
    pub(crate) allowed_write_paths: Option<Spanned<Vec<Spanned<String>>>>,
    /// Only for `terminal`: whether substitutions, `eval` and `source` are read on although the
    /// tool has path lists.
    pub(crate) allow_metacharacters: Option<Spanned<bool>>,
}

/// `[keychain]`: keychain entries by `service/account`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "Keychain")]
pub(crate) struct RawKeychain {
    /// The project's name; `{projectname}` in patterns stands for it.
    pub(crate) projectname: Option<Spanned<String>>,
    /// Entries that may be used, as globs on `service/account`.
    pub(crate) allow: Vec<Spanned<String>>,
    /// Entries that may not be used.
    pub(crate) deny: Vec<Spanned<String>>,
}

/// `env`: tools and MCP servers beyond which nothing is called.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table with `tools` and `mcps`")]
#[schemars(rename = "EnvConfig")]
pub(crate) struct RawEnv {
    /// Tools by name; `Bash` is every shell tool.
    pub(crate) tools: Option<Spanned<Vec<Spanned<String>>>>,
    /// MCP servers by name; `[]` is none.
    pub(crate) mcps: Option<Spanned<Vec<Spanned<String>>>>,
}

/// `[mcp]`: what is known about MCP servers.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "Mcp")]
pub(crate) struct RawMcp {
    /// Whether questions may be put to the agent's own client (MCP elicitation). A client may answer
    /// without asking anybody. Not in a project's file.
    pub(crate) elicitation: Option<Spanned<bool>>,
    /// Servers by name.
    pub(crate) servers: Option<Names<RawServer>>,
}

/// An MCP server.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "McpServer")]
pub(crate) struct RawServer {
    /// `remote`: paths in its calls are another machine's and are not judged.
    pub(crate) paths: Option<Spanned<PathsWord>>,
    /// What the server's own process may do, beside what `@server` grants. With any of these lists
    /// the process is confined.
    pub(crate) allow: Option<Vec<RawRule>>,
    /// What a person is asked about before the process does it.
    pub(crate) ask: Option<Vec<RawRule>>,
    /// The opt-ins to the danger list that the process may use.
    pub(crate) danger: Option<Vec<RawRule>>,
    /// What the process may not do.
    pub(crate) deny: Option<Spanned<RawDeny>>,
}

/// Whose paths a server's are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Paths")]
pub(crate) enum PathsWord {
    /// Another machine's.
    Remote,
}
