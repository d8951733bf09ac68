//! The words between ringfence and the plugins that it ships for agents whose hooks are code.
//!
//! The plugin hands over one object: `tool`, `args`, `directory`, `project`, `session` and `servers`.
//! It goes on if the answer is `{"action":"allow"}` and the process ended well, and blocks the call
//! on anything else: no program, no answer, an answer that cannot be read.

use serde_json::{Value, json};

use crate::answer::{Answer, Reply};
use crate::event::{Event, Project, Prompt, Stage, Unreadable, arguments, maybe, text};
use ringfence_guard::Action;

/// What a plugin handed over, and the names of the MCP servers that the agent has.
pub(super) fn read(
    value: &Value,
    action: impl FnOnce(&str, Value, &[&str]) -> Action,
) -> Result<Event, Unreadable> {
    let servers = match value.get("servers") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        Some(_) => return Err(Unreadable("its `servers` are no list".to_owned())),
    };
    Ok(Event {
        action: action(text(value, "tool")?, arguments(value, "args")?, &servers),
        cwd: maybe(value, "directory")?,
        project: Project::named(maybe(value, "project")?.or(maybe(value, "directory")?)),
        session: maybe(value, "session")?,
        stage: Stage::BeforeTool,
        prompt: Prompt::Unknown,
    })
}

pub(super) fn reply(_: &Event, answer: &Answer) -> Reply {
    match answer {
        Answer::Allow | Answer::NoOpinion => Reply::json(&json!({ "action": "allow" })),
        Answer::Prompt(reason) | Answer::Block(reason) => block(reason),
    }
}

pub(super) fn block(reason: &str) -> Reply {
    Reply::json(&json!({ "action": "block", "message": reason }))
}

/// The text of a plugin, with the program that it calls. The program's name goes in as a string of
/// JavaScript, whatever characters it has.
pub(super) fn source(template: &str, program: &str) -> String {
    template.replace("\"@PROGRAM@\"", &Value::from(program).to_string())
}
