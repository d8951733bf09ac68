//! Cursor: `preToolUse`, `beforeShellExecution`, `beforeMCPExecution`, `beforeReadFile`.
//!
//! Taken from Cursor's documentation of agent hooks, and compared with the code of the package
//! `@cursor/sdk` 1.0.18, which runs the same hooks. Unverified: it was not driven for real, as its
//! model is a service of Cursor's own.
//!
//! Its answers have two forms, by event: `permission` and `decision`; both are given. Where an MCP
//! tool comes without the name of its server, it is judged as one of the server `unnamed`.

use std::time::Duration;

use ringfence_guard::Action;
use serde_json::{Value, json};

use super::{bookkeeping, mcp, tool};
use crate::agent::{Protocol, Variables};
use crate::answer::{Answer, Reply};
use crate::event::{Event, Project, Unreadable, arguments, maybe, other_event, text};
use crate::setup::{self, Setup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "cursor",
    aliases: &[],
    read,
    reply,
    block,
    setup,
    patience: Duration::from_secs(25),
};

/// Tools with which it keeps its own books.
const OWN: [&str; 4] = ["AskQuestion", "Task", "TodoWrite", "UpdatePlan"];

fn read(value: &Value, _: Variables<'_>) -> Result<Event, Unreadable> {
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
    let mut event = Event::before_tool(action);
    event.cwd = maybe(value, "cwd")?.or_else(|| root.map(str::to_owned));
    event.project = Project::named(root.map(str::to_owned));
    event.session = maybe(value, "conversation_id")?;
    Ok(event)
}

fn action(name: &str, input: Value) -> Action {
    match name.split_once(':') {
        _ if OWN.contains(&name) => bookkeeping(name),
        Some(("MCP", own)) => mcp("unnamed", own, input),
        _ => tool(name, input),
    }
}

fn reply(_: &Event, answer: &Answer) -> Reply {
    match answer {
        Answer::NoOpinion => Reply::json(&json!({})),
        Answer::Allow => Reply::json(&json!({ "permission": "allow", "decision": "allow" })),
        Answer::Prompt(reason) | Answer::Block(reason) => block(reason),
    }
}

fn block(reason: &str) -> Reply {
    Reply::json(&json!({
        "permission": "deny",
        "decision": "deny",
        "reason": reason,
        "user_message": "ringfence refused this",
        "agent_message": reason,
    }))
}

fn setup(program: &str) -> Setup {
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
