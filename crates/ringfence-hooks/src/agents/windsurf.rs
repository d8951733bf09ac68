//! Windsurf: the hooks of Cascade before it reads, writes, runs, or calls an MCP tool.
//!
//! Taken from Windsurf's documentation of Cascade hooks. Unverified: it was not driven for real.
//! A hook says no by its status, 2, with the reason beside it; it has no other words.

use std::time::Duration;

use serde_json::{Value, json};

use super::{mcp, tool};
use crate::agent::{Protocol, Variables};
use crate::answer::{Answer, Reply};
use crate::event::{Event, Project, Unreadable, arguments, maybe, other_event, text};
use crate::setup::{self, Setup};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "windsurf",
    aliases: &["cascade"],
    read,
    reply,
    block,
    setup,
    patience: Duration::from_secs(25),
};

/// The events that are judged.
const EVENTS: [&str; 4] =
    ["pre_read_code", "pre_write_code", "pre_run_command", "pre_mcp_tool_use"];

fn read(value: &Value, _: Variables<'_>) -> Result<Event, Unreadable> {
    let name = text(value, "agent_action_name")?;
    let none = Value::Null;
    let info = value.get("tool_info").unwrap_or(&none);
    let action = match name {
        "pre_read_code" => tool("read_file", paths(info)?),
        "pre_write_code" => tool("edit_file", paths(info)?),
        "pre_run_command" => tool("run_command", json!({ "command": text(info, "command_line")? })),
        "pre_mcp_tool_use" => mcp(
            text(info, "mcp_server_name")?,
            text(info, "mcp_tool_name")?,
            arguments(info, "mcp_tool_arguments")?,
        ),
        other => return Err(other_event(other)),
    };
    let mut event = Event::before_tool(action);
    event.cwd = maybe(info, "cwd")?;
    // The directory of a command is the model's choice.
    event.project = Project::HooksOwn;
    event.session = maybe(value, "trajectory_id")?;
    Ok(event)
}

fn paths(info: &Value) -> Result<Value, Unreadable> {
    Ok(json!({ "file_path": text(info, "file_path")? }))
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
    let hook = json!([{ "command": command, "show_output": true }]);
    let hooks: serde_json::Map<String, Value> =
        EVENTS.iter().map(|event| ((*event).to_owned(), hook.clone())).collect();
    setup::json(".codeium/windsurf/hooks.json", &json!({ "hooks": hooks }))
}
