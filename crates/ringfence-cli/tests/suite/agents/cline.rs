//! Cline's command line tool, which approves of everything itself. Its hooks can only end a run.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::hermes::{result, speak};
use super::model::Model;
use super::task::{Agent, Desk, Step, work_until_refused};

/// It speaks to its model as hermes does.
const CLINE: Agent = Agent {
    program: "cline/node_modules/@cline/cli-linux-x64/bin/cline",
    name: "cline",
    profile: "",
    servers: true,
    call,
    done: || json!({ "text": "done" }),
    speak,
    result,
    refuses: None,
    prepare,
};

#[test]
fn cline_does_a_piece_of_work_until_it_is_refused() {
    work_until_refused(&CLINE);
}

fn call(step: &Step) -> Value {
    let (name, input) = match step {
        Step::Run(line) => ("run_commands", json!({ "commands": [line] })),
        Step::Read(file) => ("read_files", json!({ "files": [{ "path": file }] })),
        Step::Write(file, text) => ("editor", json!({ "path": file, "new_text": text })),
        Step::Edit(file, old, new) => {
            ("editor", json!({ "path": file, "old_text": old, "new_text": new }))
        }
        Step::Recall => ("memory__read_graph", json!({})),
    };
    json!({ "name": name, "arguments": input.to_string() })
}

fn prepare(desk: &Desk, model: &Model) -> Vec<String> {
    let hook = desk.at_home("Documents/Cline/Hooks/PreToolUse");
    desk.machine.write_at(&hook, &format!("#!/bin/sh\nexec {}\n", desk.hook("cline")));
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let settings = json!({ "provider": "openai-compatible", "apiKey": "not-a-key", "model": "model",
                           "baseUrl": format!("{}/v1", model.url()) });
    let provider = json!({ "settings": settings, "updatedAt": "2026-01-01T00:00:00.000Z",
                           "tokenSource": "manual" });
    let providers = json!({ "version": 1, "lastUsedProvider": "openai-compatible", "modes": {},
                            "providers": { "openai-compatible": provider } });
    let at = desk.at_home(".cline/data/settings/providers.json");
    desk.machine.write_at(&at, &providers.to_string());
    let [program, server] = desk.memory();
    let env = json!({ "MEMORY_FILE_PATH": desk.file(".git/memory.json") });
    let memory = json!({ "command": program, "args": [server], "env": env });
    let servers = json!({ "mcpServers": { "memory": memory } });
    let at = desk.at_home(".cline/data/settings/cline_mcp_settings.json");
    desk.machine.write_at(&at, &servers.to_string());
    // Without this a process of its own does the work, and stays.
    let words = ["CLINE_SESSION_BACKEND_MODE=local", "cline", "--json", "do it"];
    words.map(str::to_owned).to_vec()
}
