//! Gemini CLI in its mode without a terminal, with its own permissions wide open.

use serde_json::{Value, json};

use super::model::{Model, Said};
use super::{Site, finish, installed, must_hold};

#[test]
fn gemini_is_refused_the_attack_and_does_the_rest() {
    let Some(program) = installed("gemini/node_modules/@google/gemini-cli/bundle/gemini.js") else {
        return;
    };
    if !has_node() {
        eprintln!("skipped: Gemini CLI needs node 20");
        return;
    }
    let site = Site::new();
    let shell = |line: &str| call("run_shell_command", &json!({ "command": line }));
    let script = vec![
        shell(&site.attack()),
        shell("echo made > made.txt"),
        call("read_file", &json!({ "file_path": "notes.txt" })),
        json!({ "text": "done" }),
    ];
    let model =
        Model::start(Box::new(move |path, request, turn| speak(&script, path, request, turn)));

    let hook = json!({ "type": "command", "name": "ringfence", "command": site.hook("gemini"),
                       "timeout": 60_000 });
    let settings = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" }, "folderTrust": { "enabled": false } },
        "general": { "disableAutoUpdate": true },
        "hooks": { "BeforeTool": [{ "matcher": ".*", "hooks": [hook] }] },
    });
    let folder = site.home().join(".gemini");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("settings.json"), settings.to_string()).unwrap();
    let mut command = site.agent("node".as_ref());
    command
        .arg(&program)
        .args(["-p", "do it", "--approval-mode", "yolo"])
        .env("GEMINI_API_KEY", "not-a-key")
        .env("GOOGLE_GEMINI_BASE_URL", model.url())
        .env("GEMINI_CLI_TRUST_WORKSPACE", "true");
    let said = finish(command);
    must_hold(&model, &site, &said);
}

/// Whether there is a node that is new enough for it.
fn has_node() -> bool {
    let said = std::process::Command::new("node").arg("--version").output();
    let said = said.map(|own| String::from_utf8_lossy(&own.stdout).into_owned());
    let version =
        said.ok().and_then(|own| own.trim().strip_prefix('v')?.split('.').next()?.parse().ok());
    version.is_some_and(|version: u32| version >= 20)
}

fn call(name: &str, args: &Value) -> Value {
    json!({ "functionCall": { "name": name, "args": args } })
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
