//! GitHub Copilot CLI: `preToolUse`.
//!
//! Taken from the package `@github/copilot` 1.0.102 (its own help, the types of its SDK) and from
//! GitHub's reference of CLI hooks. Driven for real with `-p` and a model of one's own: events in the
//! short form, `allow` and `deny` were seen at work, and that a denial's reason reaches the model.
//! Unverified: the form `PreToolUse`, and its prompt.
//!
//! Both forms of its events are read: `toolName` and `toolArgs`, and `tool_name` and `tool_input`
//! where the event is configured as `PreToolUse`. It can ask ("ask"), and denies where it cannot
//! show a prompt; no event says which, so it is never told to.

use std::time::Duration;

use ringfence_guard::Action;
use serde_json::{Value, json};

use super::{bookkeeping, joined, tool, tool_or_mcp};
use crate::agent::{Protocol, Variables};
use crate::answer::{Answer, Reply};
use crate::event::{
    Event, Project, Prompt, Stage, Unreadable, arguments, maybe, other_event, text,
};
use crate::setup::{self, Setup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "copilot",
    aliases: &["copilot-cli", "github-copilot"],
    read,
    reply,
    block,
    setup,
    // It waits 30 seconds unless it is told otherwise.
    patience: Duration::from_secs(25),
};

/// Tools with which it keeps its own books.
const OWN: [&str; 12] = [
    "ask_user",
    "exit_plan_mode",
    "list_agents",
    "list_bash",
    "read_agent",
    "read_bash",
    "report_intent",
    "stop_bash",
    "task",
    "task_complete",
    "think",
    "update_todo",
];

/// Its other tools; what is called otherwise is a tool of an MCP server.
const TOOLS: [&str; 20] = [
    "apply_patch",
    "bash",
    "create",
    "edit",
    "fetch",
    "glob",
    "grep",
    "ls",
    "powershell",
    "read_file",
    "rg",
    "shell",
    "skill",
    "sql",
    "store_memory",
    "str_replace_editor",
    "view",
    "web_fetch",
    "web_search",
    "write_bash",
];

fn read(value: &Value, _: Variables<'_>) -> Result<Event, Unreadable> {
    let other = maybe(value, "hook_event_name")?.or(maybe(value, "hookEventName")?);
    match other.as_deref() {
        Some("PreToolUse" | "preToolUse") => {}
        Some(other) => return Err(other_event(other)),
        None if value.get("toolName").is_some() => {}
        None => return Err(Unreadable("it does not say what it is".to_owned())),
    }
    // In its short form an event does not say what it is.
    if value.get("toolResult").is_some() || value.get("tool_result").is_some() {
        return Err(other_event("postToolUse"));
    }
    let (name, input) = match value.get("toolName") {
        Some(_) => (text(value, "toolName")?, arguments(value, "toolArgs")?),
        None => (text(value, "tool_name")?, arguments(value, "tool_input")?),
    };
    Ok(Event {
        action: action(name, input),
        project: Project::named(maybe(value, "cwd")?),
        cwd: maybe(value, "cwd")?,
        session: maybe(value, "sessionId")?.or(maybe(value, "session_id")?),
        stage: Stage::BeforeTool,
        prompt: Prompt::Unknown,
    })
}

fn action(name: &str, input: Value) -> Action {
    let lower = name.to_ascii_lowercase();
    if OWN.contains(&name) {
        return bookkeeping(name);
    }
    if TOOLS.contains(&lower.as_str()) {
        return tool(name, input);
    }
    if name.starts_with("mcp__") {
        return tool_or_mcp(name, Vec::new(), input);
    }
    joined(name, "-", Vec::new(), input).unwrap_or_else(|input| tool(name, input))
}

fn reply(_: &Event, answer: &Answer) -> Reply {
    match answer {
        Answer::NoOpinion => Reply::silent(),
        Answer::Allow => Reply::json(&json!({ "permissionDecision": "allow" })),
        Answer::Prompt(reason) | Answer::Block(reason) => block(reason),
    }
}

fn block(reason: &str) -> Reply {
    Reply::json(&json!({ "permissionDecision": "deny", "permissionDecisionReason": reason }))
}

fn setup(program: &str) -> Setup {
    let command = setup::command(program, PROTOCOL.name);
    let hook = json!({ "type": "command", "bash": command, "timeoutSec": TIMEOUT });
    let hooks = json!({ "version": 1, "hooks": { "preToolUse": [hook] } });
    setup::json(".copilot/hooks/ringfence.json", &hooks)
}
