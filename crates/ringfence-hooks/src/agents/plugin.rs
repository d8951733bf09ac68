//! The protocol between ringfence and the plugins that it ships, for agents whose hooks are code.
//!
//! The plugin sends one object: `tool`, `args`, `directory`, `project`, `session` and `servers`. It
//! runs the call if the answer is `{"action":"allow"}` and ringfence exited with status 0. In every
//! other case (no program, no answer, unreadable answer) it blocks the call.

use serde_json::{Value, json};

use crate::answer::{HookAnswer, HookReply};
use crate::event::{
    AgentProject, AgentPrompt, EventError, HookEvent, HookStage, arguments, maybe, text,
};
use ringfence_guard::Action;

/// Parses the plugin's event. `action` gets the tool name, the arguments and the names of the
/// agent's MCP servers.
pub(super) fn read(
    value: &Value,
    action: impl FnOnce(&str, Value, &[&str]) -> Action,
) -> Result<HookEvent, EventError> {
    let servers = match value.get("servers") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        Some(_) => return Err(EventError("its `servers` is not a list".to_owned())),
    };
    Ok(HookEvent {
        action: action(text(value, "tool")?, arguments(value, "args")?, &servers),
        cwd: maybe(value, "directory")?,
        project: AgentProject::named(maybe(value, "project")?.or(maybe(value, "directory")?)),
        session: maybe(value, "session")?,
        stage: HookStage::BeforeTool,
        prompt: AgentPrompt::Unknown,
    })
}

pub(super) fn reply(_: &HookEvent, answer: &HookAnswer) -> HookReply {
    match answer {
        HookAnswer::Allow | HookAnswer::NoOpinion => HookReply::json(&json!({ "action": "allow" })),
        HookAnswer::Prompt(reason) | HookAnswer::Block(reason) => block(reason),
    }
}

pub(super) fn block(reason: &str) -> HookReply {
    HookReply::json(&json!({ "action": "block", "message": reason }))
}

/// Returns the plugin's source with the path of ringfence filled in, quoted as a JavaScript string.
pub(super) fn source(template: &str, program: &str) -> String {
    template.replace("\"@PROGRAM@\"", &Value::from(program).to_string())
}
