//! Codex CLI: `PreToolUse` and `PermissionRequest`.
//!
//! Taken from the package `@openai/codex` 0.166.0: the JSON schemas of hook inputs and outputs that
//! its program holds, and the sources of its hooks. It takes `deny` before a tool, and nothing else:
//! "ask" is not supported there, and "allow" only beside a changed input, so what is granted is
//! answered with silence, and with `allow` when Codex is about to show its own prompt.
//!
//! What must be known: a hook that fails, or is given up on, lets the call run. The `cwd` of an event
//! is the directory that the model chose for the call; the project is told by the session's record.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::time::Duration;

use ringfence_guard::Action;
use ringfence_guard::world::{Links, open_file};
use serde_json::{Value, json};

use super::claude_code::{before_prompt, before_tool};
use super::{bookkeeping, tool, tool_or_mcp};
use crate::agent::{Protocol, Variables};
use crate::answer::{Answer, Reply};
use crate::event::{
    self, Event, Project, Prompt, Stage, Unreadable, arguments, maybe, other_event, text,
};
use crate::setup::{self, Setup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "codex",
    aliases: &["codex-cli"],
    read,
    reply,
    block,
    setup,
    patience: Duration::from_secs(50),
};

/// Tools with which it keeps its own books.
const OWN: [&str; 12] = [
    "close_agent",
    "create_goal",
    "get_goal",
    "list_agents",
    "request_user_input",
    "resume_agent",
    "send_input",
    "spawn_agent",
    "update_goal",
    "update_plan",
    "wait",
    "wait_agent",
];

/// Where most of the tools for other agents are, which it puts before their names without a mark
/// between them.
const OF_AGENTS: &str = "multi_agent_v1";

fn read(value: &Value, _: Variables<'_>) -> Result<Event, Unreadable> {
    let stage = match text(value, "hook_event_name")? {
        "PreToolUse" => Stage::BeforeTool,
        "PermissionRequest" => Stage::BeforePrompt,
        other => return Err(other_event(other)),
    };
    Ok(Event {
        action: action(text(value, "tool_name")?, arguments(value, "tool_input")?),
        cwd: maybe(value, "cwd")?,
        project: Project::named(session_directory(value)),
        session: maybe(value, "session_id")?,
        stage,
        prompt: Prompt::Unknown,
    })
}

/// The directory in which the session was started, as its record has it. The `cwd` of an event is
/// the one that the model chose for the call.
fn session_directory(value: &Value) -> Option<String> {
    const LONGEST: u64 = 1 << 20;
    let record = value.get("transcript_path")?.as_str()?;
    let mut first = String::new();
    // An event may come from inside a run, and name a pipe that nobody writes to.
    let file = BufReader::new(open_file(Path::new(record), Links::Followed).ok()?);
    file.take(LONGEST).read_line(&mut first).ok()?;
    let meta = event::parse(&first).ok()?;
    let of_session = meta.get("type")?.as_str()? == "session_meta";
    let directory = meta.pointer("/payload/cwd").filter(|_| of_session)?;
    directory.as_str().map(str::to_owned)
}

fn action(name: &str, input: Value) -> Action {
    match name {
        _ if OWN.contains(&name.strip_prefix(OF_AGENTS).unwrap_or(name)) => bookkeeping(name),
        // Without text it only looks at what the command has printed.
        "write_stdin" if is_empty(input.get("chars")) => bookkeeping(name),
        "Bash" | "shell" | "local_shell" | "exec_command" => match own_shell(&input) {
            Some((line, shell)) => match patch_in(line, &input) {
                Some(patch) => patch,
                None => tool(name, without_wrapper(&input, line, shell)),
            },
            None => {
                let line = input.get("command").and_then(Value::as_str);
                let patch = line.and_then(|line| patch_in(line, &input));
                patch.unwrap_or_else(|| tool(name, input))
            }
        },
        _ => tool_or_mcp(name, Vec::new(), input),
    }
}

fn is_empty(typed: Option<&Value>) -> bool {
    match typed {
        None | Some(Value::Null) => true,
        Some(typed) => typed.as_str().is_some_and(str::is_empty),
    }
}

/// The line inside `bash -lc LINE`, which is how Codex itself runs what the model wrote.
fn own_shell(input: &Value) -> Option<(&str, &str)> {
    let words = input.get("command")?.as_array()?;
    let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
    match words?.as_slice() {
        [shell, "-lc" | "-c", line] if is_shell(shell) => Some((line, shell)),
        _ => None,
    }
}

/// The patch in `apply_patch <<'EOF'`, which no shell runs: Codex takes it out and applies it.
///
/// Only where nothing else stands on the line, and no shell would read anything into the text.
fn patch_in(line: &str, input: &Value) -> Option<Action> {
    let (directory, rest) = match line.trim_start().strip_prefix("cd ") {
        Some(rest) => {
            let (directory, rest) = rest.split_once("&&")?;
            (Some(directory.trim()), rest.trim_start())
        }
        None => (None, line.trim_start()),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    if directory.is_some_and(|own| own.is_empty() || !own.chars().all(plain)) {
        return None;
    }
    let rest = rest.strip_prefix("apply_patch")?.trim_start_matches(' ').strip_prefix("<<")?;
    let (word, body) = rest.split_once('\n')?;
    let word = word.trim();
    let quoted = ['\'', '"'].iter().find_map(|q| word.strip_prefix(*q)?.strip_suffix(*q));
    let end = quoted.unwrap_or(word);
    let open = quoted.is_none() && body.contains(['$', '`', '\\']);
    if open || end.is_empty() || !end.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    let text = body.trim_end().strip_suffix(end)?.strip_suffix('\n')?;
    // A second end inside would leave the rest of the line to a shell.
    if text.lines().any(|own| own == end) {
        return None;
    }
    let mut patch = json!({ "patch": text });
    if let (Some(directory), Some(fields)) = (place(directory, input)?, patch.as_object_mut()) {
        fields.insert("cwd".to_owned(), directory.into());
    }
    Some(tool("apply_patch", patch))
}

/// Where a patch is applied: where the call is made unless it says otherwise, and from there where `cd`
/// goes. None where that cannot be told.
fn place(cd: Option<&str>, input: &Value) -> Option<Option<String>> {
    let told =
        ["workdir", "cwd"].iter().filter_map(|key| input.get(key)).filter(|own| !own.is_null());
    let told: Vec<&str> = told.map(Value::as_str).collect::<Option<_>>()?;
    match (told.as_slice(), cd) {
        ([], cd) => Some(cd.map(str::to_owned)),
        ([only], None) => Some(Some((*only).to_owned())),
        ([_], Some(cd)) if cd.starts_with('/') => Some(Some(cd.to_owned())),
        ([only], Some(cd)) => Some(Some(format!("{only}/{cd}"))),
        _ => None,
    }
}

fn is_shell(program: &str) -> bool {
    const DIRECTORIES: [&str; 3] = ["", "/bin/", "/usr/bin/"];
    let is = |name: &str| DIRECTORIES.iter().any(|own| program == format!("{own}{name}"));
    is("bash") || is("sh") || is("zsh")
}

fn without_wrapper(input: &Value, line: &str, shell: &str) -> Value {
    let mut input = input.clone();
    if let Some(fields) = input.as_object_mut() {
        fields.insert("command".to_owned(), line.into());
        fields.insert("shell".to_owned(), shell.into());
    }
    input
}

fn reply(event: &Event, answer: &Answer) -> Reply {
    match (event.stage, answer) {
        (Stage::BeforePrompt, answer) => before_prompt(answer),
        // It takes neither of these words here.
        (Stage::BeforeTool, Answer::Allow | Answer::NoOpinion) => Reply::silent(),
        (Stage::BeforeTool, Answer::Prompt(reason) | Answer::Block(reason)) => block(reason),
    }
}

fn block(reason: &str) -> Reply {
    before_tool(&Answer::Block(reason.to_owned()))
}

fn setup(program: &str) -> Setup {
    let command = setup::command(program, PROTOCOL.name);
    let hook = json!({ "type": "command", "command": command, "timeout": TIMEOUT });
    let group = json!([{ "matcher": ".*", "hooks": [hook] }]);
    let hooks = json!({ "hooks": { "PreToolUse": group, "PermissionRequest": group } });
    setup::json(".codex/hooks.json", &hooks)
}

#[cfg(test)]
#[path = "codex_tests.rs"]
mod tests;
