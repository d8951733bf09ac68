//! goose: the hook `PreToolUse` of a plugin.
//!
//! Taken from goose's own documentation of hooks; the package `@aaif/goose-binary-linux-x64` 1.52.0 was
//! driven for real. 1.34.0 runs the same hooks and does not heed what they say.
//!
//! Every tool of goose is a tool of an extension: `developer__shell`, or `shell` where no other has
//! that name. Those of `developer` are known; what has the name of another extension is judged as an
//! MCP tool of it.
//!
//! What must be known: what the agents do to which it delegates, no hook is told. So `delegate` is a
//! tool that needs a grant by name.

use std::time::Duration;

use ringfence_guard::Action;
use serde_json::{Value, json};

use super::{joined, tool};
use crate::agent::{Protocol, Variables};
use crate::answer::{Answer, Reply};
use crate::event::{Event, Project, Unreadable, arguments, maybe, other_event, text};
use crate::setup::{self, Setup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "goose",
    aliases: &[],
    read,
    reply,
    block,
    setup,
    // It waits 30 seconds unless it is told otherwise.
    patience: Duration::from_secs(25),
};

fn read(value: &Value, _: Variables<'_>) -> Result<Event, Unreadable> {
    match text(value, "event")? {
        "PreToolUse" => {}
        other => return Err(other_event(other)),
    }
    let name = text(value, "tool_name")?;
    let mut event = Event::before_tool(action(name, arguments(value, "tool_input")?));
    event.cwd = maybe(value, "working_dir")?;
    event.project = Project::named(event.cwd.clone());
    event.session = maybe(value, "session_id")?;
    Ok(event)
}

fn action(name: &str, input: Value) -> Action {
    match name.split_once("__") {
        // It reads every file below a directory, to tell what is in them.
        Some(("developer", "analyze")) => tool("tree", input),
        None if name == "analyze" => tool("tree", input),
        // What has another `__` may be of an extension that only begins like it.
        Some(("developer", own)) if !own.contains("__") && !own.starts_with('_') => {
            tool(own, input)
        }
        Some(_) => joined(name, "__", Vec::new(), input).unwrap_or_else(|input| tool(name, input)),
        None => tool(name, input),
    }
}

fn reply(_: &Event, answer: &Answer) -> Reply {
    match answer {
        Answer::Allow | Answer::NoOpinion => Reply::json(&json!({ "decision": "allow" })),
        Answer::Prompt(reason) | Answer::Block(reason) => block(reason),
    }
}

fn block(reason: &str) -> Reply {
    Reply::json(&json!({ "decision": "block", "reason": reason })).and_refused(reason)
}

fn setup(program: &str) -> Setup {
    let hook = json!({
        "type": "command",
        "command": setup::command(program, PROTOCOL.name),
        "timeout": TIMEOUT,
        "on_failure": "block",
    });
    let hooks = json!({ "hooks": { "PreToolUse": [{ "hooks": [hook] }] } });
    setup::json(".agents/plugins/ringfence/hooks/hooks.json", &hooks)
}
