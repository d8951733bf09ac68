//! goose: the hook `PreToolUse` of a plugin.
//!
//! Source: goose's documentation of hooks; the package `@aaif/goose-binary-linux-x64` 1.52.0 was
//! tested. goose 1.34.0 runs the same hooks but ignores their answers.
//!
//! Every goose tool belongs to an extension: `developer__shell`, or just `shell` if no other
//! extension has a tool with that name. The tools of `developer` are known; a tool of another
//! extension is judged as an MCP tool.
//!
//! Limits: no hook sees what subagents do. `delegate`, which starts them, therefore needs a grant
//! by name.

use std::time::Duration;

use ringfence_guard::Action;
use serde_json::{Value, json};

use super::{joined, tool};
use crate::agent::{EnvLookup, Protocol};
use crate::answer::{HookAnswer, HookReply};
use crate::event::{AgentProject, EventError, HookEvent, arguments, maybe, other_event, text};
use crate::setup::{self, HookSetup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "goose",
    aliases: &[],
    read,
    reply,
    block,
    setup,
    // goose's default timeout is 30 seconds.
    answer_timeout: Duration::from_secs(25),
};

fn read(value: &Value, _: EnvLookup<'_>) -> Result<HookEvent, EventError> {
    match text(value, "event")? {
        "PreToolUse" => {}
        other => return Err(other_event(other)),
    }
    let name = text(value, "tool_name")?;
    let mut event = HookEvent::before_tool(action(name, arguments(value, "tool_input")?));
    event.cwd = maybe(value, "working_dir")?;
    event.project = AgentProject::named(event.cwd.clone());
    event.session = maybe(value, "session_id")?;
    Ok(event)
}

fn action(name: &str, input: Value) -> Action {
    match name.split_once("__") {
        // `analyze` reads every file below a directory.
        Some(("developer", "analyze")) => tool("tree", input),
        None if name == "analyze" => tool("tree", input),
        // With another `__`, the extension's name may only begin with `developer`.
        Some(("developer", own)) if !own.contains("__") && !own.starts_with('_') => {
            tool(own, input)
        }
        Some(_) => joined(name, "__", Vec::new(), input).unwrap_or_else(|input| tool(name, input)),
        None => tool(name, input),
    }
}

fn reply(_: &HookEvent, answer: &HookAnswer) -> HookReply {
    match answer {
        HookAnswer::Allow | HookAnswer::NoOpinion => {
            HookReply::json(&json!({ "decision": "allow" }))
        }
        HookAnswer::Prompt(reason) | HookAnswer::Block(reason) => block(reason),
    }
}

fn block(reason: &str) -> HookReply {
    HookReply::json(&json!({ "decision": "block", "reason": reason })).and_refused(reason)
}

fn setup(program: &str) -> HookSetup {
    let hook = json!({
        "type": "command",
        "command": setup::command(program, PROTOCOL.name),
        "timeout": TIMEOUT,
        "on_failure": "block",
    });
    let hooks = json!({ "hooks": { "PreToolUse": [{ "hooks": [hook] }] } });
    setup::json(".agents/plugins/ringfence/hooks/hooks.json", &hooks)
}
