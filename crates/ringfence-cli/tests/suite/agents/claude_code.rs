//! Claude Code in its mode without a terminal.

use serde_json::{Value, json};

use super::model::{Model, Said};
use super::task::{Agent, Desk, Step, delegate, work};

const PROGRAM: &str = "claude-code/node_modules/@anthropic-ai/claude-code-linux-x64/claude";

pub(super) const CLAUDE: Agent = Agent {
    program: PROGRAM,
    name: "claude",
    profile: "@claude",
    servers: true,
    call,
    done: || json!({ "type": "text", "text": "done" }),
    speak,
    result,
    refuses: None,
    prepare,
};

#[test]
fn claude_code_does_a_piece_of_work() {
    work(&CLAUDE, false);
}

#[test]
fn claude_code_does_it_in_the_fence() {
    work(&CLAUDE, true);
}

#[test]
fn agents_that_claude_code_starts_have_hooks_too() {
    // Unless it is told otherwise it goes on beside the other agent, and who is heard first is chance.
    let task = json!({ "description": "a part", "prompt": "do it",
                       "subagent_type": "general-purpose", "run_in_background": false });
    delegate(&CLAUDE, tool("Agent", &task));
}

fn call(step: &Step) -> Value {
    match step {
        Step::Run(line) => tool("Bash", &json!({ "command": line, "description": "a step" })),
        Step::Read(file) => tool("Read", &json!({ "file_path": file })),
        Step::Write(file, text) => tool("Write", &json!({ "file_path": file, "content": text })),
        Step::Edit(file, old, new) => {
            tool("Edit", &json!({ "file_path": file, "old_string": old, "new_string": new }))
        }
        Step::Recall => tool("mcp__memory__read_graph", &json!({})),
    }
}

fn prepare(desk: &Desk, model: &Model) -> Vec<String> {
    let hook = json!({ "type": "command", "command": desk.hook("claude-code"), "timeout": 60 });
    let settings = json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [hook] }] } });
    let [program, server] = desk.memory();
    let memory = desk.file(".git/memory.json");
    let env = json!({ "MEMORY_FILE_PATH": memory });
    let servers =
        json!({ "mcpServers": { "memory": { "command": program, "args": [server], "env": env } } });
    let words = [
        &format!("ANTHROPIC_BASE_URL={}", model.url()),
        "ANTHROPIC_API_KEY=not-a-key",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
        "DISABLE_AUTOUPDATER=1",
        "claude",
        "-p",
        "do it",
        "--output-format",
        "json",
        "--strict-mcp-config",
        "--mcp-config",
        &servers.to_string(),
        "--settings",
        &settings.to_string(),
    ];
    words.map(str::to_owned).to_vec()
}

pub(super) fn tool(name: &str, input: &Value) -> Value {
    json!({ "type": "tool_use", "name": name, "input": input })
}

pub(super) fn speak(script: &[Value], path: &str, request: &Value, turn: usize) -> (bool, Said) {
    let is_turn = path.starts_with("/v1/messages")
        && !path.contains("count_tokens")
        && request["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    if !is_turn {
        return (
            false,
            Said::json(&json!({ "input_tokens": 1, "content": [], "type": "message" })),
        );
    }
    let block = script.get(turn).or(script.last()).unwrap();
    let is_tool = block["type"] == "tool_use";
    let (start, delta) = match is_tool {
        true => (
            json!({ "type": "tool_use", "id": format!("turn_{turn}"), "name": block["name"], "input": {} }),
            json!({ "type": "input_json_delta", "partial_json": block["input"].to_string() }),
        ),
        false => (
            json!({ "type": "text", "text": "" }),
            json!({ "type": "text_delta", "text": block["text"] }),
        ),
    };
    let usage = json!({ "input_tokens": 1, "output_tokens": 1 });
    let message = json!({
        "id": format!("msg_{turn}"), "type": "message", "role": "assistant", "content": [],
        "model": request["model"], "stop_reason": null, "stop_sequence": null, "usage": usage,
    });
    let stop = if is_tool { "tool_use" } else { "end_turn" };
    let ended = json!({ "stop_reason": stop, "stop_sequence": null });
    (
        true,
        Said::stream(&[
            json!({ "type": "message_start", "message": message }),
            json!({ "type": "content_block_start", "index": 0, "content_block": start }),
            json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
            json!({ "type": "content_block_stop", "index": 0 }),
            json!({ "type": "message_delta", "delta": ended, "usage": { "output_tokens": 1 } }),
            json!({ "type": "message_stop" }),
        ]),
    )
}

/// What the model read as the result of a turn.
pub(super) fn result(request: &Value, turn: usize) -> Option<String> {
    let blocks = request["messages"].as_array()?.iter();
    let mut blocks = blocks.flat_map(|message| message["content"].as_array().into_iter().flatten());
    Some(blocks.find(|block| block["tool_use_id"] == format!("turn_{turn}"))?.to_string())
}
