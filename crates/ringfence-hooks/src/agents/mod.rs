//! One module per protocol.

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

/// A call of one of the agent's tools, by the name that it goes by.
fn tool(name: &str, input: Value) -> Action {
    Action::Tool { name: name.to_owned(), input }
}

/// A call of a tool of an MCP server.
fn mcp(server: &str, name: &str, args: Value) -> Action {
    let item = McpAction::Tool { name: name.to_owned(), args };
    Action::Mcp { server: server.to_owned(), item }
}

/// A call of a tool of an MCP server by one name for both, in which `separator` stands between the two. The
/// servers are those of which the event itself tells, as the agent writes them in such names.
fn joined(
    name: &str,
    separator: &'static str,
    servers: Vec<String>,
    args: Value,
) -> Result<Action, Value> {
    let servers = KnownServers { certain: servers, possible: Vec::new() };
    match JoinedName::new(name, separator) {
        Some(name) => Ok(Action::Joined { name: name.knowing(servers), args }),
        None => Err(args),
    }
}

/// A call of one of the agent's tools, or of an MCP server's by its name `mcp__SERVER__TOOL`.
fn tool_or_mcp(name: &str, servers: Vec<String>, input: Value) -> Action {
    let of_server = name.strip_prefix("mcp__").map(|own| joined(own, "__", servers, input.clone()));
    match of_server {
        Some(Ok(action)) => action,
        _ => tool(name, input),
    }
}

/// A call of a tool with which the agent keeps its own books.
fn bookkeeping(name: &str) -> Action {
    Action::Bookkeeping { name: name.to_owned() }
}
