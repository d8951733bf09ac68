//! opencode: a plugin on `tool.execute.before`.
//!
//! Taken from the packages `@opencode-ai/plugin` and `opencode-ai` 1.18.33: the types of hooks, and
//! the places in the program that fire them. An error that the hook throws is the result of the
//! tool. Its own permissions come after, so what is granted here may still be asked about there.
//!
//! What must be known: opencode names the tools of MCP servers `server_tool`; the plugin hands over
//! the names of the servers, so that the two can be told apart.

use std::time::Duration;

use ringfence_guard::Action;
use serde_json::Value;

use super::{bookkeeping, joined, plugin, tool};
use crate::agent::{Protocol, Variables};
use crate::event::{Event, Unreadable};
use crate::servers::wire_name;
use crate::setup::Setup;

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "opencode",
    aliases: &[],
    read,
    reply: plugin::reply,
    block: plugin::block,
    setup,
    patience: Duration::from_secs(100),
};

/// Tools with which it keeps its own books.
const OWN: [&str; 7] =
    ["invalid", "plan_enter", "plan_exit", "question", "task", "todoread", "todowrite"];

/// Its other tools.
const TOOLS: [&str; 17] = [
    "apply_patch",
    "bash",
    "batch",
    "codesearch",
    "edit",
    "glob",
    "grep",
    "list",
    "ls",
    "lsp",
    "multiedit",
    "patch",
    "read",
    "skill",
    "webfetch",
    "websearch",
    "write",
];

fn read(value: &Value, _: Variables<'_>) -> Result<Event, Unreadable> {
    plugin::read(value, action)
}

fn action(name: &str, input: Value, servers: &[&str]) -> Action {
    let servers: Vec<String> = servers.iter().map(|own| wire_name(own)).collect();
    // A server `plan` with a tool `exit` has the name of one of its own.
    let of = |server: &String| name.strip_prefix(server.as_str())?.strip_prefix('_');
    let is_servers = servers.iter().any(|server| of(server).is_some());
    if OWN.contains(&name) && !is_servers {
        return bookkeeping(name);
    }
    if TOOLS.contains(&name) && !is_servers {
        return tool(name, input);
    }
    joined(name, "_", servers, input).unwrap_or_else(|input| tool(name, input))
}

fn setup(program: &str) -> Setup {
    let text = plugin::source(include_str!("../../assets/opencode.js"), program);
    Setup { path: ".config/opencode/plugin/ringfence.js", text }
}
