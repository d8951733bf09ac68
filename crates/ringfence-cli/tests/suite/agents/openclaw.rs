//! OpenClaw without its gateway, with the file that pi has, as a plugin.

use serde_json::{Value, json};

use super::claude_code::{result, speak, tool};
use super::installed;
use super::model::Model;
use super::task::{Agent, Desk, Step, work};

/// It needs a newer Node than the systems that are tested on have.
const NODE: &str = "node24/node_modules/node/bin";

/// It speaks to its model as Claude Code does.
const OPENCLAW: Agent = Agent {
    program: "openclaw/node_modules/openclaw/openclaw.mjs",
    name: "openclaw",
    profile: "",
    servers: false,
    call,
    done: || json!({ "type": "text", "text": "done" }),
    speak,
    result: |request, turn| {
        let call = format!("turn{turn}");
        result(&rename(request, turn, &call), turn)
    },
    refuses: None,
    prepare,
};

#[test]
fn openclaw_does_a_piece_of_work() {
    if installed(&format!("{NODE}/node")).is_some() {
        work(&OPENCLAW, false);
    }
}

/// It takes the underscores out of the names of calls.
fn rename(request: &Value, turn: usize, call: &str) -> Value {
    let text = request.to_string().replace(&format!("\"{call}\""), &format!("\"turn_{turn}\""));
    serde_json::from_str(&text).unwrap()
}

fn call(step: &Step) -> Value {
    match step {
        Step::Run(line) => tool("exec", &json!({ "command": line, "title": "a step" })),
        Step::Read(file) => tool("read", &json!({ "path": file })),
        Step::Write(file, text) => tool("write", &json!({ "path": file, "content": text })),
        Step::Edit(file, old, new) => {
            let edits = json!([{ "oldText": old, "newText": new }]);
            tool("edit", &json!({ "path": file, "edits": edits }))
        }
        Step::Recall => unreachable!("it was told of no servers"),
    }
}

fn prepare(desk: &Desk, model: &Model) -> Vec<String> {
    let plugin = desk.machine.setup("openclaw").replace(
        "\"hook\", \"openclaw\"",
        &format!("\"hook\", \"openclaw\", \"--policy\", \"{}\"", desk.machine.policy().display()),
    );
    let folder = desk.at_home(".openclaw/extensions/ringfence");
    desk.machine.write_at(&folder.join("index.js"), &plugin);
    let package = json!({ "name": "ringfence", "version": "0.1.0", "type": "module",
                          "openclaw": { "extensions": ["./index.js"] } });
    desk.machine.write_at(&folder.join("package.json"), &package.to_string());
    let manifest = json!({ "id": "ringfence", "name": "ringfence", "activation": { "onStartup": true },
                           "configSchema": { "type": "object", "additionalProperties": false } });
    desk.machine.write_at(&folder.join("openclaw.plugin.json"), &manifest.to_string());
    let cost = json!({ "input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0 });
    let own = json!({ "id": "model", "name": "model", "reasoning": false, "input": ["text"],
                      "cost": cost, "contextWindow": 196_608, "maxTokens": 8192 });
    let provider = json!({ "baseUrl": model.url(), "apiKey": "not-a-key",
                           "api": "anthropic-messages", "models": [own] });
    let settings = json!({
        "models": { "mode": "merge", "providers": { "local": provider } },
        "agents": { "defaults": { "model": { "primary": "local/model" },
                                  "workspace": desk.machine.project(), "skipBootstrap": true } },
        "plugins": { "allow": ["ringfence"], "entries": { "ringfence": { "enabled": true } } },
    });
    desk.machine.write_at(&desk.at_home(".openclaw/openclaw.json"), &settings.to_string());
    let (bin, node) = (desk.at_home(".local/bin"), desk.installed(NODE));
    let words = [
        &format!("PATH={}:{node}:/usr/local/bin:/usr/bin:/bin", bin.display()),
        "openclaw",
        "agent",
        "--local",
        "--session-id",
        "work",
        "--json",
        "-m",
        "do it",
    ];
    words.map(str::to_owned).to_vec()
}
