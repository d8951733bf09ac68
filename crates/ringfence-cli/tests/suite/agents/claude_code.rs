//! Claude Code in its mode without a terminal.

use serde_json::{Value, json};

use super::model::{Model, Said};
use super::task::{Agent, Desk, Step, work};
use super::{Site, finish, installed, must_hold};

const PROGRAM: &str = "claude-code/node_modules/@anthropic-ai/claude-code-linux-x64/claude";

#[test]
fn claude_code_is_refused_the_attack_and_does_the_rest() {
    let Some(program) = installed(PROGRAM) else { return };
    let site = Site::new();
    let bash = |line: &str| tool("Bash", &json!({ "command": line, "description": "a step" }));
    let script = vec![
        bash(&site.attack()),
        bash("echo made > made.txt"),
        tool("Read", &json!({ "file_path": site.project().join("notes.txt") })),
        tool("Read", &json!({ "file_path": site.path("keys/secret.txt") })),
        tool(
            "Edit",
            &json!({
                "file_path": site.project().join("notes.txt"), "old_string": "plain", "new_string": "new"
            }),
        ),
        bash("git status; head -c 100 ../keys/secret.txt"),
        json!({ "type": "text", "text": "done" }),
    ];
    let model =
        Model::start(Box::new(move |path, request, turn| speak(&script, path, request, turn)));

    let hook = json!({ "type": "command", "command": site.hook("claude-code"), "timeout": 60 });
    let settings = json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [hook] }] } });
    let mut command = site.agent(&program);
    command
        .args(["-p", "do it", "--output-format", "json", "--settings"])
        .arg(settings.to_string())
        .env("ANTHROPIC_BASE_URL", model.url())
        .env("ANTHROPIC_API_KEY", "not-a-key")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_AUTOUPDATER", "1");
    let said = finish(command);
    must_hold(&model, &site, &said);
    let notes = std::fs::read_to_string(site.project().join("notes.txt")).unwrap();
    assert!(notes.starts_with("new text"), "an edit that is granted: {notes}");
    // Every attack has its own refusal: by a command, by a tool, behind a granted command.
    let last = model.heard().pop().unwrap();
    for id in ["turn_0", "turn_3", "turn_5"] {
        let result = result_of(&last, id);
        assert!(result.contains("path_not_granted"), "{id}: {result}");
    }
    for id in ["turn_1", "turn_2", "turn_4"] {
        let result = result_of(&last, id);
        assert!(!result.contains("hook error"), "{id}: {result}");
    }
}

const CLAUDE: Agent = Agent {
    program: PROGRAM,
    name: "claude",
    profile: "@claude",
    call,
    done: || json!({ "type": "text", "text": "done" }),
    speak,
    result: |request, turn| {
        let blocks = request["messages"].as_array()?.iter();
        let mut blocks =
            blocks.flat_map(|message| message["content"].as_array().into_iter().flatten());
        Some(blocks.find(|block| block["tool_use_id"] == format!("turn_{turn}"))?.to_string())
    },
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

fn tool(name: &str, input: &Value) -> Value {
    json!({ "type": "tool_use", "name": name, "input": input })
}

fn speak(script: &[Value], path: &str, request: &Value, turn: usize) -> (bool, Said) {
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

/// What the model read as the result of a call.
fn result_of(request: &str, id: &str) -> String {
    let request: Value = serde_json::from_str(request).unwrap();
    let blocks = request["messages"].as_array().unwrap().iter();
    let blocks = blocks.flat_map(|message| message["content"].as_array().into_iter().flatten());
    let mut results = blocks.filter(|block| block["tool_use_id"] == id);
    results.next().unwrap_or_else(|| panic!("{id} has no result")).to_string()
}
