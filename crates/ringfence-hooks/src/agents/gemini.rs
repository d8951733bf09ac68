//! Gemini CLI: `BeforeTool`.
//!
//! Source: the package `@google/gemini-cli` 0.61.0 (its bundled pages on hooks and tools; the code
//! of its scheduler). Gemini CLI accepts `deny`; `allow` does not change its own permissions. It
//! also supports `ask`, but no event says whether the prompt would be shown, so ringfence never
//! answers `ask`.
//!
//! Limits: if a hook exits with a status other than 0 and 2, or times out, Gemini CLI runs the
//! call.

use std::time::Duration;

use ringfence_guard::{Action, McpAction};
use serde_json::{Value, json};

use super::{bookkeeping, joined, mcp, tool, tool_or_mcp};
use crate::agent::{EnvLookup, Protocol};
use crate::answer::{HookAnswer, HookReply};
use crate::event::{
    AgentProject, AgentPrompt, EventError, HookEvent, HookStage, arguments, maybe, other_event,
    text,
};
use crate::setup::{self, HookSetup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "gemini",
    aliases: &["gemini-cli"],
    read,
    reply,
    block,
    setup,
    // Gemini CLI's default timeout is 60 seconds.
    answer_timeout: Duration::from_secs(50),
};

/// Gemini CLI's internal tools, which touch nothing outside the agent.
const INTERNAL_TOOLS: [&str; 14] = [
    "ask_user",
    "complete_task",
    "enter_plan_mode",
    "exit_plan_mode",
    "get_internal_docs",
    "invoke_agent",
    "tracker_add_dependency",
    "tracker_create_task",
    "tracker_get_task",
    "tracker_list_tasks",
    "tracker_update_task",
    "tracker_visualize",
    "update_topic",
    "write_todos",
];

fn read(value: &Value, variables: EnvLookup<'_>) -> Result<HookEvent, EventError> {
    match text(value, "hook_event_name")? {
        "BeforeTool" => {}
        other => return Err(other_event(other)),
    }
    let name = text(value, "tool_name")?;
    let input = arguments(value, "tool_input")?;
    let action = match value.get("mcp_context") {
        Some(context @ Value::Object(_)) => {
            mcp(text(context, "server_name")?, text(context, "tool_name")?, input)
        }
        _ => action(name, input),
    };
    Ok(HookEvent {
        action,
        cwd: maybe(value, "cwd")?,
        project: AgentProject::named(variables("GEMINI_PROJECT_DIR")),
        session: maybe(value, "session_id")?,
        stage: HookStage::BeforeTool,
        prompt: AgentPrompt::Unknown,
    })
}

fn action(name: &str, input: Value) -> Action {
    let of = |key: &str| input.get(key).and_then(Value::as_str);
    match name {
        _ if INTERNAL_TOOLS.contains(&name) => bookkeeping(name),
        "read_mcp_resource" => match (of("server").or(of("server_name")), of("uri")) {
            (Some(server), Some(uri)) => {
                let item = McpAction::Resource(uri.to_owned());
                Action::Mcp { server: server.to_owned(), item }
            }
            _ => tool(name, input),
        },
        // Without `mcp_context`, the name of an MCP tool is `mcp_SERVER_TOOL`.
        _ if name.starts_with("mcp_") && !name.starts_with("mcp__") => {
            let rest = name.strip_prefix("mcp_").unwrap_or(name);
            joined(rest, "_", Vec::new(), input).unwrap_or_else(|input| mcp(rest, rest, input))
        }
        // `web_fetch` fetches the URLs in `prompt` even if `url` is set.
        "web_fetch" => tool(name, with_url_in_prompt(input)),
        // `run_shell_command` has its own key for the working directory.
        "run_shell_command" => tool(name, with_directory(input)),
        _ => tool_or_mcp(name, Vec::new(), input),
    }
}

fn with_url_in_prompt(mut input: Value) -> Value {
    if let Some(fields) = input.as_object_mut()
        && let (Some(Value::String(prompt)), Some(Value::String(url))) =
            (fields.get("prompt"), fields.get("url"))
    {
        let both = format!("{prompt}\n{url}");
        fields.shift_remove("url");
        fields.insert("prompt".to_owned(), both.into());
    }
    input
}

fn with_directory(mut input: Value) -> Value {
    if let Some(fields) = input.as_object_mut() {
        // Each key keeps its own place: if their values differ, nobody can tell which one Gemini
        // CLI uses.
        for (key, own) in [("dir_path", "cwd"), ("directory", "workdir")] {
            if let Some(directory) = fields.shift_remove(key).filter(|own| own != "") {
                fields.insert(own.to_owned(), directory);
            }
        }
    }
    input
}

fn reply(_: &HookEvent, answer: &HookAnswer) -> HookReply {
    match answer {
        HookAnswer::NoOpinion => HookReply::silent(),
        HookAnswer::Allow => HookReply::json(&json!({ "decision": "allow" })),
        HookAnswer::Prompt(reason) | HookAnswer::Block(reason) => block(reason),
    }
}

fn block(reason: &str) -> HookReply {
    HookReply::json(&json!({ "decision": "deny", "reason": reason }))
}

fn setup(program: &str) -> HookSetup {
    let hook = json!({
        "type": "command",
        "name": "ringfence",
        "command": setup::command(program, PROTOCOL.name),
        "timeout": TIMEOUT.saturating_mul(1000),
    });
    let group = json!([{ "matcher": ".*", "hooks": [hook] }]);
    setup::json(".gemini/settings.json", &json!({ "hooks": { "BeforeTool": group } }))
}
