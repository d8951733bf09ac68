//! Kiro: the hook `preToolUse` of its command-line agents.
//!
//! Source: the documentation of Kiro CLI and of its predecessor, the Amazon Q Developer CLI. Not
//! tested against the real program. A hook refuses a call by exit status 2, with the reason on
//! stderr.

use std::time::Duration;

use ringfence_guard::Action;
use serde_json::{Value, json};

use super::{bookkeeping, joined, tool};
use crate::agent::{EnvLookup, Protocol};
use crate::answer::{HookAnswer, HookReply};
use crate::event::{AgentProject, EventError, HookEvent, arguments, maybe, other_event, text};
use crate::setup::{self, HookSetup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "kiro",
    aliases: &["kiro-cli", "amazon-q"],
    read,
    reply,
    block,
    setup,
    // Kiro's default timeout is 30 seconds.
    answer_timeout: Duration::from_secs(25),
};

/// Kiro's internal tools, which touch nothing outside the agent.
const INTERNAL_TOOLS: [&str; 4] = ["delegate", "thinking", "todo_list", "use_subagent"];

fn read(value: &Value, _: EnvLookup<'_>) -> Result<HookEvent, EventError> {
    match text(value, "hook_event_name")? {
        "preToolUse" | "PreToolUse" => {}
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
    if let Some(own) = name.strip_prefix('@') {
        return joined(own, "/", Vec::new(), input).unwrap_or_else(|input| tool(name, input));
    }
    match name {
        _ if INTERNAL_TOOLS.contains(&name) => bookkeeping(name),
        "fs_read" => tool("read_file", input),
        "fs_write" => tool("edit_file", input),
        _ => tool(name, input),
    }
}

fn reply(_: &HookEvent, answer: &HookAnswer) -> HookReply {
    match answer {
        HookAnswer::Allow | HookAnswer::NoOpinion => HookReply::silent(),
        HookAnswer::Prompt(reason) | HookAnswer::Block(reason) => block(reason),
    }
}

fn block(reason: &str) -> HookReply {
    HookReply::refused(reason)
}

fn setup(program: &str) -> HookSetup {
    let command = setup::command(program, PROTOCOL.name);
    let timeout = TIMEOUT.saturating_mul(1000);
    let hook = json!({ "matcher": "*", "command": command, "timeout_ms": timeout });
    let agent = json!({ "name": "ringfence", "tools": ["*"], "hooks": { "preToolUse": [hook] } });
    setup::json(".kiro/agents/ringfence.json", &agent)
}
