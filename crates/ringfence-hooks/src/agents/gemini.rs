//! Gemini CLI: `BeforeTool`.
//!
//! Taken from the package `@google/gemini-cli` 0.61.0: its bundled pages on hooks and tools, and the
//! code of its scheduler. It takes `deny`; `allow` changes nothing about its own permissions. It
//! knows `ask` too, but no event says whether its prompt would be shown, so it is never told to.
//!
//! What must be known: a hook that ends with any status but 0 and 2, or that is given up on, lets
//! the call run.

use std::time::Duration;

use ringfence_guard::{Action, McpAction};
use serde_json::{Value, json};

use super::{bookkeeping, joined, mcp, tool, tool_or_mcp};
use crate::agent::{Protocol, Variables};
use crate::answer::{Answer, Reply};
use crate::event::{
    Event, Project, Prompt, Stage, Unreadable, arguments, maybe, other_event, text,
};
use crate::setup::{self, Setup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "gemini",
    aliases: &["gemini-cli"],
    read,
    reply,
    block,
    setup,
    // It waits 60 seconds unless it is told otherwise.
    patience: Duration::from_secs(50),
};

/// Tools with which it keeps its own books.
const OWN: [&str; 14] = [
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

fn read(value: &Value, variables: Variables<'_>) -> Result<Event, Unreadable> {
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
    Ok(Event {
        action,
        cwd: maybe(value, "cwd")?,
        project: Project::named(variables("GEMINI_PROJECT_DIR")),
        session: maybe(value, "session_id")?,
        stage: Stage::BeforeTool,
        prompt: Prompt::Unknown,
    })
}

fn action(name: &str, input: Value) -> Action {
    let of = |key: &str| input.get(key).and_then(Value::as_str);
    match name {
        _ if OWN.contains(&name) => bookkeeping(name),
        "read_mcp_resource" => match (of("server").or(of("server_name")), of("uri")) {
            (Some(server), Some(uri)) => {
                let item = McpAction::Resource(uri.to_owned());
                Action::Mcp { server: server.to_owned(), item }
            }
            _ => tool(name, input),
        },
        // Without its context, a tool of a server has the server's name before its own.
        _ if name.starts_with("mcp_") && !name.starts_with("mcp__") => {
            let rest = name.strip_prefix("mcp_").unwrap_or(name);
            joined(rest, "_", Vec::new(), input).unwrap_or_else(|input| mcp(rest, rest, input))
        }
        // It fetches what stands in the prompt, whatever else it is told.
        "web_fetch" => tool(name, with_url_in_prompt(input)),
        // A command runs in a directory that is named in a way of its own.
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
        // Each under a key of its own: where they differ it cannot be told which one counts.
        for (key, own) in [("dir_path", "cwd"), ("directory", "workdir")] {
            if let Some(directory) = fields.shift_remove(key).filter(|own| own != "") {
                fields.insert(own.to_owned(), directory);
            }
        }
    }
    input
}

fn reply(_: &Event, answer: &Answer) -> Reply {
    match answer {
        Answer::NoOpinion => Reply::silent(),
        Answer::Allow => Reply::json(&json!({ "decision": "allow" })),
        Answer::Prompt(reason) | Answer::Block(reason) => block(reason),
    }
}

fn block(reason: &str) -> Reply {
    Reply::json(&json!({ "decision": "deny", "reason": reason }))
}

fn setup(program: &str) -> Setup {
    let hook = json!({
        "type": "command",
        "name": "ringfence",
        "command": setup::command(program, PROTOCOL.name),
        "timeout": TIMEOUT.saturating_mul(1000),
    });
    let group = json!([{ "matcher": ".*", "hooks": [hook] }]);
    setup::json(".gemini/settings.json", &json!({ "hooks": { "BeforeTool": group } }))
}
