//! The top level of a document.

use schemars::JsonSchema;
use serde::Deserialize;

use super::capabilities::RawCapabilities;
use super::forms::Names;
use super::program::RawProgram;
use super::rule::{RawCeiling, RawDeny, RawRule};
use super::sandbox::{RawHooks, RawLimits, RawSandbox};
use super::settings::{Answer, DefaultWord, ModeWord, RawSecurity};
use super::tools::{RawEnv, RawKeychain, RawMcp, RawPermissions, RawTool};
use crate::de::Spanned;

/// What an agent may do: a ringfence policy.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "Policy")]
pub(crate) struct RawDocument {
    /// The version of this form; 1.
    pub(crate) schema: Option<Spanned<i64>>,
    /// What the policy is called.
    pub(crate) name: Option<String>,
    /// Built-in profiles (`@workspace`) and files that are taken in as if written here.
    pub(crate) extends: Option<Vec<Spanned<String>>>,
    /// The answer where nothing matches.
    pub(crate) default: Option<Spanned<DefaultWord>>,
    /// `observe`: decide and record, refuse nothing. Only in the organisation's and the user's
    /// file.
    pub(crate) mode: Option<Spanned<ModeWord>>,
    /// What may happen.
    pub(crate) allow: Option<Vec<RawRule>>,
    /// What a person is asked about.
    pub(crate) ask: Option<Vec<RawRule>>,
    /// Opt-ins to the danger list; `[]` objects to all of it.
    pub(crate) danger: Option<Vec<RawRule>>,
    /// What may not happen, whoever allows it: a list, `{ sh = true, network = true }`, or `true`.
    pub(crate) deny: Option<Spanned<RawDeny>>,
    /// Nothing beyond this in its class, whoever grants it. A list inside the list is a ceiling of
    /// its own.
    pub(crate) ceiling: Option<Vec<RawCeiling>>,
    /// What this document adds to the danger list.
    pub(crate) danger_list: Option<Vec<RawRule>>,
    /// Nested lists (mlld) or sections (Seal). Beside flat lists: allow meets, deny joins, nested
    /// danger wins.
    pub(crate) capabilities: Option<RawCapabilities>,
    /// Settings apart from rules.
    pub(crate) security: Option<RawSecurity>,
    /// How commands are confined.
    pub(crate) sandbox: Option<RawSandbox>,
    /// How much a confined run may use.
    pub(crate) limits: Option<RawLimits>,
    /// What hooks do with questions.
    pub(crate) hooks: Option<RawHooks>,
    /// Rules on tools by name.
    pub(crate) permissions: Option<RawPermissions>,
    /// Tools by kind or name, with the paths they may touch.
    pub(crate) tools: Option<Names<RawTool>>,
    /// Keychain entries.
    pub(crate) keychain: Option<RawKeychain>,
    /// Tools and MCP servers beyond which nothing is called.
    pub(crate) env: Option<RawEnv>,
    /// What is known about MCP servers.
    pub(crate) mcp: Option<RawMcp>,
    /// Ceilings for agents by name.
    pub(crate) agents: Option<Names<RawAgent>>,
    /// What the options and operands of programs do, besides what the catalogue says.
    pub(crate) programs: Option<Names<RawProgram>>,
    /// Calls with the verdict that this policy gives them.
    pub(crate) test: Option<Vec<Spanned<RawTest>>>,
}

/// A ceiling for one agent.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "Agent")]
pub(crate) struct RawAgent {
    /// The answer where nothing matches; a ceiling denies what it does not list.
    pub(crate) default: Option<Spanned<DefaultWord>>,
    /// What the agent may do at most.
    pub(crate) allow: Option<Vec<RawRule>>,
    /// What the agent may do at most, and a person is asked about.
    pub(crate) ask: Option<Vec<RawRule>>,
    /// The opt-ins to the danger list that this agent may use.
    pub(crate) danger: Option<Vec<RawRule>>,
    /// What the agent may not do.
    pub(crate) deny: Option<Spanned<RawDeny>>,
    /// Nothing beyond this in its class. A list inside the list is a ceiling of its own.
    pub(crate) ceiling: Option<Vec<RawCeiling>>,
    /// What is dangerous in this agent's hands.
    pub(crate) danger_list: Option<Vec<RawRule>>,
    /// Nested lists or sections.
    pub(crate) capabilities: Option<RawCapabilities>,
    /// Settings apart from rules; only `universal_deny_domains` can be said of one agent.
    pub(crate) security: Option<RawSecurity>,
    /// Rules on tools by name.
    pub(crate) permissions: Option<RawPermissions>,
    /// Tools by kind or name, with the paths they may touch.
    pub(crate) tools: Option<Names<RawTool>>,
    /// Keychain entries.
    pub(crate) keychain: Option<RawKeychain>,
    /// Tools and MCP servers beyond which nothing is called.
    pub(crate) env: Option<RawEnv>,
}

impl From<RawAgent> for RawDocument {
    fn from(agent: RawAgent) -> RawDocument {
        RawDocument {
            default: agent.default,
            allow: agent.allow,
            ask: agent.ask,
            danger: agent.danger,
            deny: agent.deny,
            ceiling: agent.ceiling,
            danger_list: agent.danger_list,
            capabilities: agent.capabilities,
            security: agent.security,
            permissions: agent.permissions,
            tools: agent.tools,
            keychain: agent.keychain,
            env: agent.env,
            ..RawDocument::default()
        }
    }
}

/// A call with the verdict that the policy gives it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
#[schemars(rename = "Test")]
pub(crate) struct RawTest {
    /// A command line.
    pub(crate) call: Option<String>,
    /// Instead of `call`: the name of a tool.
    pub(crate) tool: Option<String>,
    /// The tool's input.
    pub(crate) input: Option<serde_json::Value>,
    /// The agent that calls.
    pub(crate) agent: Option<String>,
    /// The directory in which it calls; relative to the root.
    pub(crate) cwd: Option<String>,
    /// The verdict.
    pub(crate) expect: Answer,
}
