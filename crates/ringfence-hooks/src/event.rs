//! An agent's event: what the agent wants to do and where.
//!
//! Parsing is strict: duplicate keys, wrong types and missing fields are errors, never guesses.

use std::fmt;

use ringfence_guard::{Action, KnownServers, strict_json};
use serde_json::Value;

/// A call that an agent announces to its hook.
#[derive(Debug, Clone)]
pub struct HookEvent {
    /// The action that the agent wants to take.
    pub action: Action,
    /// The working directory that the event names.
    pub cwd: Option<String>,
    /// The agent's project directory.
    pub project: AgentProject,
    /// The ID of the agent's session.
    pub session: Option<String>,
    /// When the agent calls the hook.
    pub stage: HookStage,
    /// Whether the agent would show its own prompt if the hook answered "ask".
    pub prompt: AgentPrompt,
}

/// How the agent's project directory is known.
///
/// The working directory of a call is not the project, because a call must not choose its own root.
/// Only agents that never change it are an exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentProject {
    /// The agent names the directory.
    Named(String),
    /// The directory in which the agent starts its hooks.
    HooksOwn,
    /// Unknown: `@root` matches nothing.
    Unknown,
}

impl AgentProject {
    /// Returns `Named` for a directory, `Unknown` for `None`.
    pub(crate) fn named(directory: Option<String>) -> AgentProject {
        directory.map_or(AgentProject::Unknown, AgentProject::Named)
    }
}

/// The moment at which an agent calls its hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookStage {
    /// Before a tool runs.
    BeforeTool,
    /// Before the agent shows its own prompt; the hook has already judged the same tool call.
    BeforePrompt,
}

/// Whether the agent shows its own prompt if a hook answers "ask".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentPrompt {
    /// The prompt is known to appear in this mode of this agent.
    Appears,
    /// The prompt may not appear, or something other than a person may answer it.
    Unknown,
}

impl HookEvent {
    /// Returns an event before a tool call, with every other field unknown.
    pub(crate) fn before_tool(action: Action) -> HookEvent {
        HookEvent {
            action,
            cwd: None,
            project: AgentProject::Unknown,
            session: None,
            stage: HookStage::BeforeTool,
            prompt: AgentPrompt::Unknown,
        }
    }
}

impl HookEvent {
    /// Returns whether the event names an MCP tool by a joined name that can be split in several
    /// ways, and does not list the agent's MCP servers.
    pub fn has_ambiguous_name(&self) -> bool {
        matches!(&self.action, Action::Joined { name, .. } if name.is_ambiguous())
    }

    /// Adds MCP servers of the agent, spelled as the agent spells them in tool names.
    pub fn add_known_servers(&mut self, servers: KnownServers) {
        if let Action::Joined { name, .. } = &mut self.action {
            *name = name.clone().with_servers(servers);
        }
    }
}

/// Error: the event could not be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventError(pub(crate) String);

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the agent's event cannot be read: {}", self.0)
    }
}

impl std::error::Error for EventError {}

/// Parses an event as a JSON object without duplicate keys.
pub(crate) fn parse(text: &str) -> Result<Value, EventError> {
    let value = strict_json::read(text).map_err(EventError)?;
    match value {
        Value::Object(_) => Ok(value),
        _ => Err(EventError("it is not an object".to_owned())),
    }
}

/// Returns a required, non-empty string field.
pub(crate) fn text<'v>(value: &'v Value, key: &str) -> Result<&'v str, EventError> {
    let found = value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    found.ok_or_else(|| EventError(format!("it has no `{key}`")))
}

/// Returns an optional string field; an empty string counts as absent.
pub(crate) fn maybe(value: &Value, key: &str) -> Result<Option<String>, EventError> {
    match value.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.is_empty() => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(EventError(format!("its `{key}` is not a string"))),
    }
}

/// Returns a tool's arguments: an object, or a string that contains one. Missing arguments are an
/// empty object.
pub(crate) fn arguments(value: &Value, key: &str) -> Result<Value, EventError> {
    let nothing = || Value::Object(serde_json::Map::new());
    match value.get(key) {
        None | Some(Value::Null) => Ok(nothing()),
        Some(own @ Value::Object(_)) => Ok(own.clone()),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(nothing()),
        Some(Value::String(text)) if text.trim_start().starts_with('{') => {
            let inner = strict_json::read(text);
            let inner = inner.map_err(|error| EventError(format!("its `{key}`: {error}")))?;
            if inner.is_object() { Ok(inner) } else { Err(not_arguments(key)) }
        }
        // Tools with one string argument, such as a patch.
        Some(Value::String(text)) => Ok(serde_json::json!({ "input": text })),
        Some(_) => Err(not_arguments(key)),
    }
}

fn not_arguments(key: &str) -> EventError {
    EventError(format!("its `{key}` is not an object"))
}

/// Returns the error for an event that is not judged.
pub(crate) fn other_event(name: &str) -> EventError {
    EventError(format!(
        "`{name}` is not an event before a tool call; this hook judges no other event"
    ))
}
