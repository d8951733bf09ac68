//! Codex CLI in its mode without a terminal.

use serde_json::{Value, json};

use super::model::{Model, Said};
use super::task::{Agent, Desk, Step, delegate, work};

const PROGRAM: &str =
    "codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex";

pub(super) const CODEX: Agent = Agent {
    program: PROGRAM,
    name: "codex",
    profile: "@codex",
    servers: true,
    call,
    done: || {
        json!({ "type": "message", "role": "assistant",
                "content": [{ "type": "output_text", "text": "done" }] })
    },
    speak: |script, path, _, turn| speak(script, path, turn),
    result: |request, turn| {
        let call = format!("turn_{turn}");
        let is_result = |item: &&Value| {
            item["call_id"] == call
                && item["type"].as_str().is_some_and(|kind| kind.ends_with("_output"))
        };
        Some(request["input"].as_array()?.iter().find(is_result)?.to_string())
    },
    refuses: None,
    prepare,
};

#[test]
fn codex_does_a_piece_of_work() {
    work(&CODEX, false);
}

#[test]
fn codex_does_it_in_the_fence() {
    work(&CODEX, true);
}

/// It goes on beside the agents that it starts, until it waits for them.
#[test]
fn agents_that_codex_starts_have_hooks_too() {
    let two = Agent {
        speak: |script, path, request, turn| {
            let answer =
                if path.ends_with("/responses") { next(script, request) } else { Value::Null };
            speak(&vec![answer; turn + 1], path, turn)
        },
        ..CODEX
    };
    let task = json!({ "message": PART, "agent_type": "worker", "fork_context": false });
    delegate(&two, of_agents("spawn_agent", &task));
}

/// What an agent is told by the one that starts it.
const PART: &str = "do the other part";

fn of_agents(name: &str, arguments: &Value) -> Value {
    json!({ "type": "function_call", "namespace": "multi_agent_v1", "name": name,
            "arguments": arguments.to_string() })
}

/// What is said to either of two: the first starts the other, waits for it and is done, the other
/// does its part.
fn next(script: &[Value], request: &Value) -> Value {
    let items = || request["input"].as_array().into_iter().flatten();
    let started = items().find(|item| item["type"] == "function_call_output");
    let calls = items().filter(|item| item["type"] == "function_call").count();
    let is_other = items().any(|item| item["role"] == "user" && item.to_string().contains(PART));
    match (is_other, calls, started) {
        (false, 1, Some(started)) => {
            let said = started["output"].as_str().unwrap_or_default();
            let id = serde_json::from_str::<Value>(said).unwrap_or_default()["agent_id"].clone();
            of_agents("wait_agent", &json!({ "targets": [id], "timeout_ms": 30_000 }))
        }
        (false, 0, _) => script[0].clone(),
        (true, 0, _) => script[1].clone(),
        _ => script[2].clone(),
    }
}

/// It reads files by commands, and writes them by patches.
fn call(step: &Step) -> Value {
    let patch = |body: String| {
        exec(&format!("apply_patch <<'EOF'\n*** Begin Patch\n{body}*** End Patch\nEOF"))
    };
    match step {
        Step::Run(line) => exec(line),
        Step::Read(file) => exec(&format!("sed -n 1,200p {}", file.display())),
        Step::Write(file, text) => patch(format!("*** Add File: {}\n+{text}", file.display())),
        Step::Edit(file, old, new) => patch(format!(
            "*** Update File: {}\n@@\n-    return {old}\n+    return {new}\n",
            file.display()
        )),
        Step::Recall => {
            json!({ "type": "function_call", "namespace": "mcp__memory", "name": "read_graph",
                    "arguments": "{}" })
        }
    }
}

fn prepare(desk: &Desk, model: &Model) -> Vec<String> {
    let [program, server] = desk.memory();
    let config = format!(
        "model = \"gpt-5\"\nmodel_provider = \"local\"\n[model_providers.local]\nname = \"local\"\n\
         base_url = \"{}/v1\"\nwire_api = \"responses\"\nenv_key = \"OPENAI_API_KEY\"\n\
         [mcp_servers.memory]\ncommand = \"{program}\"\nargs = [\"{server}\"]\n\
         env = {{ MEMORY_FILE_PATH = \"{}\" }}\n",
        model.url(),
        desk.file(".git/memory.json").display(),
    );
    let hook = json!({ "type": "command", "command": desk.hook("codex"), "timeout": 60 });
    let hooks = json!({ "hooks": { "PreToolUse": [{ "matcher": ".*", "hooks": [hook] }] } });
    desk.machine.write_at(&desk.at_home(".codex/config.toml"), &config);
    desk.machine.write_at(&desk.at_home(".codex/hooks.json"), &hooks.to_string());
    let words = [
        "OPENAI_API_KEY=not-a-key",
        "codex",
        "exec",
        "--skip-git-repo-check",
        "--sandbox",
        "danger-full-access",
        // A person trusts a hook once, at a terminal.
        "--dangerously-bypass-hook-trust",
        "do it",
    ];
    words.map(str::to_owned).to_vec()
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
