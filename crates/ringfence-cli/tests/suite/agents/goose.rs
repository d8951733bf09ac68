//! goose in its mode without a terminal, in which it asks nobody.

use serde_json::{Value, json};

use super::hermes::{result, speak};
use super::model::Model;
use super::task::{Agent, Desk, Step, work};

/// It speaks to its model as hermes does.
const GOOSE: Agent = Agent {
    program: "goose/node_modules/@aaif/goose-binary-linux-x64/bin/goose",
    name: "goose",
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
fn goose_does_a_piece_of_work() {
    work(&GOOSE, false);
}

fn call(step: &Step) -> Value {
    let (name, input) = match step {
        Step::Run(line) => ("shell", json!({ "command": line })),
        // It has no tool that reads a file of text.
        Step::Read(file) => ("shell", json!({ "command": format!("cat {}", file.display()) })),
        Step::Write(file, text) => ("write", json!({ "path": file, "content": text })),
        Step::Edit(file, old, new) => {
            ("edit", json!({ "path": file, "before": old, "after": new }))
        }
        Step::Recall => ("memory__read_graph", json!({})),
    };
    json!({ "name": name, "arguments": input.to_string() })
}

fn prepare(desk: &Desk, model: &Model) -> Vec<String> {
    let hook = json!({ "type": "command", "command": desk.hook("goose"), "timeout": 60,
                       "on_failure": "block" });
    let hooks = json!({ "hooks": { "PreToolUse": [{ "hooks": [hook] }] } });
    let at = desk.at_home(".agents/plugins/ringfence/hooks/hooks.json");
    desk.machine.write_at(&at, &hooks.to_string());
    let [program, server] = desk.memory();
    let memory = json!({ "type": "stdio", "name": "memory", "enabled": true, "timeout": 60,
                         "description": "", "cmd": program, "args": [server],
                         "envs": { "MEMORY_FILE_PATH": desk.file(".git/memory.json") } });
    // JSON is YAML.
    let settings = json!({ "extensions": { "memory": memory } });
    desk.machine.write_at(&desk.at_home(".config/goose/config.yaml"), &settings.to_string());
    let words = [
        "GOOSE_PROVIDER=openai",
        "GOOSE_MODEL=model",
        &format!("OPENAI_HOST={}", model.url()),
        "OPENAI_API_KEY=not-a-key",
        "GOOSE_MODE=auto",
        "GOOSE_DISABLE_KEYRING=1",
        "goose",
        "run",
        "--no-session",
        "--with-builtin",
        "developer",
        "-t",
        "do it",
    ];
    words.map(str::to_owned).to_vec()
}
