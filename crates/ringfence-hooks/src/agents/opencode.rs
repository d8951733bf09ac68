//! opencode: a plugin on `tool.execute.before`.
//!
//! Source: the packages `@opencode-ai/plugin` and `opencode-ai` 1.18.33 (the types of hooks; the
//! places in the program that call them). An error thrown by the hook becomes the tool's result.
//! opencode checks its own permissions afterwards, so it may still ask about an allowed call.
//!
//! Limits: opencode names MCP tools `server_tool`. The plugin passes the server names along, so
//! that server and tool can be separated.

use std::time::Duration;

use ringfence_guard::Action;
use serde_json::Value;

use super::{bookkeeping, joined, plugin, tool};
use crate::agent::{EnvLookup, Protocol};
use crate::event::{EventError, HookEvent};
use crate::servers::wire_name;
use crate::setup::HookSetup;

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "opencode",
    aliases: &[],
    read,
    reply: plugin::reply,
    block: plugin::block,
    setup,
    answer_timeout: Duration::from_secs(100),
};

/// opencode's internal tools, which touch nothing outside the agent.
const INTERNAL_TOOLS: [&str; 7] =
    ["invalid", "plan_enter", "plan_exit", "question", "task", "todoread", "todowrite"];

/// opencode's other built-in tools.
const BUILTIN_TOOLS: [&str; 17] = [
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

fn read(value: &Value, _: EnvLookup<'_>) -> Result<HookEvent, EventError> {
    plugin::read(value, action)
}

fn action(name: &str, input: Value, servers: &[&str]) -> Action {
    let servers: Vec<String> = servers.iter().map(|own| wire_name(own)).collect();
    // The tool `exit` of a server `plan` has the same name as opencode's own `plan_exit`.
    let of = |server: &String| name.strip_prefix(server.as_str())?.strip_prefix('_');
    let is_servers = servers.iter().any(|server| of(server).is_some());
    if INTERNAL_TOOLS.contains(&name) && !is_servers {
        return bookkeeping(name);
    }
    if BUILTIN_TOOLS.contains(&name) && !is_servers {
        return tool(name, input);
    }
    joined(name, "_", servers, input).unwrap_or_else(|input| tool(name, input))
}

fn setup(program: &str) -> HookSetup {
    let text = plugin::source(include_str!("../../assets/opencode.js"), program);
    HookSetup { path: ".config/opencode/plugin/ringfence.js", text }
}
