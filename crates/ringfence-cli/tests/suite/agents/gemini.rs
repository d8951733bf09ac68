//! Gemini CLI in its mode without a terminal, with its own permissions wide open.

use serde_json::{Value, json};

use super::has_node;
use super::model::{Model, Said};
use super::task::{Agent, Desk, Step, delegate, work};

pub(super) const GEMINI: Agent = Agent {
    program: "gemini/node_modules/@google/gemini-cli/bundle/gemini.js",
    name: "gemini",
    profile: "@gemini",
    servers: true,
    call,
    done: || json!({ "text": "done" }),
    speak,
    result: |request, turn| {
        let parts = request["contents"].as_array()?.iter();
        let parts = parts.flat_map(|content| content["parts"].as_array().into_iter().flatten());
        let mut results = parts.filter(|part| part["functionResponse"].is_object());
        Some(results.nth(turn)?.to_string())
    },
    refuses: Some("Path not in workspace"),
    prepare,
};

#[test]
fn gemini_does_a_piece_of_work() {
    if has_node() {
        work(&GEMINI, false);
    }
}

#[test]
fn gemini_does_it_in_the_fence() {
    if has_node() {
        work(&GEMINI, true);
    }
}

#[test]
fn agents_that_gemini_starts_have_hooks_too() {
    let task = json!({ "agent_name": "generalist", "prompt": "do it" });
    if has_node() {
        delegate(&GEMINI, json!({ "functionCall": { "name": "invoke_agent", "args": task } }));
    }
}

fn call(step: &Step) -> Value {
    let (name, args) = match step {
        Step::Run(line) => ("run_shell_command", json!({ "command": line })),
        Step::Read(file) => ("read_file", json!({ "file_path": file })),
        Step::Write(file, text) => ("write_file", json!({ "file_path": file, "content": text })),
        Step::Edit(file, old, new) => (
            "replace",
            json!({ "file_path": file, "old_string": old, "new_string": new, "instruction": "add" }),
        ),
        Step::Recall => ("mcp_memory_read_graph", json!({})),
    };
    json!({ "functionCall": { "name": name, "args": args } })
}

fn prepare(desk: &Desk, model: &Model) -> Vec<String> {
    let hook = json!({ "type": "command", "name": "ringfence", "command": desk.hook("gemini"),
                       "timeout": 60_000 });
    let [program, server] = desk.memory();
    let env = json!({ "MEMORY_FILE_PATH": desk.file(".git/memory.json") });
    let memory = json!({ "command": program, "args": [server], "env": env });
    let settings = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" }, "folderTrust": { "enabled": false } },
        "general": { "disableAutoUpdate": true },
        "mcpServers": { "memory": memory },
        "hooks": { "BeforeTool": [{ "matcher": ".*", "hooks": [hook] }] },
    });
    desk.machine.write_at(&desk.at_home(".gemini/settings.json"), &settings.to_string());
    let words = [
        "GEMINI_API_KEY=not-a-key",
        &format!("GOOGLE_GEMINI_BASE_URL={}", model.url()),
        "GEMINI_CLI_TRUST_WORKSPACE=true",
        "gemini",
        "-p",
        "do it",
        "--approval-mode",
        "yolo",
    ];
    words.map(str::to_owned).to_vec()
}

fn speak(script: &[Value], path: &str, request: &Value, turn: usize) -> (bool, Said) {
    if path.contains("countTokens") {
        return (false, Said::json(&json!({ "totalTokens": 1 })));
    }
    let is_turn = request["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    let nothing = json!({ "text": "{}" });
    let part = if is_turn { script.get(turn).or(script.last()).unwrap() } else { &nothing };
    let said = json!({
        "candidates": [{ "content": { "role": "model", "parts": [part] }, "finishReason": "STOP",
                         "index": 0 }],
        "usageMetadata": { "promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2 },
    });
    match path.contains("stream") {
        true => (is_turn, Said::stream(&[said])),
        false => (is_turn, Said::json(&said)),
    }
}
