//! Cline: the hook `PreToolUse`.
//!
//! Source: the package `cline` 3.0.65 (`@cline/core` 0.0.86: its hook files and tools), tested
//! against the real program, and Cline's hook reference, which describes the format of its editor
//! extension. The extension itself was not tested. Roo Code, a fork of Cline, has no hooks as far
//! as we know.
//!
//! Limits: a hook cannot refuse a single call, because a refusal ends the whole run of Cline. Cline's
//! terminal program does not show the reason. If a hook fails or takes longer than two minutes, Cline
//! runs the call.

use std::time::Duration;

use ringfence_guard::{Action, McpAction};
use serde_json::{Value, json};

use super::{bookkeeping, joined, mcp, tool};
use crate::agent::{EnvLookup, Protocol};
use crate::answer::{HookAnswer, HookReply};
use crate::event::{AgentProject, EventError, HookEvent, arguments, maybe, other_event, text};
use crate::setup::{self, HookSetup};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "cline",
    aliases: &[],
    read,
    reply,
    block,
    setup,
    answer_timeout: Duration::from_secs(25),
};

/// Cline's internal tools, which touch nothing outside the agent.
const INTERNAL_TOOLS: [&str; 11] = [
    "act_mode_respond",
    "ask_followup_question",
    "ask_question",
    "condense",
    "focus_chain",
    "load_mcp_documentation",
    "new_task",
    "plan_mode_respond",
    "skills",
    "submit_and_exit",
    "summarize_task",
];

fn read(value: &Value, _: EnvLookup<'_>) -> Result<HookEvent, EventError> {
    // The command line and the editor extension use different keys.
    let (key, name, input) = match text(value, "hookName")? {
        "tool_call" => ("tool_call", "name", "input"),
        "PreToolUse" => ("preToolUse", "toolName", "parameters"),
        other => return Err(other_event(other)),
    };
    let none = Value::Null;
    let call = value.get(key).unwrap_or(&none);
    let action = action(text(call, name)?, arguments(call, input)?)?;
    let roots = value.get("workspaceRoots").and_then(Value::as_array);
    let root = roots.and_then(|roots| roots.first()).and_then(Value::as_str);
    let mut event = HookEvent::before_tool(action);
    event.cwd = root.map(str::to_owned);
    event.project = AgentProject::named(root.map(str::to_owned));
    event.session = maybe(value, "taskId")?;
    Ok(event)
}

fn action(name: &str, input: Value) -> Result<Action, EventError> {
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
        // `attempt_completion` may carry a command that shows the result.
        "attempt_completion" => match input.get("command") {
            None | Some(Value::Null) => bookkeeping(name),
            Some(Value::String(line)) if line.is_empty() => bookkeeping(name),
            Some(command) => tool("execute_command", json!({ "command": command })),
        },
        "run_commands" => run_commands(&input)?,
        // `search_codebase` searches the whole workspace.
        "search_codebase" => tool("grep", json!({})),
        "fetch_web_content" => tool("web_fetch", pages(&input)?),
        "editor" => tool("edit", input),
        _ if INTERNAL_TOOLS.contains(&name) => bookkeeping(name),
        _ => joined(name, "__", Vec::new(), input).unwrap_or_else(|input| tool(name, input)),
    })
}

/// Reads a call with several command lines. Cline runs each in its own shell.
fn run_commands(input: &Value) -> Result<Action, EventError> {
    let unreadable = || EventError("its commands are not a list of strings".to_owned());
    // Another key could hold another command, and only Cline knows which keys it runs.
    let fields = input.as_object().filter(|own| own.len() == 1).ok_or_else(unreadable)?;
    let lines = match fields.get("commands") {
        Some(Value::String(line)) => json!([line]),
        Some(Value::Array(items)) if items.iter().all(Value::is_string) => json!(items),
        _ => return Err(unreadable()),
    };
    Ok(tool("execute_command", json!({ "lines": lines })))
}

/// Collects the URLs of a `fetch_web_content` call.
fn pages(input: &Value) -> Result<Value, EventError> {
    let requests = input.get("requests").and_then(Value::as_array);
    let requests = requests.ok_or_else(|| EventError("it has no list of `requests`".to_owned()))?;
    let urls = requests.iter().map(|own| text(own, "url")).collect::<Result<Vec<_>, _>>()?;
    Ok(json!({ "urls": urls }))
}

fn reply(_: &HookEvent, answer: &HookAnswer) -> HookReply {
    match answer {
        HookAnswer::Allow | HookAnswer::NoOpinion => HookReply::json(&json!({ "cancel": false })),
        HookAnswer::Prompt(reason) | HookAnswer::Block(reason) => block(reason),
    }
}

fn block(reason: &str) -> HookReply {
    HookReply::json(&json!({ "cancel": true, "errorMessage": reason }))
}

fn setup(program: &str) -> HookSetup {
    let command = setup::command(program, PROTOCOL.name);
    HookSetup {
        path: "Documents/Cline/Hooks/PreToolUse",
        text: format!("#!/bin/sh\nexec {command}\n"),
    }
}
