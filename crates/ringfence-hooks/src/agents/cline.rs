//! Cline: the hook `PreToolUse`.
//!
//! Taken from the package `cline` 3.0.65 (`@cline/core` 0.0.86: its hook files, its tools), which was
//! driven for real, and from Cline's reference of hooks, which has the form of its extension for
//! editors. Unverified: that extension. Roo Code, which came of it, is not known to have hooks.
//!
//! What must be known: a refusal ends the run, and the command line tool shows nobody why; no answer of
//! a hook refuses one call alone. A hook that fails or takes longer than two minutes lets the call run.

use std::time::Duration;

use ringfence_guard::{Action, McpAction};
use serde_json::{Value, json};

use super::{bookkeeping, joined, mcp, tool};
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
const OWN: [&str; 11] = [
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

fn read(value: &Value, _: Variables<'_>) -> Result<Event, Unreadable> {
    // The command line tool and the extension for editors have each their own names.
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
        "run_commands" => run_commands(&input)?,
        // It looks through the whole workspace.
        "search_codebase" => tool("grep", json!({})),
        "fetch_web_content" => tool("web_fetch", pages(&input)?),
        "editor" => tool("edit", input),
        _ if OWN.contains(&name) => bookkeeping(name),
        _ => joined(name, "__", Vec::new(), input).unwrap_or_else(|input| tool(name, input)),
    })
}

/// Several lines at once, each in a shell of its own.
fn run_commands(input: &Value) -> Result<Action, Unreadable> {
    let unreadable = || Unreadable("its commands are no list of lines".to_owned());
    // Other keys could name other commands, and only Cline knows which of them count.
    let fields = input.as_object().filter(|own| own.len() == 1).ok_or_else(unreadable)?;
    let lines = match fields.get("commands") {
        Some(Value::String(line)) => json!([line]),
        Some(Value::Array(items)) if items.iter().all(Value::is_string) => json!(items),
        _ => return Err(unreadable()),
    };
    Ok(tool("execute_command", json!({ "lines": lines })))
}

/// The pages that it asks for, each with what it wants to know of it.
fn pages(input: &Value) -> Result<Value, Unreadable> {
    let requests = input.get("requests").and_then(Value::as_array);
    let requests = requests.ok_or_else(|| Unreadable("it has no list of `requests`".to_owned()))?;
    let urls = requests.iter().map(|own| text(own, "url")).collect::<Result<Vec<_>, _>>()?;
    Ok(json!({ "urls": urls }))
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
