//! hermes-agent: `pre_tool_call`.
//!
//! Taken from the package `hermes-agent` 0.19.0 of the Python registry (`agent/shell_hooks.py`, the
//! schemas of its tools): one object in with `hook_event_name`, `tool_name`, `tool_input`,
//! `session_id`, `cwd` and `extra`; a block out as `{"action":"block","message":…}`, whose message the
//! model reads as `{"error": …}`. Driven for real with `-z`.
//!
//! What must be known: a hook that fails, or that nobody has agreed to yet, lets the call run. The
//! terminal and the file tools go on in the directory in which the last line ended, or which
//! `workdir` named last, and no event says which: `cwd` is that of the process. So a line must end
//! where it began.

use std::time::Duration;

use ringfence_guard::{Action, Call, Guard};
use serde_json::{Value, json};

use super::{bookkeeping, tool_or_mcp};
use crate::agent::{Protocol, Variables};
use crate::answer::{Answer, Reply};
use crate::event::{Event, Project, Unreadable, arguments, maybe, other_event, text};
use crate::setup::{self, Setup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "hermes",
    aliases: &["hermes-agent"],
    read,
    reply,
    block,
    setup,
    // It waits 60 seconds unless it is told otherwise.
    patience: Duration::from_secs(50),
};

/// Tools with which it keeps its own books.
const OWN: [&str; 4] = ["clarify", "delegate_task", "session_search", "todo"];

fn read(value: &Value, _: Variables<'_>) -> Result<Event, Unreadable> {
    match text(value, "hook_event_name")? {
        "pre_tool_call" => {}
        other => return Err(other_event(other)),
    }
    let name = text(value, "tool_name")?;
    let mut event = Event::before_tool(action(name, arguments(value, "tool_input")?));
    event.cwd = maybe(value, "cwd")?;
    event.project = Project::named(event.cwd.clone());
    event.session = maybe(value, "session_id")?;
    Ok(event)
}

fn action(name: &str, input: Value) -> Action {
    match OWN.contains(&name) {
        true => bookkeeping(name),
        false => tool_or_mcp(name, Vec::new(), input),
    }
}

/// The tool of a call that would move the directory of the calls after it.
pub(crate) fn wanders<'c>(guard: &Guard, call: &'c Call) -> Option<&'c str> {
    let Action::Tool { name, input } = &call.action else { return None };
    if name != "terminal" {
        return None;
    }
    let elsewhere = match input.get("workdir") {
        None | Some(Value::Null) => false,
        Some(Value::String(own)) => !own.is_empty() && Some(own) != call.cwd.as_ref(),
        Some(_) => true,
    };
    // A line that is no text is refused by whoever reads it.
    let line = input.get("command").and_then(Value::as_str).unwrap_or_default();
    (elsewhere || !guard.stays(call, line)).then_some(name)
}

fn reply(_: &Event, answer: &Answer) -> Reply {
    match answer {
        Answer::Allow | Answer::NoOpinion => Reply::json(&json!({})),
        Answer::Prompt(reason) | Answer::Block(reason) => block(reason),
    }
}

fn block(reason: &str) -> Reply {
    Reply::json(&json!({ "action": "block", "message": reason }))
}

fn setup(program: &str) -> Setup {
    let command = Value::from(setup::command(program, PROTOCOL.name));
    let text =
        format!("hooks:\n  pre_tool_call:\n    - command: {command}\n      timeout: {TIMEOUT}\n");
    Setup { path: ".hermes/config.yaml", text }
}
