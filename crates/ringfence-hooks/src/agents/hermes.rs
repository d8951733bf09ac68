//! hermes-agent: `pre_tool_call`.
//!
//! Source: the package `hermes-agent` 0.19.0 on PyPI (`agent/shell_hooks.py`; the schemas of its
//! tools). The event is one object with `hook_event_name`, `tool_name`, `tool_input`, `session_id`,
//! `cwd` and `extra`. A refusal is `{"action":"block","message":…}`; the model reads the message as
//! `{"error": …}`. Tested against the real program with `-z`.
//!
//! Limits: if a hook fails, or no person has accepted it yet, hermes runs the call. The terminal
//! and the file tools keep the directory in which the last line ended, or the last `workdir`. No
//! event names that directory: `cwd` is the directory of the process. A line must therefore end in
//! the directory where it started.

use std::time::Duration;

use ringfence_guard::{Action, Call, Guard};
use serde_json::{Value, json};

use super::{bookkeeping, tool_or_mcp};
use crate::agent::{EnvLookup, Protocol};
use crate::answer::{HookAnswer, HookReply};
use crate::event::{AgentProject, EventError, HookEvent, arguments, maybe, other_event, text};
use crate::setup::{self, HookSetup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "hermes",
    aliases: &["hermes-agent"],
    read,
    reply,
    block,
    setup,
    // hermes-agent's default timeout is 60 seconds.
    answer_timeout: Duration::from_secs(50),
};

/// hermes-agent's internal tools, which touch nothing outside the agent.
const INTERNAL_TOOLS: [&str; 4] = ["clarify", "delegate_task", "session_search", "todo"];

fn read(value: &Value, _: EnvLookup<'_>) -> Result<HookEvent, EventError> {
    match text(value, "hook_event_name")? {
        "pre_tool_call" => {}
        other => return Err(other_event(other)),
    }
    let name = text(value, "tool_name")?;
    let mut event = HookEvent::before_tool(action(name, arguments(value, "tool_input")?));
    event.cwd = maybe(value, "cwd")?;
    event.project = AgentProject::named(event.cwd.clone());
    event.session = maybe(value, "session_id")?;
    Ok(event)
}

fn action(name: &str, input: Value) -> Action {
    match INTERNAL_TOOLS.contains(&name) {
        true => bookkeeping(name),
        false => tool_or_mcp(name, Vec::new(), input),
    }
}

/// Returns the tool's name if `call` would change the working directory of later calls.
pub(crate) fn moves_cwd<'c>(guard: &Guard, call: &'c Call) -> Option<&'c str> {
    let Action::Tool { name, input } = &call.action else { return None };
    if name != "terminal" {
        return None;
    }
    let elsewhere = match input.get("workdir") {
        None | Some(Value::Null) => false,
        Some(Value::String(own)) => !own.is_empty() && Some(own) != call.cwd.as_ref(),
        Some(_) => true,
    };
    // A `command` that is not a string is refused when the call is judged.
    let line = input.get("command").and_then(Value::as_str).unwrap_or_default();
    (elsewhere || !guard.stays(call, line)).then_some(name)
}

fn reply(_: &HookEvent, answer: &HookAnswer) -> HookReply {
    match answer {
        HookAnswer::Allow | HookAnswer::NoOpinion => HookReply::json(&json!({})),
        HookAnswer::Prompt(reason) | HookAnswer::Block(reason) => block(reason),
    }
}

fn block(reason: &str) -> HookReply {
    HookReply::json(&json!({ "action": "block", "message": reason }))
}

fn setup(program: &str) -> HookSetup {
    let command = Value::from(setup::command(program, PROTOCOL.name));
    let text =
        format!("hooks:\n  pre_tool_call:\n    - command: {command}\n      timeout: {TIMEOUT}\n");
    HookSetup { path: ".hermes/config.yaml", text }
}
