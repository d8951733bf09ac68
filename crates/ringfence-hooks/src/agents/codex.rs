//! Codex CLI: `PreToolUse` and `PermissionRequest`.
//!
//! Source: the package `@openai/codex` 0.166.0 (the JSON schemas of hook inputs and outputs in its
//! program; the source code of its hooks). For `PreToolUse`, Codex accepts only `deny`: it does not
//! support "ask", and accepts "allow" only with a changed input. An allowed call therefore gets an
//! empty answer there, and `allow` in `PermissionRequest`.
//!
//! Limits: if a hook fails or times out, Codex runs the call. The `cwd` of an event is the
//! directory that the model chose for the call; the project directory comes from the session's
//! transcript.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::time::Duration;

use ringfence_guard::Action;
use ringfence_guard::world::{Links, open_file};
use serde_json::{Value, json};

use super::claude_code::{before_prompt, before_tool};
use super::{bookkeeping, tool, tool_or_mcp};
use crate::agent::{EnvLookup, Protocol};
use crate::answer::{HookAnswer, HookReply};
use crate::event::{
    self, AgentProject, AgentPrompt, EventError, HookEvent, HookStage, arguments, maybe,
    other_event, text,
};
use crate::setup::{self, HookSetup, TIMEOUT};

pub(crate) const PROTOCOL: Protocol = Protocol {
    name: "codex",
    aliases: &["codex-cli"],
    read,
    reply,
    block,
    setup,
    answer_timeout: Duration::from_secs(50),
};

/// Codex's internal tools, which touch nothing outside the agent.
const INTERNAL_TOOLS: [&str; 12] = [
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

/// The namespace of most multi-agent tools. Codex prepends it to their names without a separator.
const OF_AGENTS: &str = "multi_agent_v1";

fn read(value: &Value, _: EnvLookup<'_>) -> Result<HookEvent, EventError> {
    let stage = match text(value, "hook_event_name")? {
        "PreToolUse" => HookStage::BeforeTool,
        "PermissionRequest" => HookStage::BeforePrompt,
        other => return Err(other_event(other)),
    };
    Ok(HookEvent {
        action: action(text(value, "tool_name")?, arguments(value, "tool_input")?),
        cwd: maybe(value, "cwd")?,
        project: AgentProject::named(session_directory(value)),
        session: maybe(value, "session_id")?,
        stage,
        prompt: AgentPrompt::Unknown,
    })
}

/// Returns the directory in which the session was started, read from the first line of its
/// transcript. The event's `cwd` cannot serve: the model chose it for this call.
fn session_directory(value: &Value) -> Option<String> {
    const LONGEST: u64 = 1 << 20;
    let record = value.get("transcript_path")?.as_str()?;
    let mut first = String::new();
    // `open_file` refuses a FIFO: an event from inside a run could name one and block the hook.
    let file = BufReader::new(open_file(Path::new(record), Links::Followed).ok()?);
    file.take(LONGEST).read_line(&mut first).ok()?;
    let meta = event::parse(&first).ok()?;
    let of_session = meta.get("type")?.as_str()? == "session_meta";
    let directory = meta.pointer("/payload/cwd").filter(|_| of_session)?;
    directory.as_str().map(str::to_owned)
}

fn action(name: &str, input: Value) -> Action {
    match name {
        _ if INTERNAL_TOOLS.contains(&name.strip_prefix(OF_AGENTS).unwrap_or(name)) => {
            bookkeeping(name)
        }
        // Without characters, `write_stdin` only polls the output of the command.
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

/// Returns the line and the shell of `["bash", "-lc", LINE]`, the form in which Codex runs a line
/// of the model.
fn own_shell(input: &Value) -> Option<(&str, &str)> {
    let words = input.get("command")?.as_array()?;
    let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
    match words?.as_slice() {
        [shell, "-lc" | "-c", line] if is_shell(shell) => Some((line, shell)),
        _ => None,
    }
}

/// Reads `apply_patch <<'EOF'` as a patch. Codex extracts such a patch and applies it without a
/// shell.
///
/// Returns `None` unless the patch is alone on its line and a shell would not expand anything in
/// it.
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
    // If the end marker occurs twice, a shell would run the text after the first one.
    if text.lines().any(|own| own == end) {
        return None;
    }
    let mut patch = json!({ "patch": text });
    if let (Some(directory), Some(fields)) = (place(directory, input)?, patch.as_object_mut()) {
        fields.insert("cwd".to_owned(), directory.into());
    }
    Some(tool("apply_patch", patch))
}

/// Returns the directory in which a patch is applied: `workdir` or `cwd` of the call, joined with
/// the operand of `cd`. Returns `None` if the directory cannot be determined.
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

fn reply(event: &HookEvent, answer: &HookAnswer) -> HookReply {
    match (event.stage, answer) {
        (HookStage::BeforePrompt, answer) => before_prompt(answer),
        // Codex accepts neither "allow" nor "ask" here.
        (HookStage::BeforeTool, HookAnswer::Allow | HookAnswer::NoOpinion) => HookReply::silent(),
        (HookStage::BeforeTool, HookAnswer::Prompt(reason) | HookAnswer::Block(reason)) => {
            block(reason)
        }
    }
}

fn block(reason: &str) -> HookReply {
    before_tool(&HookAnswer::Block(reason.to_owned()))
}

fn setup(program: &str) -> HookSetup {
    let command = setup::command(program, PROTOCOL.name);
    let hook = json!({ "type": "command", "command": command, "timeout": TIMEOUT });
    let group = json!([{ "matcher": ".*", "hooks": [hook] }]);
    let hooks = json!({ "hooks": { "PreToolUse": group, "PermissionRequest": group } });
    setup::json(".codex/hooks.json", &hooks)
}

#[cfg(test)]
#[path = "codex_tests.rs"]
mod tests;
