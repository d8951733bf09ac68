//! Cline: the hook `PreToolUse`.
//!
//! Taken from Cline's reference of hooks. Unverified: it was not driven for real. Roo Code, which
//! came of it, is not known to have hooks.

use std::time::Duration;

use ringfence_guard::{Action, McpAction};
use serde_json::{Value, json};

use super::{bookkeeping, mcp, tool};
use crate::agent::{Protocol, Variables};
use crate::answer::{Answer, Reply};
use crate::event::{Event, Project, Unreadable, arguments, maybe, other_event, text};
use crate::setup::{self, Setup};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "cline",
    aliases: &[],
    read,
    reply,
    block,
    setup,
    patience: Duration::from_secs(25),
};

/// Tools with which it keeps its own books.
const OWN: [&str; 8] = [
    "act_mode_respond",
    "ask_followup_question",
    "condense",
    "focus_chain",
    "load_mcp_documentation",
    "new_task",
    "plan_mode_respond",
    "summarize_task",
];

fn read(value: &Value, _: Variables<'_>) -> Result<Event, Unreadable> {
    match text(value, "hookName")? {
        "PreToolUse" => {}
        other => return Err(other_event(other)),
    }
    let none = Value::Null;
    let call = value.get("preToolUse").unwrap_or(&none);
    let action = action(text(call, "toolName")?, arguments(call, "parameters")?)?;
    let roots = value.get("workspaceRoots").and_then(Value::as_array);
    let root = roots.and_then(|roots| roots.first()).and_then(Value::as_str);
    let mut event = Event::before_tool(action);
    event.cwd = root.map(str::to_owned);
    event.project = Project::named(root.map(str::to_owned));
    event.session = maybe(value, "taskId")?;
    Ok(event)
}

fn action(name: &str, input: Value) -> Result<Action, Unreadable> {
    Ok(match name {
        "use_mcp_tool" => mcp(
            text(&input, "server_name")?,
            text(&input, "tool_name")?,
            arguments(&input, "arguments")?,
        ),
        "access_mcp_resource" => {
            let item = McpAction::Resource(text(&input, "uri")?.to_owned());
            Action::Mcp { server: text(&input, "server_name")?.to_owned(), item }
        }
        // Its end of a task may bring a command that shows the result.
        "attempt_completion" => match input.get("command") {
            None | Some(Value::Null) => bookkeeping(name),
            Some(Value::String(line)) if line.is_empty() => bookkeeping(name),
            Some(command) => tool("execute_command", json!({ "command": command })),
        },
        _ if OWN.contains(&name) => bookkeeping(name),
        _ => tool(name, input),
    })
}

fn reply(_: &Event, answer: &Answer) -> Reply {
    match answer {
        Answer::Allow | Answer::NoOpinion => Reply::json(&json!({ "cancel": false })),
        Answer::Prompt(reason) | Answer::Block(reason) => block(reason),
    }
}

fn block(reason: &str) -> Reply {
    Reply::json(&json!({ "cancel": true, "errorMessage": reason }))
}

fn setup(program: &str) -> Setup {
    let command = setup::command(program, PROTOCOL.name);
    Setup { path: "Documents/Cline/Hooks/PreToolUse", text: format!("#!/bin/sh\nexec {command}\n") }
}
