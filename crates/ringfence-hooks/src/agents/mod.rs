//! The hook protocols, one module per agent.
//!
//! Each module parses events and formats answers; none of them decides.

pub(crate) mod claude_code;
pub(crate) mod cline;
pub(crate) mod codex;
pub(crate) mod copilot;
pub(crate) mod cursor;
pub(crate) mod gemini;
pub(crate) mod goose;
pub(crate) mod hermes;
pub(crate) mod kiro;
pub(crate) mod openclaw;
pub(crate) mod opencode;
pub(crate) mod plugin;
pub(crate) mod windsurf;

use ringfence_guard::{Action, JoinedName, KnownServers, McpAction};
use serde_json::Value;

/// Returns the action for a call of one of the agent's own tools.
fn tool(name: &str, input: Value) -> Action {
    Action::Tool { name: name.to_owned(), input }
}

/// Returns the action for a call of an MCP tool.
fn mcp(server: &str, name: &str, args: Value) -> Action {
    let item = McpAction::Tool { name: name.to_owned(), args };
    Action::Mcp { server: server.to_owned(), item }
}

/// Returns the action for an MCP tool whose name joins server and tool with `separator`, or gives
/// `args` back if `name` has no separator. `servers` are the server names in the event, spelled as
/// the agent spells them in tool names.
fn joined(
    name: &str,
    separator: &'static str,
    servers: Vec<String>,
    args: Value,
) -> Result<Action, Value> {
    let servers = KnownServers { certain: servers, possible: Vec::new() };
    match JoinedName::new(name, separator) {
        Some(name) => Ok(Action::Joined { name: name.with_servers(servers), args }),
        None => Err(args),
    }
}

/// Returns the action for a tool of the agent, or for an MCP tool named `mcp__SERVER__TOOL`.
fn tool_or_mcp(name: &str, servers: Vec<String>, input: Value) -> Action {
    let of_server = name.strip_prefix("mcp__").map(|own| joined(own, "__", servers, input.clone()));
    match of_server {
        Some(Ok(action)) => action,
        _ => tool(name, input),
    }
}

/// Returns the action for an internal tool of the agent, which touches nothing outside the agent.
fn bookkeeping(name: &str) -> Action {
    Action::Bookkeeping { name: name.to_owned() }
}
