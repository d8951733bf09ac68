//! Claude Code: `PreToolUse` and `PermissionRequest`.
//!
//! Taken from the package `@anthropic-ai/claude-code` 2.1.325: the schema of hook inputs and outputs
//! in its program, the inputs of its tools in `sdk-tools.d.ts`. Driven for real with `-p`: events,
//! `allow` and `deny` were seen at work, and that a denial's reason is the tool's result in the next
//! turn. The prompt was not seen (it needs a person's terminal): the table of modes is from the
//! documentation.
//!
//! What must be known: a hook that ends with any status but 0 and 2, or that is given up on, lets
//! the call run. File mentions (`@file`) in a person's own prompt are read without a hook.

use std::time::Duration;

use ringfence_guard::{Action, McpAction};
use serde_json::{Value, json};

use super::{bookkeeping, tool, tool_or_mcp};
use crate::agent::{Protocol, Variables};
use crate::answer::{Answer, Reply};
use crate::event::{
    Event, Project, Prompt, Stage, Unreadable, arguments, maybe, other_event, text,
};
use crate::servers::wire_name;
use crate::setup::{self, Setup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "claude-code",
    aliases: &["claude"],
    read,
    reply,
    block,
    setup,
    // 60 seconds were what it waited before it could be told otherwise.
    patience: Duration::from_secs(50),
};

/// Modes in which a hook's "ask" shows the prompt, in a session with a terminal. In the others
/// something else answers: a classifier (`auto`), a rule (`dontAsk`), nobody (`bypassPermissions`).
const PROMPTING: [&str; 3] = ["default", "acceptEdits", "plan"];
/// What Claude Code calls a session at a terminal; `-p` and the SDK have other names.
const AT_A_TERMINAL: &str = "cli";

/// Tools with which it keeps its own books. Other agents that it starts have hooks of their own.
const OWN: [&str; 18] = [
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

fn read(value: &Value, variables: Variables<'_>) -> Result<Event, Unreadable> {
    let stage = match text(value, "hook_event_name")? {
        "PreToolUse" => Stage::BeforeTool,
        "PermissionRequest" => Stage::BeforePrompt,
        other => return Err(other_event(other)),
    };
    let mode = maybe(value, "permission_mode")?;
    let in_front = variables("CLAUDE_CODE_ENTRYPOINT").as_deref() == Some(AT_A_TERMINAL)
        && variables("CLAUDE_CODE_SESSION_ATTENDED").as_deref() != Some("0")
        // The prompt of an agent in the background may be seen by nobody.
        && maybe(value, "agent_id")?.is_none();
    let prompting = mode.as_deref().is_some_and(|mode| PROMPTING.contains(&mode)) && in_front;
    Ok(Event {
        action: action(text(value, "tool_name")?, arguments(value, "tool_input")?, server(value)?),
        cwd: maybe(value, "cwd")?,
        project: Project::named(variables("CLAUDE_PROJECT_DIR")),
        session: maybe(value, "session_id")?,
        stage,
        prompt: if prompting { Prompt::Appears } else { Prompt::Unknown },
    })
}

/// The server whose tool it is, where the event tells: older ones do not.
fn server(value: &Value) -> Result<Vec<String>, Unreadable> {
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
        // What runs elsewhere has no hook here.
        "Agent" | "Task"
            if !matches!(input.get("isolation"), None | Some(Value::Null))
                && of("isolation") != Some("worktree") =>
        {
            tool(name, input)
        }
        _ if OWN.contains(&name) => bookkeeping(name),
        _ => tool_or_mcp(name, servers, input),
    }
}

fn reply(event: &Event, answer: &Answer) -> Reply {
    match event.stage {
        Stage::BeforeTool => before_tool(answer),
        Stage::BeforePrompt => before_prompt(answer),
    }
}

/// The words of `PreToolUse`, which Codex has taken over.
pub(super) fn before_tool(answer: &Answer) -> Reply {
    let (decision, reason) = match answer {
        Answer::NoOpinion => return Reply::silent(),
        Answer::Allow => ("allow", "the ringfence policy grants it"),
        Answer::Prompt(reason) => ("ask", reason.as_str()),
        Answer::Block(reason) => ("deny", reason.as_str()),
    };
    Reply::json(&json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision,
        "permissionDecisionReason": reason,
    }}))
}

/// The words of `PermissionRequest`, which Codex has taken over.
pub(super) fn before_prompt(answer: &Answer) -> Reply {
    let decision = match answer {
        Answer::NoOpinion | Answer::Prompt(_) => return Reply::silent(),
        Answer::Allow => json!({ "behavior": "allow" }),
        Answer::Block(reason) => json!({ "behavior": "deny", "message": reason }),
    };
    let output = json!({ "hookEventName": "PermissionRequest", "decision": decision });
    Reply::json(&json!({ "hookSpecificOutput": output }))
}

/// The same words for every event: the status alone is not heeded for every kind of call.
fn block(reason: &str) -> Reply {
    before_tool(&Answer::Block(reason.to_owned()))
}

fn setup(program: &str) -> Setup {
    let command = setup::command(program, PROTOCOL.name);
    let hook = json!({ "type": "command", "command": command, "timeout": TIMEOUT });
    let group = json!([{ "matcher": "*", "hooks": [hook] }]);
    setup::json(".claude/settings.json", &json!({ "hooks": { "PreToolUse": group } }))
}
