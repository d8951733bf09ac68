//! `[capabilities]`: mlld's nested lists, or Seal's sections.

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms::{AllOr, ListOr};
use super::rule::{RawCeiling, RawRule};
use super::seal::{AllowSections, DenyCommandSection, FileSection};
use crate::de::Spanned;

/// Nested lists or sections.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "Capabilities")]
pub(crate) struct RawCapabilities {
    /// What may happen: a list of patterns, or sections.
    pub(crate) allow: Option<ListOr<RawRule, AllowSections>>,
    /// What a person is asked about.
    pub(crate) ask: Option<Vec<RawRule>>,
    /// Opt-ins to the danger list.
    pub(crate) danger: Option<Vec<RawRule>>,
    /// What may not happen: a list of patterns, names, sections, or `true`.
    pub(crate) deny: Option<Spanned<AllOr<RawRule, DenySections>>>,
    /// Nothing beyond this in its class, whoever grants it.
    pub(crate) ceiling: Option<Vec<RawCeiling>>,
    /// What this document adds to the danger list.
    pub(crate) danger_list: Option<Vec<RawRule>>,
}

/// What `[capabilities.deny]` can hold as a table.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "DenySections")]
pub(crate) struct DenySections {
    /// Shells run as programs.
    pub(crate) sh: Option<Spanned<bool>>,
    /// The network.
    pub(crate) network: Option<Spanned<bool>>,
    /// The network.
    pub(crate) net: Option<Spanned<bool>>,
    /// Files that may not be read.
    pub(crate) read: Option<Spanned<FileSection>>,
    /// Files that may not be written.
    pub(crate) write: Option<Spanned<FileSection>>,
    /// Files that may not be deleted.
    pub(crate) delete: Option<Spanned<FileSection>>,
    /// Commands that may not run, and what no command may reach or be given.
    pub(crate) commands: Option<DenyCommandSection>,
}
