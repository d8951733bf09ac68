//! Windsurf: the hooks that Cascade calls before it reads or writes a file, runs a command or calls
//! an MCP tool.
//!
//! Source: Windsurf's documentation of Cascade hooks. Not tested against the real program. A hook
//! refuses a call by exit status 2, with the reason on stderr; there is no other answer.

use std::time::Duration;

use serde_json::{Value, json};

use super::{mcp, tool};
use crate::agent::{EnvLookup, Protocol};
use crate::answer::{HookAnswer, HookReply};
use crate::event::{AgentProject, EventError, HookEvent, arguments, maybe, other_event, text};
use crate::setup::{self, HookSetup};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "windsurf",
    aliases: &["cascade"],
    read,
    reply,
    block,
    setup,
    answer_timeout: Duration::from_secs(25),
};

/// The events that are judged.
const EVENTS: [&str; 4] =
    ["pre_read_code", "pre_write_code", "pre_run_command", "pre_mcp_tool_use"];

fn read(value: &Value, _: EnvLookup<'_>) -> Result<HookEvent, EventError> {
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
    let mut event = HookEvent::before_tool(action);
    event.cwd = maybe(info, "cwd")?;
    // The model chose the directory of the command, so it does not name the project.
    event.project = AgentProject::HooksOwn;
    event.session = maybe(value, "trajectory_id")?;
    Ok(event)
}

fn paths(info: &Value) -> Result<Value, EventError> {
    Ok(json!({ "file_path": text(info, "file_path")? }))
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
    let hook = json!([{ "command": command, "show_output": true }]);
    let hooks: serde_json::Map<String, Value> =
        EVENTS.iter().map(|event| ((*event).to_owned(), hook.clone())).collect();
    setup::json(".codeium/windsurf/hooks.json", &json!({ "hooks": hooks }))
}
