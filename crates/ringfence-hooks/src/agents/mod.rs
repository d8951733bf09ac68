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

use ringfence_guard::{Action, McpAction};
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

/// A call of a tool with which the agent keeps its own books.
fn bookkeeping(name: &str) -> Action {
    Action::Bookkeeping { name: name.to_owned() }
}
