//! hermes-agent in its mode without a terminal, in which it approves of everything itself.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::model::{Model, Said};
use super::task::{Agent, Desk, Step, work};

const HERMES: Agent = Agent {
    program: "hermes/lib/bin/hermes",
    name: "hermes",
    profile: "@hermes",
    // It knows the tools of servers only some time after it has started, when the script is over.
    servers: false,
    call,
    done: || json!({ "text": "done" }),
    speak,
    result,
    refuses: None,
    prepare,
};

#[test]
fn hermes_does_a_piece_of_work() {
    work(&HERMES, false);
}

#[test]
fn hermes_does_it_in_the_fence() {
    work(&HERMES, true);
}

fn call(step: &Step) -> Value {
    let (name, input) = match step {
        Step::Run(line) => ("terminal", json!({ "command": line })),
        Step::Read(file) => ("read_file", json!({ "path": file })),
        Step::Write(file, text) => ("write_file", json!({ "path": file, "content": text })),
        Step::Edit(file, old, new) => (
            "patch",
            json!({ "mode": "replace", "path": file, "old_string": old, "new_string": new }),
        ),
        Step::Recall => unreachable!("it was told of no servers"),
    };
    json!({ "name": name, "arguments": input.to_string() })
}

fn prepare(desk: &Desk, model: &Model) -> Vec<String> {
    let config = format!(
        "model:\n  default: model\n  provider: custom\n  base_url: {}/v1\n  api_key: not-a-key\n\
         lsp:\n  enabled: false\n\
         hooks:\n  pre_tool_call:\n    - command: {}\n      timeout: 60\n",
        model.url(),
        desk.hook("hermes"),
    );
    desk.machine.write_at(&desk.at_home(".hermes/config.yaml"), &config);
    // It makes this when it is started for the first time, which people do outside: to agree to the hook.
    std::fs::create_dir(desk.at_home(".hermes/hooks")).unwrap();
    // Its packages lie in a directory of their own, and not where Python looks for them.
    let start = format!(
        "#!/usr/bin/python3\nimport sys\nsys.path.insert(0, {:?})\n\
         from hermes_cli.main import main\nsys.exit(main())\n",
        desk.installed("hermes/lib"),
    );
    let program = desk.at_home(".local/bin/hermes");
    std::fs::remove_file(&program).unwrap();
    desk.machine.write_at(&program, &start);
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    // A person agrees to a hook once, at a terminal.
    let words = ["HERMES_ACCEPT_HOOKS=1", "hermes", "--accept-hooks", "-z", "do it"];
    words.map(str::to_owned).to_vec()
}

/// What the model read as the result of a turn.
pub(super) fn result(request: &Value, turn: usize) -> Option<String> {
    let call = format!("turn_{turn}");
    let mut messages = request["messages"].as_array()?.iter();
    Some(messages.find(|message| message["tool_call_id"] == call)?.to_string())
}

/// The chat completions of OpenAI, which it speaks with any other provider.
pub(super) fn speak(script: &[Value], path: &str, request: &Value, turn: usize) -> (bool, Said) {
    let has_tools = request["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    if !path.ends_with("/chat/completions") {
        return (false, Said::json(&json!({ "data": [{ "id": "model", "object": "model" }] })));
    }
    let says = json!({ "text": "done" });
    let item = if has_tools { script.get(turn).or(script.last()).unwrap() } else { &says };
    let (message, reason) = match item["name"].is_string() {
        true => {
            let function = json!({ "name": item["name"], "arguments": item["arguments"] });
            let call = json!({ "index": 0, "id": format!("turn_{turn}"), "type": "function",
                               "function": function });
            (json!({ "role": "assistant", "content": null, "tool_calls": [call] }), "tool_calls")
        }
        false => (json!({ "role": "assistant", "content": item["text"] }), "stop"),
    };
    let about = |object: &str, choice: Value| {
        json!({ "id": format!("said_{turn}"), "object": object, "created": 1, "model": "model",
                "choices": [choice],
                "usage": { "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 } })
    };
    let said = match request["stream"] == true {
        true => {
            let part = |delta: Value, reason: Option<&str>| {
                let choice = json!({ "index": 0, "delta": delta, "finish_reason": reason });
                about("chat.completion.chunk", choice)
            };
            let mut said = Said::stream(&[part(message, None), part(json!({}), Some(reason))]);
            said.body.push_str("data: [DONE]\n\n");
            said
        }
        false => {
            let choice = json!({ "index": 0, "message": message, "finish_reason": reason });
            Said::json(&about("chat.completion", choice))
        }
    };
    (has_tools, said)
}
