//! Claude Code: `PreToolUse` and `PermissionRequest`.
//!
//! Source: the package `@anthropic-ai/claude-code` 2.1.325 (the schema of hook inputs and outputs
//! in its program; the tool inputs in `sdk-tools.d.ts`). Tested against the real program with `-p`:
//! its events, `allow`, `deny`, and that the model reads the reason of a denial as the tool's
//! result. The prompt was not tested, because it needs a person's terminal; the table of modes
//! comes from the documentation.
//!
//! Limits: if a hook exits with a status other than 0 and 2, or times out, Claude Code runs the
//! call. Files that a person mentions in a prompt (`@file`) are read without a hook.

use std::time::Duration;

use ringfence_guard::{Action, McpAction};
use serde_json::{Value, json};

use super::{bookkeeping, tool, tool_or_mcp};
use crate::agent::{EnvLookup, Protocol};
use crate::answer::{HookAnswer, HookReply};
use crate::event::{
    AgentProject, AgentPrompt, EventError, HookEvent, HookStage, arguments, maybe, other_event,
    text,
};
use crate::servers::wire_name;
use crate::setup::{self, HookSetup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "claude-code",
    aliases: &["claude"],
    read,
    reply,
    block,
    setup,
    // Older versions of Claude Code use a fixed timeout of 60 seconds.
    answer_timeout: Duration::from_secs(50),
};

/// Permission modes in which a hook's "ask" shows Claude Code's prompt, if the session has a
/// terminal. In other modes a classifier (`auto`), a rule (`dontAsk`) or nobody
/// (`bypassPermissions`) answers.
const PROMPTING: [&str; 3] = ["default", "acceptEdits", "plan"];
/// The value of `CLAUDE_CODE_ENTRYPOINT` in a session at a terminal; `-p` and the SDK set other
/// values.
const AT_A_TERMINAL: &str = "cli";

/// Claude Code's internal tools, which touch nothing outside the agent. Subagents started by them
/// call the hook themselves.
const INTERNAL_TOOLS: [&str; 18] = [
    "Agent",
    "AskUserQuestion",
    "BashOutput",
    "EnterPlanMode",
    "ExitPlanMode",
    "KillBash",
    "KillShell",
    "StructuredOutput",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
];

fn read(value: &Value, variables: EnvLookup<'_>) -> Result<HookEvent, EventError> {
    let stage = match text(value, "hook_event_name")? {
        "PreToolUse" => HookStage::BeforeTool,
        "PermissionRequest" => HookStage::BeforePrompt,
        other => return Err(other_event(other)),
    };
    let mode = maybe(value, "permission_mode")?;
    let in_front = variables("CLAUDE_CODE_ENTRYPOINT").as_deref() == Some(AT_A_TERMINAL)
        && variables("CLAUDE_CODE_SESSION_ATTENDED").as_deref() != Some("0")
        // A subagent runs in the background, so possibly nobody sees its prompt.
        && maybe(value, "agent_id")?.is_none();
    let prompting = mode.as_deref().is_some_and(|mode| PROMPTING.contains(&mode)) && in_front;
    Ok(HookEvent {
        action: action(text(value, "tool_name")?, arguments(value, "tool_input")?, server(value)?),
        cwd: maybe(value, "cwd")?,
        project: AgentProject::named(variables("CLAUDE_PROJECT_DIR")),
        session: maybe(value, "session_id")?,
        stage,
        prompt: if prompting { AgentPrompt::Appears } else { AgentPrompt::Unknown },
    })
}

/// Returns the MCP server that the event names. Older versions of Claude Code do not name one.
fn server(value: &Value) -> Result<Vec<String>, EventError> {
    match value.get("mcp_server") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(server) => Ok(vec![wire_name(text(server, "name")?)]),
    }
}

fn action(name: &str, input: Value, servers: Vec<String>) -> Action {
    let of = |key: &str| input.get(key).and_then(Value::as_str);
    match name {
        "ReadMcpResourceTool" | "ReadMcpResource" => match (of("server"), of("uri")) {
            (Some(server), Some(uri)) => {
                let item = McpAction::Resource(uri.to_owned());
                Action::Mcp { server: server.to_owned(), item }
            }
            _ => tool(name, input),
        },
        // A subagent that runs on another machine does not call this hook.
        "Agent" | "Task"
            if !matches!(input.get("isolation"), None | Some(Value::Null))
                && of("isolation") != Some("worktree") =>
        {
            tool(name, input)
        }
        _ if INTERNAL_TOOLS.contains(&name) => bookkeeping(name),
        _ => tool_or_mcp(name, servers, input),
    }
}

fn reply(event: &HookEvent, answer: &HookAnswer) -> HookReply {
    match event.stage {
        HookStage::BeforeTool => before_tool(answer),
        HookStage::BeforePrompt => before_prompt(answer),
    }
}

/// Formats an answer for `PreToolUse`. Codex uses the same format.
pub(super) fn before_tool(answer: &HookAnswer) -> HookReply {
    let (decision, reason) = match answer {
        HookAnswer::NoOpinion => return HookReply::silent(),
        HookAnswer::Allow => ("allow", "the ringfence policy grants it"),
        HookAnswer::Prompt(reason) => ("ask", reason.as_str()),
        HookAnswer::Block(reason) => ("deny", reason.as_str()),
    };
    HookReply::json(&json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision,
        "permissionDecisionReason": reason,
    }}))
}

/// Formats an answer for `PermissionRequest`. Codex uses the same format.
pub(super) fn before_prompt(answer: &HookAnswer) -> HookReply {
    let decision = match answer {
        HookAnswer::NoOpinion | HookAnswer::Prompt(_) => return HookReply::silent(),
        HookAnswer::Allow => json!({ "behavior": "allow" }),
        HookAnswer::Block(reason) => json!({ "behavior": "deny", "message": reason }),
    };
    let output = json!({ "hookEventName": "PermissionRequest", "decision": decision });
    HookReply::json(&json!({ "hookSpecificOutput": output }))
}

/// Formats a refusal for any event. Claude Code ignores the exit status for some kinds of call, so
/// the refusal is JSON.
fn block(reason: &str) -> HookReply {
    before_tool(&HookAnswer::Block(reason.to_owned()))
}

fn setup(program: &str) -> HookSetup {
    let command = setup::command(program, PROTOCOL.name);
    let hook = json!({ "type": "command", "command": command, "timeout": TIMEOUT });
    let group = json!([{ "matcher": "*", "hooks": [hook] }]);
    setup::json(".claude/settings.json", &json!({ "hooks": { "PreToolUse": group } }))
}
