//! Kiro: the hook `preToolUse` of its command-line agents.
//!
//! Taken from the documentation of Kiro CLI and of the Amazon Q Developer CLI that it came from.
//! Unverified: it was not driven for real. A hook says no by its status, 2, with the reason beside.

use std::time::Duration;

use ringfence_guard::Action;
use serde_json::{Value, json};

use super::{bookkeeping, joined, tool};
use crate::agent::{Protocol, Variables};
use crate::answer::{Answer, Reply};
use crate::event::{Event, Project, Unreadable, arguments, maybe, other_event, text};
use crate::setup::{self, Setup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "kiro",
    aliases: &["kiro-cli", "amazon-q"],
    read,
    reply,
    block,
    setup,
    // It waits 30 seconds unless it is told otherwise.
    patience: Duration::from_secs(25),
};

/// Tools with which it keeps its own books.
const OWN: [&str; 4] = ["delegate", "thinking", "todo_list", "use_subagent"];

fn read(value: &Value, _: Variables<'_>) -> Result<Event, Unreadable> {
    match text(value, "hook_event_name")? {
        "preToolUse" | "PreToolUse" => {}
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
    if let Some(own) = name.strip_prefix('@') {
        return joined(own, "/", Vec::new(), input).unwrap_or_else(|input| tool(name, input));
    }
    match name {
        _ if OWN.contains(&name) => bookkeeping(name),
        "fs_read" => tool("read_file", input),
        "fs_write" => tool("edit_file", input),
        _ => tool(name, input),
    }
}

fn reply(_: &Event, answer: &Answer) -> Reply {
    match answer {
        Answer::Allow | Answer::NoOpinion => Reply::silent(),
        Answer::Prompt(reason) | Answer::Block(reason) => block(reason),
    }
}

fn block(reason: &str) -> Reply {
    Reply::refused(reason)
}

fn setup(program: &str) -> Setup {
    let command = setup::command(program, PROTOCOL.name);
    let timeout = TIMEOUT.saturating_mul(1000);
    let hook = json!({ "matcher": "*", "command": command, "timeout_ms": timeout });
    let agent = json!({ "name": "ringfence", "tools": ["*"], "hooks": { "preToolUse": [hook] } });
    setup::json(".kiro/agents/ringfence.json", &agent)
}
