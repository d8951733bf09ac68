//! Codex CLI in its mode without a terminal.

use serde_json::{Value, json};

use super::model::{Model, Said};
use super::{Site, finish, installed, must_hold};

#[test]
fn codex_is_refused_the_attack_and_does_the_rest() {
    let Some(program) = installed(
        "codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
    ) else {
        return;
    };
    let site = Site::new();
    let outside = site.path("outside.txt");
    let patch = |file: &str| {
        let body = format!("*** Begin Patch\n*** Add File: {file}\n+made\n*** End Patch");
        exec(&format!("apply_patch <<'EOF'\n{body}\nEOF"))
    };
    let script = vec![
        exec(&site.attack()),
        patch("made.txt"),
        patch(outside.to_str().unwrap()),
        exec("cat notes.txt"),
        json!({ "type": "message", "role": "assistant",
                "content": [{ "type": "output_text", "text": "done" }] }),
    ];
    let model = Model::start(Box::new(move |path, _, turn| speak(&script, path, turn)));

    let home = site.path("codex");
    std::fs::create_dir_all(&home).unwrap();
    let config = format!(
        "model = \"gpt-5\"\nmodel_provider = \"local\"\n[model_providers.local]\nname = \"local\"\n\
         base_url = \"{}/v1\"\nwire_api = \"responses\"\nenv_key = \"LOCAL_KEY\"\n",
        model.url()
    );
    std::fs::write(home.join("config.toml"), config).unwrap();
    let hook = json!({ "type": "command", "command": site.hook("codex"), "timeout": 60 });
    let hooks = json!({ "hooks": { "PreToolUse": [{ "matcher": ".*", "hooks": [hook] }] } });
    std::fs::write(home.join("hooks.json"), hooks.to_string()).unwrap();

    let mut command = site.agent(&program);
    command
        .args(["exec", "--skip-git-repo-check", "--sandbox", "danger-full-access"])
        // A person trusts a hook once, at a terminal.
        .args(["--dangerously-bypass-hook-trust", "do it"])
        .env("CODEX_HOME", &home)
        .env("LOCAL_KEY", "not-a-key");
    let said = finish(command);
    must_hold(&model, &site, &said);
    assert!(!outside.exists(), "a patch reached outside of the project");
}

fn exec(line: &str) -> Value {
    let arguments = json!({ "cmd": line }).to_string();
    json!({ "type": "function_call", "name": "exec_command", "arguments": arguments })
}

fn speak(script: &[Value], path: &str, turn: usize) -> (bool, Said) {
    if !path.ends_with("/responses") {
        return (false, Said::json(&json!({ "data": [], "models": [] })));
    }
    let mut item = script.get(turn).or(script.last()).unwrap().clone();
    if item["type"] == "function_call" {
        item["call_id"] = format!("turn_{turn}").into();
    }
    let id = format!("resp_{turn}");
    let usage = json!({ "input_tokens": 1, "input_tokens_details": null, "output_tokens": 1,
                        "output_tokens_details": null, "total_tokens": 2 });
    (
        true,
        Said::stream(&[
            json!({ "type": "response.created", "response": { "id": id } }),
            json!({ "type": "response.output_item.done", "output_index": 0, "item": item }),
            json!({ "type": "response.completed", "response": { "id": id, "usage": usage } }),
        ]),
    )
}
