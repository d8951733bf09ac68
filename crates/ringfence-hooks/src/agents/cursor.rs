//! Cursor: `preToolUse`, `beforeShellExecution`, `beforeMCPExecution`, `beforeReadFile`.
//!
//! Source: Cursor's documentation of agent hooks, compared with the code of the package
//! `@cursor/sdk` 1.0.18, which runs the same hooks. Not tested against the real program, because
//! its model is a service of Cursor.
//!
//! Some events expect the answer under `permission`, others under `decision`; every answer has
//! both. An MCP tool without a server name is judged as a tool of the server `unnamed`.

use std::time::Duration;

use ringfence_guard::Action;
use serde_json::{Value, json};

use super::{bookkeeping, mcp, tool};
use crate::agent::{EnvLookup, Protocol};
use crate::answer::{HookAnswer, HookReply};
use crate::event::{AgentProject, EventError, HookEvent, arguments, maybe, other_event, text};
use crate::setup::{self, HookSetup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "cursor",
    aliases: &[],
    read,
    reply,
    block,
    setup,
    answer_timeout: Duration::from_secs(25),
};

/// Cursor's internal tools, which touch nothing outside the agent.
const INTERNAL_TOOLS: [&str; 4] = ["AskQuestion", "Task", "TodoWrite", "UpdatePlan"];

fn read(value: &Value, _: EnvLookup<'_>) -> Result<HookEvent, EventError> {
    let action = match text(value, "hook_event_name")? {
        "preToolUse" => action(text(value, "tool_name")?, arguments(value, "tool_input")?),
        "beforeShellExecution" => {
            Action::Line { line: text(value, "command")?.to_owned(), shell: None }
        }
        "beforeMCPExecution" => {
            let server = maybe(value, "mcp_server_name")?;
            let server = server.as_deref().unwrap_or("unnamed");
            mcp(server, text(value, "tool_name")?, arguments(value, "tool_input")?)
        }
        "beforeReadFile" | "beforeTabFileRead" => {
            tool("Read", json!({ "file_path": text(value, "file_path")? }))
        }
        other => return Err(other_event(other)),
    };
    let roots = value.get("workspace_roots").and_then(Value::as_array);
    let root = roots.and_then(|roots| roots.first()).and_then(Value::as_str);
    let mut event = HookEvent::before_tool(action);
    event.cwd = maybe(value, "cwd")?.or_else(|| root.map(str::to_owned));
    event.project = AgentProject::named(root.map(str::to_owned));
    event.session = maybe(value, "conversation_id")?;
    Ok(event)
}

fn action(name: &str, input: Value) -> Action {
    match name.split_once(':') {
        _ if INTERNAL_TOOLS.contains(&name) => bookkeeping(name),
        Some(("MCP", own)) => mcp("unnamed", own, input),
        _ => tool(name, input),
    }
}

fn reply(_: &HookEvent, answer: &HookAnswer) -> HookReply {
    match answer {
        HookAnswer::NoOpinion => HookReply::json(&json!({})),
        HookAnswer::Allow => {
            HookReply::json(&json!({ "permission": "allow", "decision": "allow" }))
        }
        HookAnswer::Prompt(reason) | HookAnswer::Block(reason) => block(reason),
    }
}

fn block(reason: &str) -> HookReply {
    HookReply::json(&json!({
        "permission": "deny",
        "decision": "deny",
        "reason": reason,
        "user_message": "ringfence refused this",
        "agent_message": reason,
    }))
}

fn setup(program: &str) -> HookSetup {
    let command = setup::command(program, PROTOCOL.name);
    let hook = json!([{ "command": command, "timeout": TIMEOUT, "failClosed": true }]);
    let hooks = json!({
        "preToolUse": hook,
        "beforeShellExecution": hook,
        "beforeMCPExecution": hook,
        "beforeReadFile": hook,
    });
    setup::json(".cursor/hooks.json", &json!({ "version": 1, "hooks": hooks }))
}
