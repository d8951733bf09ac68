//! OpenClaw, and pi, on which OpenClaw is built: a plugin on `before_tool_call` and `tool_call`.
//!
//! Source: the packages `@mariozechner/pi-coding-agent` 0.73.1 (its documentation of extensions)
//! and `openclaw` 2026.9.6 (its documentation of plugin hooks); both were tested. One plugin file
//! serves both: it exports one function, which each program calls with its own interface.

use std::time::Duration;

use ringfence_guard::Action;
use serde_json::{Value, json};

use super::{bookkeeping, plugin, tool};
use crate::agent::{EnvLookup, Protocol};
use crate::event::{EventError, HookEvent};
use crate::setup::HookSetup;

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "openclaw",
    aliases: &["pi"],
    read,
    reply: plugin::reply,
    block: plugin::block,
    setup,
    answer_timeout: Duration::from_secs(100),
};

/// Internal tools of OpenClaw and pi, which touch nothing outside the agent.
const INTERNAL_TOOLS: [&str; 6] = [
    "agents_list",
    "session_status",
    "sessions_history",
    "sessions_list",
    "tool_describe",
    "tool_search",
];

fn read(value: &Value, _: EnvLookup<'_>) -> Result<HookEvent, EventError> {
    plugin::read(value, action)
}

fn action(name: &str, input: Value, _: &[&str]) -> Action {
    if INTERNAL_TOOLS.contains(&name) {
        bookkeeping(name)
    } else {
        tool(name, with_plain_path(input))
    }
}

/// Adds the path that the tool will really open: its tools drop a leading `@` and replace Unicode
/// spaces. Both the plain and the written path are judged.
fn with_plain_path(mut input: Value) -> Value {
    const BLANKS: [char; 4] = ['\u{a0}', '\u{202f}', '\u{205f}', '\u{3000}'];
    let is_blank = |c: char| BLANKS.contains(&c) || ('\u{2000}'..='\u{200a}').contains(&c);
    let Some(fields) = input.as_object_mut() else { return input };
    for key in ["path", "file_path"] {
        let Some(Value::String(written)) = fields.get(key).cloned() else { continue };
        let plain = written.strip_prefix('@').unwrap_or(&written).replace(is_blank, " ");
        if plain != written {
            fields.insert(key.to_owned(), json!([plain, written]));
        }
    }
    input
}

fn setup(program: &str) -> HookSetup {
    let text = plugin::source(include_str!("../../assets/openclaw.js"), program);
    HookSetup { path: ".pi/agent/extensions/ringfence.js", text }
}
