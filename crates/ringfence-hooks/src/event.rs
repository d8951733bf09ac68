//! What an agent's event asks for.

use std::fmt;

use ringfence_guard::{Action, KnownServers, strict_json};
use serde_json::Value;

/// What an agent wants to do, as its hook is told.
#[derive(Debug, Clone)]
pub struct Event {
    /// What would be done.
    pub action: Action,
    /// The directory in which the agent works.
    pub cwd: Option<String>,
    /// Where the agent's project is.
    pub project: Project,
    /// The agent's session.
    pub session: Option<String>,
    /// At which point the agent asks.
    pub stage: Stage,
    /// Whether the agent would show its own prompt if it were told to.
    pub prompt: Prompt,
}

/// Where an agent's project is. A call never moves it, so the directory of a call is not taken for it
/// unless the agent is known to keep to one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Project {
    /// The agent names it.
    Named(String),
    /// The agent starts its hooks there.
    HooksOwn,
    /// It cannot be told: `@root` matches nothing.
    Unknown,
}

impl Project {
    /// What the agent named, if it did.
    pub(crate) fn named(directory: Option<String>) -> Project {
        directory.map_or(Project::Unknown, Project::Named)
    }
}

/// The point at which an agent asks its hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Before a tool is called.
    BeforeTool,
    /// Before the agent shows its own prompt; the hook was asked before the tool already.
    BeforePrompt,
}

/// Whether the agent's own prompt appears when a hook asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prompt {
    /// It is known to appear, in this mode of this agent.
    Appears,
    /// It is not known to: the agent cannot show one, or something else might answer it.
    Unknown,
}

impl Event {
    /// A call before a tool, with nothing else known about it.
    pub(crate) fn before_tool(action: Action) -> Event {
        Event {
            action,
            cwd: None,
            project: Project::Unknown,
            session: None,
            stage: Stage::BeforeTool,
            prompt: Prompt::Unknown,
        }
    }
}

impl Event {
    /// Whether it calls a tool by a name that can be read in several ways, and does not tell which MCP
    /// servers the agent has.
    pub fn has_open_name(&self) -> bool {
        matches!(&self.action, Action::Joined { name, .. } if name.is_open())
    }

    /// Adds MCP servers that the agent has, or may have, as it writes them in such names.
    pub fn know(&mut self, servers: KnownServers) {
        if let Action::Joined { name, .. } = &mut self.action {
            *name = name.clone().knowing(servers);
        }
    }
}

/// An event could not be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable(pub(crate) String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the agent's event cannot be read: {}", self.0)
    }
}

impl std::error::Error for Unreadable {}

/// The JSON of an event, in which every key stands once.
pub(crate) fn parse(text: &str) -> Result<Value, Unreadable> {
    let value = strict_json::read(text).map_err(Unreadable)?;
    match value {
        Value::Object(_) => Ok(value),
        _ => Err(Unreadable("it is no object".to_owned())),
    }
}

/// A text that has to be there.
pub(crate) fn text<'v>(value: &'v Value, key: &str) -> Result<&'v str, Unreadable> {
    let found = value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    found.ok_or_else(|| Unreadable(format!("it has no `{key}`")))
}

/// A text that may be there.
pub(crate) fn maybe(value: &Value, key: &str) -> Result<Option<String>, Unreadable> {
    match value.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.is_empty() => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Unreadable(format!("its `{key}` is no text"))),
    }
}

/// The arguments of a tool: an object, or a text that holds one. None at all are an empty object.
pub(crate) fn arguments(value: &Value, key: &str) -> Result<Value, Unreadable> {
    let nothing = || Value::Object(serde_json::Map::new());
    match value.get(key) {
        None | Some(Value::Null) => Ok(nothing()),
        Some(own @ Value::Object(_)) => Ok(own.clone()),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(nothing()),
        Some(Value::String(text)) if text.trim_start().starts_with('{') => {
            let inner = strict_json::read(text);
            let inner = inner.map_err(|error| Unreadable(format!("its `{key}`: {error}")))?;
            if inner.is_object() { Ok(inner) } else { Err(not_arguments(key)) }
        }
        // Tools that take one text: a patch.
        Some(Value::String(text)) => Ok(serde_json::json!({ "input": text })),
        Some(_) => Err(not_arguments(key)),
    }
}

fn not_arguments(key: &str) -> Unreadable {
    Unreadable(format!("its `{key}` is no object"))
}

/// An event of another kind than those that are judged.
pub(crate) fn other_event(name: &str) -> Unreadable {
    Unreadable(format!("`{name}` is no event before a tool; this hook judges nothing else"))
}
