//! pi in its mode without a terminal. It has no permissions of its own, and no MCP servers.

use serde_json::{Value, json};

use super::claude_code::{result, speak, tool};
use super::has_node;
use super::model::Model;
use super::task::{Agent, Desk, Step, work};

/// It speaks to its model as Claude Code does.
const PI: Agent = Agent {
    program: "pi/node_modules/@mariozechner/pi-coding-agent/dist/cli.js",
    name: "pi",
    profile: "",
    servers: false,
    call,
    done: || json!({ "type": "text", "text": "done" }),
    speak,
    result,
    refuses: None,
    prepare,
};

#[test]
fn pi_does_a_piece_of_work() {
    if has_node() {
        work(&PI, false);
    }
}

fn call(step: &Step) -> Value {
    match step {
        Step::Run(line) => tool("bash", &json!({ "command": line })),
        Step::Read(file) => tool("read", &json!({ "path": file })),
        Step::Write(file, text) => tool("write", &json!({ "path": file, "content": text })),
        Step::Edit(file, old, new) => {
            let edits = json!([{ "oldText": old, "newText": new }]);
            tool("edit", &json!({ "path": file, "edits": edits }))
        }
        Step::Recall => unreachable!("pi has no servers"),
    }
}

fn prepare(desk: &Desk, model: &Model) -> Vec<String> {
    let provider = json!({ "baseUrl": model.url(), "api": "anthropic-messages",
                           "apiKey": "not-a-key", "models": [{ "id": "model" }] });
    let models = json!({ "providers": { "local": provider } });
    desk.machine.write_at(&desk.at_home(".pi/agent/models.json"), &models.to_string());
    let extension = desk.machine.setup("openclaw").replace(
        "\"hook\", \"openclaw\"",
        &format!("\"hook\", \"openclaw\", \"--policy\", \"{}\"", desk.machine.policy().display()),
    );
    desk.machine.write_at(&desk.at_home(".pi/agent/extensions/ringfence.js"), &extension);
    let words = ["pi", "-p", "do it", "--provider", "local", "--model", "model", "--offline"];
    words.map(str::to_owned).to_vec()
}
