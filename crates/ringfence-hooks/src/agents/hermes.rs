//! hermes-agent: `pre_tool_call`.
//!
//! Taken from issue 9388 of NousResearch/hermes-agent and from its `agent/shell_hooks.py`: one
//! object in with `hook_event_name`, `tool_name`, `tool_input`, `session_id`, `cwd` and `extra`; a
//! block out as `{"action":"block","message":…}`, whose message the model reads as `{"error": …}`.
//! Unverified: it was not driven for real.
//!
//! What must be known: without `fail_closed` a hook that fails lets the call run, and it may take
//! "modify" from any other hook after this one.

use std::time::Duration;

use ringfence_guard::Action;
use serde_json::{Value, json};

use super::{bookkeeping, tool};
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
    if OWN.contains(&name) { bookkeeping(name) } else { tool(name, input) }
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
    let text = format!(
        "hooks:\n  pre_tool_call:\n    - command: {command}\n      timeout: {TIMEOUT}\n      \
         fail_closed: true\n"
    );
    Setup { path: ".hermes/config.yaml", text }
}
