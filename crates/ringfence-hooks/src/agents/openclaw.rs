//! OpenClaw, and pi on which it is built: a plugin on `before_tool_call` and `tool_call`.
//!
//! Taken from the packages `@mariozechner/pi-coding-agent` 0.73.1 (its documentation of extensions)
//! and `openclaw` 2026.9.6 (its documentation of plugin hooks); both were driven for real. One file
//! serves both: it exports one function, and each calls that with an interface of its own.

use std::time::Duration;

use ringfence_guard::Action;
use serde_json::{Value, json};

use super::{bookkeeping, plugin, tool};
use crate::agent::{Protocol, Variables};
use crate::event::{Event, Unreadable};
use crate::setup::Setup;

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "openclaw",
    aliases: &["pi"],
    read,
    reply: plugin::reply,
    block: plugin::block,
    setup,
    patience: Duration::from_secs(100),
};

/// Tools with which it keeps its own books.
const OWN: [&str; 6] = [
    "agents_list",
    "session_status",
    "sessions_history",
    "sessions_list",
    "tool_describe",
    "tool_search",
];

fn read(value: &Value, _: Variables<'_>) -> Result<Event, Unreadable> {
    plugin::read(value, action)
}

fn action(name: &str, input: Value, _: &[&str]) -> Action {
    if OWN.contains(&name) { bookkeeping(name) } else { tool(name, with_plain_path(input)) }
}

/// Its tools drop an `@` before a path, and take any blank for a plain one; what was written is
/// judged as well.
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

fn setup(program: &str) -> Setup {
    let text = plugin::source(include_str!("../../assets/openclaw.js"), program);
    Setup { path: ".pi/agent/extensions/ringfence.js", text }
}
