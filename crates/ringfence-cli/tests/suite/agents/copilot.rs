//! GitHub Copilot CLI in its mode without a terminal, with its own permissions wide open.

use serde_json::{Value, json};

use super::claude_code::{result, speak, tool};
use super::model::Model;
use super::task::{Agent, Desk, Step, delegate, work};

/// It speaks to a model of one's own as Claude Code does.
const COPILOT: Agent = Agent {
    program: "copilot/node_modules/@github/copilot-linux-x64/copilot",
    name: "copilot",
    profile: "@copilot",
    servers: true,
    call,
    done: || json!({ "type": "text", "text": "done" }),
    speak,
    result,
    refuses: None,
    prepare,
};

#[test]
fn copilot_does_a_piece_of_work() {
    work(&COPILOT, false);
}

#[test]
fn copilot_does_it_in_the_fence() {
    work(&COPILOT, true);
}

#[test]
fn agents_that_copilot_starts_have_hooks_too() {
    let task = json!({ "description": "a part", "prompt": "do it", "agent_type": "general-purpose",
                       "name": "part", "mode": "sync" });
    delegate(&COPILOT, tool("task", &task));
}

fn call(step: &Step) -> Value {
    match step {
        Step::Run(line) => tool("bash", &json!({ "command": line, "description": "a step" })),
        Step::Read(file) => tool("view", &json!({ "path": file })),
        Step::Write(file, text) => tool("create", &json!({ "path": file, "file_text": text })),
        Step::Edit(file, old, new) => {
            tool("edit", &json!({ "path": file, "old_str": old, "new_str": new }))
        }
        Step::Recall => tool("memory-read_graph", &json!({})),
    }
}

fn prepare(desk: &Desk, model: &Model) -> Vec<String> {
    let hook = json!({ "type": "command", "bash": desk.hook("copilot"), "timeoutSec": 60 });
    let hooks = json!({ "version": 1, "hooks": { "preToolUse": [hook] } });
    desk.machine.write_at(&desk.at_home(".copilot/hooks/ringfence.json"), &hooks.to_string());
    // It writes this when it is started for the first time, which people do outside: to log in.
    let first = json!({ "firstLaunchAt": "2026-01-01T00:00:00.000Z" });
    desk.machine.write_at(&desk.at_home(".copilot/config.json"), &first.to_string());
    let [program, server] = desk.memory();
    let env = json!({ "MEMORY_FILE_PATH": desk.file(".git/memory.json") });
    let memory = json!({ "type": "local", "command": program, "args": [server], "env": env, "tools": ["*"] });
    let servers = json!({ "mcpServers": { "memory": memory } });
    desk.machine.write_at(&desk.at_home(".copilot/mcp-config.json"), &servers.to_string());
    let words = [
        &format!("COPILOT_PROVIDER_BASE_URL={}", model.url()),
        "COPILOT_PROVIDER_TYPE=anthropic",
        "COPILOT_PROVIDER_API_KEY=not-a-key",
        "COPILOT_MODEL=claude-sonnet-4",
        "COPILOT_OFFLINE=true",
        "copilot",
        "-p",
        "do it",
        "--allow-all-tools",
        "--allow-all-paths",
        "--disable-builtin-mcps",
        "--no-auto-update",
    ];
    words.map(str::to_owned).to_vec()
}
