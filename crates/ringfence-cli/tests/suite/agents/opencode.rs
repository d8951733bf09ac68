//! opencode in its mode without a terminal, with its own permissions wide open.

use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::{Value, json};

use super::claude_code::{result, speak, tool};
use super::model::Model;
use super::task::{Agent, Desk, Step, delegate, work};

/// It speaks to its model as Claude Code does.
pub(super) const OPENCODE: Agent = Agent {
    program: "opencode/node_modules/opencode-linux-x64/bin/opencode",
    name: "opencode",
    profile: "@opencode",
    servers: true,
    call,
    done: || json!({ "type": "text", "text": "done" }),
    speak,
    result,
    refuses: None,
    prepare,
};

#[test]
fn opencode_does_a_piece_of_work() {
    work(&OPENCODE, false);
}

#[test]
fn opencode_does_it_in_the_fence() {
    work(&OPENCODE, true);
}

#[test]
fn agents_that_opencode_starts_have_hooks_too() {
    let task = json!({ "description": "a part", "prompt": "do it", "subagent_type": "general" });
    delegate(&OPENCODE, tool("task", &task));
}

fn call(step: &Step) -> Value {
    match step {
        Step::Run(line) => tool("bash", &json!({ "command": line, "description": "a step" })),
        Step::Read(file) => tool("read", &json!({ "filePath": file })),
        Step::Write(file, text) => tool("write", &json!({ "filePath": file, "content": text })),
        Step::Edit(file, old, new) => {
            tool("edit", &json!({ "filePath": file, "oldString": old, "newString": new }))
        }
        Step::Recall => tool("memory_read_graph", &json!({})),
    }
}

fn prepare(desk: &Desk, model: &Model) -> Vec<String> {
    let [program, server] = desk.memory();
    let environment = json!({ "MEMORY_FILE_PATH": desk.file(".git/memory.json") });
    let memory =
        json!({ "type": "local", "command": [program, server], "environment": environment });
    let options = json!({ "baseURL": format!("{}/v1", model.url()), "apiKey": "not-a-key" });
    let provider = json!({
        "npm": "@ai-sdk/anthropic", "name": "local", "options": options,
        "models": { "model": { "name": "model", "tool_call": true } },
    });
    let config = json!({
        "model": "local/model", "small_model": "local/model", "provider": { "local": provider },
        "mcp": { "memory": memory }, "permission": "allow", "autoupdate": false, "share": "disabled",
    });
    desk.machine.write_at(&desk.at_home(".config/opencode/opencode.json"), &config.to_string());
    have_packages(desk);
    let plugin = desk.machine.setup("opencode");
    let plugin = plugin.replace(
        "\"hook\", \"opencode\"",
        &format!("\"hook\", \"opencode\", \"--policy\", \"{}\"", desk.machine.policy().display()),
    );
    desk.machine.write_at(&desk.at_home(".config/opencode/plugin/ringfence.js"), &plugin);
    let words = ["OPENCODE_DISABLE_MODELS_FETCH=1", "opencode", "run", "do it"];
    words.map(str::to_owned).to_vec()
}

/// What plugins are written with lies where opencode would install it at its first start, which it
/// waits for, however long a registry takes.
pub(super) fn have_packages(desk: &Desk) {
    let installed = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("agents/opencode-plugin");
    for file in ["package.json", "package-lock.json"] {
        if let Ok(text) = std::fs::read_to_string(installed.join(file)) {
            desk.machine.write_at(&desk.at_home(".config/opencode").join(file), &text);
        }
    }
    let packages = desk.installed("opencode-plugin/node_modules");
    symlink(packages, desk.at_home(".config/opencode/node_modules")).unwrap();
}
