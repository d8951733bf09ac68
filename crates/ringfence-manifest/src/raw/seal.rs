//! Seal's sections.

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms::TextOr;
use crate::de::Spanned;

/// `[capabilities.allow]`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "AllowSections")]
pub(crate) struct AllowSections {
    /// Directories outside the root that paths may name and commands may run in. Grants nothing by
    /// itself.
    pub(crate) additional_directories: Vec<Spanned<String>>,
    /// Files that may be read.
    pub(crate) read: Option<Spanned<FileSection>>,
    /// Files that may be written.
    pub(crate) write: Option<Spanned<FileSection>>,
    /// Files that may be deleted.
    pub(crate) delete: Option<Spanned<FileSection>>,
    /// Commands that may run.
    pub(crate) commands: Option<Spanned<CommandSection>>,
}

/// Files: every file glob below every path.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "FileSection")]
pub(crate) struct FileSection {
    /// The file globs of every path that names none of its own; `"*"` is every file.
    pub(crate) default_files: Vec<Spanned<String>>,
    /// Directories, as globs.
    pub(crate) paths: Vec<Spanned<TextOr<PathTable>>>,
}

/// A path with more to say.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
#[schemars(rename = "Path")]
pub(crate) struct PathTable {
    /// A directory, as a glob; `.` is the root alone.
    pub(crate) path: Spanned<String>,
    /// File globs instead of the section's `default_files`.
    pub(crate) files: Option<Vec<Spanned<String>>>,
    /// Whether a person is asked.
    pub(crate) prompt: Option<Spanned<bool>>,
}

/// `[capabilities.allow.commands]`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "CommandSection")]
pub(crate) struct CommandSection {
    /// Hosts that every command may reach that does not opt out.
    pub(crate) default_domains: Vec<Spanned<String>>,
    /// Variables that every command is given that names none of its own.
    pub(crate) default_env_vars: Vec<Spanned<String>>,
    /// Commands: plain words, then `:*` if any further words may follow.
    pub(crate) patterns: Vec<Spanned<TextOr<CommandTable>>>,
}

/// A command with more to say.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
#[schemars(rename = "Command")]
pub(crate) struct CommandTable {
    /// The command: plain words, then `:*` if any further words may follow.
    pub(crate) command: Spanned<String>,
    /// Whether a person is asked.
    pub(crate) prompt: Option<Spanned<bool>>,
    /// Directories that it may run in, instead of the whole root.
    pub(crate) paths: Option<Vec<Spanned<String>>>,
    /// Variables that it is given, instead of the section's.
    pub(crate) env_vars: Option<Vec<Spanned<String>>>,
    /// Hosts that it may reach, beside the section's.
    pub(crate) domains: Option<Vec<Spanned<String>>>,
    /// Whether it may reach the section's hosts as well; `true` if not given.
    pub(crate) inherit_default_domains: Option<bool>,
}

/// `[capabilities.deny.commands]`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "DenyCommandSection")]
pub(crate) struct DenyCommandSection {
    /// Hosts that no command may reach.
    pub(crate) domains: Vec<Spanned<String>>,
    /// Variables that no command is given.
    pub(crate) env_vars: Vec<Spanned<String>>,
    /// Commands that may not run; tables name hosts that a command may not reach.
    pub(crate) patterns: Vec<Spanned<TextOr<DenyCommandTable>>>,
}

/// A command that may run, but not reach these hosts.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
#[schemars(rename = "DenyCommand")]
pub(crate) struct DenyCommandTable {
    /// The command.
    pub(crate) command: Spanned<String>,
    /// Hosts that it may not reach.
    #[serde(default)]
    pub(crate) domains: Vec<Spanned<String>>,
}
