//! GitHub Copilot CLI: `preToolUse`.
//!
//! Source: the package `@github/copilot` 1.0.102 (its help text; the types of its SDK) and GitHub's
//! reference of CLI hooks. Tested against the real program with `-p` and a local model: events in
//! the short form, `allow`, `deny`, and that the model reads the reason of a denial. The form
//! `PreToolUse` and its prompt were not tested.
//!
//! Two event forms are parsed: the short form (`toolName`, `toolArgs`), and the form used if the
//! hook is configured as `PreToolUse` (`tool_name`, `tool_input`). Copilot supports "ask", but
//! denies the call where it cannot show a prompt. No event says whether it can, so ringfence never
//! answers "ask".

use std::time::Duration;

use ringfence_guard::Action;
use serde_json::{Value, json};

use super::{bookkeeping, joined, tool, tool_or_mcp};
use crate::agent::{EnvLookup, Protocol};
use crate::answer::{HookAnswer, HookReply};
use crate::event::{
    AgentProject, AgentPrompt, EventError, HookEvent, HookStage, arguments, maybe, other_event,
    text,
};
use crate::setup::{self, HookSetup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "copilot",
    aliases: &["copilot-cli", "github-copilot"],
    read,
    reply,
    block,
    setup,
    // Copilot's default timeout is 30 seconds.
    answer_timeout: Duration::from_secs(25),
};

/// Copilot's internal tools, which touch nothing outside the agent.
const INTERNAL_TOOLS: [&str; 12] = [
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

/// Copilot's other built-in tools. Every other name is a tool of an MCP server.
const BUILTIN_TOOLS: [&str; 20] = [
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

fn read(value: &Value, _: EnvLookup<'_>) -> Result<HookEvent, EventError> {
    let other = maybe(value, "hook_event_name")?.or(maybe(value, "hookEventName")?);
    match other.as_deref() {
        Some("PreToolUse" | "preToolUse") => {}
        Some(other) => return Err(other_event(other)),
        None if value.get("toolName").is_some() => {}
        None => return Err(EventError("it has no event name".to_owned())),
    }
    // An event in the short form has no event name; a result marks it as `postToolUse`.
    if value.get("toolResult").is_some() || value.get("tool_result").is_some() {
        return Err(other_event("postToolUse"));
    }
    let (name, input) = match value.get("toolName") {
        Some(_) => (text(value, "toolName")?, arguments(value, "toolArgs")?),
        None => (text(value, "tool_name")?, arguments(value, "tool_input")?),
    };
    Ok(HookEvent {
        action: action(name, input),
        project: AgentProject::named(maybe(value, "cwd")?),
        cwd: maybe(value, "cwd")?,
        session: maybe(value, "sessionId")?.or(maybe(value, "session_id")?),
        stage: HookStage::BeforeTool,
        prompt: AgentPrompt::Unknown,
    })
}

fn action(name: &str, input: Value) -> Action {
    let lower = name.to_ascii_lowercase();
    if INTERNAL_TOOLS.contains(&name) {
        return bookkeeping(name);
    }
    if BUILTIN_TOOLS.contains(&lower.as_str()) {
        return tool(name, input);
    }
    if name.starts_with("mcp__") {
        return tool_or_mcp(name, Vec::new(), input);
    }
    joined(name, "-", Vec::new(), input).unwrap_or_else(|input| tool(name, input))
}

fn reply(_: &HookEvent, answer: &HookAnswer) -> HookReply {
    match answer {
        HookAnswer::NoOpinion => HookReply::silent(),
        HookAnswer::Allow => HookReply::json(&json!({ "permissionDecision": "allow" })),
        HookAnswer::Prompt(reason) | HookAnswer::Block(reason) => block(reason),
    }
}

fn block(reason: &str) -> HookReply {
    HookReply::json(&json!({ "permissionDecision": "deny", "permissionDecisionReason": reason }))
}

fn setup(program: &str) -> HookSetup {
    let command = setup::command(program, PROTOCOL.name);
    let hook = json!({ "type": "command", "bash": command, "timeoutSec": TIMEOUT });
    let hooks = json!({ "version": 1, "hooks": { "preToolUse": [hook] } });
    setup::json(".copilot/hooks/ringfence.json", &hooks)
}
