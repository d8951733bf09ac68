//! Checklist rows that apply to hooks.

use ringfence_guard::Guard;
use ringfence_hooks::{Agent, HookAnswer, HookOutcome, judge_event};
use serde_json::{Value, json};

use super::cases::guard;

const FILES: &str = r#"
allow = ["mcp:fs/*"]
[tools."mcp__fs__*"]
allowed_read_paths = ["/home/u/proj", "/home/u/Documents"]
allowed_write_paths = ["/home/u/proj"]
"#;

fn hermes(guard: &Guard, tool: &str, input: &Value) -> HookAnswer {
    let event = json!({
        "hook_event_name": "pre_tool_call", "tool_name": tool, "tool_input": input,
        "session_id": "s", "cwd": "/home/u/proj", "extra": {},
    });
    let event = Agent::Hermes.read(&event.to_string(), &|_| None).unwrap();
    match judge_event(guard, Agent::Hermes, &event) {
        HookOutcome::Answered(answer) => answer,
        HookOutcome::Refused(refusal) => HookAnswer::from(&*refusal),
        open @ HookOutcome::Open(_) => panic!("{open:?}"),
    }
}

#[track_caller]
fn passes(guard: &Guard, tool: &str, input: &Value) {
    assert_eq!(hermes(guard, tool, input), HookAnswer::Allow, "{tool} {input}");
}

#[track_caller]
fn refused(guard: &Guard, tool: &str, input: &Value) -> Value {
    match hermes(guard, tool, input) {
        HookAnswer::Block(envelope) => serde_json::from_str(&envelope).unwrap(),
        other => panic!("{tool} {input}: {other:?}"),
    }
}

#[test]
fn c143_every_path_of_an_mcp_call_counts_behind_a_hook() {
    let guard = guard(FILES);
    passes(&guard, "mcp__fs__read_file", &json!({ "path": "/home/u/proj/a" }));
    for input in [
        json!({ "path": "/etc/passwd" }),
        json!({ "target": "/etc/passwd" }),
        json!({ "options": { "deep": [{ "path": "/etc/passwd" }] } }),
        json!({ "paths": ["/home/u/proj/a", "/etc/passwd"] }),
        json!({ "path": "/home/u/proj/a", "other": "../../../etc/passwd" }),
    ] {
        assert_eq!(refused(&guard, "mcp__fs__read_file", &input)["code"], "path_not_granted");
    }
    let bad_end = json!({ "source": "/home/u/proj/a", "destination": "/etc/x" });
    refused(&guard, "mcp__fs__move_file", &bad_end);
}

#[test]
fn c144_the_ends_of_a_copy_and_a_move_are_told_apart_behind_a_hook() {
    let guard = guard(FILES);
    let out = json!({ "source": "/home/u/Documents/a", "destination": "/home/u/proj/a" });
    passes(&guard, "mcp__fs__copy_file", &out);
    // Moving a file away changes the directory where it was.
    refused(&guard, "mcp__fs__move_file", &out);
    let back = json!({ "source": "/home/u/proj/a", "destination": "/home/u/Documents/a" });
    refused(&guard, "mcp__fs__copy_file", &back);
}

#[test]
fn c145_operations_that_no_word_explains_are_refused_behind_a_hook() {
    let guard = guard(FILES);
    let input = json!({ "path": "/home/u/Documents/a" });
    for word in
        ["write", "create", "delete", "move", "append", "edit", "copy", "rename", "overwrite"]
    {
        refused(&guard, &format!("mcp__fs__{word}_file"), &input);
    }
    passes(&guard, "mcp__fs__read_file", &input);
    refused(&guard, "mcp__fs__frobnicate", &json!({ "path": "/home/u/proj/a" }));
}

#[test]
fn c146_the_refusal_of_a_hook_is_the_envelope() {
    let guard = guard(FILES);
    let envelope = refused(&guard, "mcp__fs__read_file", &json!({ "path": "/etc/passwd" }));
    assert!(envelope["error"].as_str().unwrap().starts_with("Tool call rejected"), "{envelope}");
    assert_eq!(envelope["tool_name"], "mcp__fs__read_file");
    assert_eq!(envelope["path"], "/etc/passwd");
    assert!(envelope["allowed_paths"].is_array() && envelope["hint"].is_string(), "{envelope}");
}

#[test]
fn c147_a_hook_rejects_in_the_words_of_hermes_and_whatever_fails_is_a_rejection() {
    let guard = guard(FILES);
    let event = json!({
        "hook_event_name": "pre_tool_call", "tool_name": "mcp__fs__read_file",
        "tool_input": { "path": "/etc/passwd" }, "session_id": "s", "cwd": "/home/u/proj",
    });
    let event = Agent::Hermes.read(&event.to_string(), &|_| None).unwrap();
    let HookOutcome::Refused(refusal) = judge_event(&guard, Agent::Hermes, &event) else {
        panic!()
    };
    let answer = HookAnswer::from(&*refusal);
    let said: Value = serde_json::from_str(&Agent::Hermes.reply(&event, &answer).stdout).unwrap();
    assert_eq!(said["action"], "block");
    let envelope: Value = serde_json::from_str(said["message"].as_str().unwrap()).unwrap();
    assert_eq!(envelope["code"], "path_not_granted");
    // An error in the hook, and a malformed event, are refused in the same format.
    let failed: Value = serde_json::from_str(&Agent::Hermes.block("it failed").stdout).unwrap();
    assert_eq!((&failed["action"], &failed["message"]), (&"block".into(), &"it failed".into()));
    assert!(Agent::Hermes.read("{\"hook_event_name\":\"pre_tool_call\"}", &|_| None).is_err());
}

#[test]
fn c148_the_lists_of_one_agent_bind_no_other() {
    let guard = guard(
        "allow = [\"fs:r:/home/u/**\"]\n[agents.hermes]\ndeny = [\"fs:r:/home/u/Documents/**\"]\n",
    );
    let input = json!({ "path": "/home/u/Documents/a" });
    refused(&guard, "read_file", &input);
    let event = json!({ "event": "PreToolUse", "tool_name": "developer__read", "tool_input": input,
                        "working_dir": "/home/u/proj" });
    let event = Agent::Goose.read(&event.to_string(), &|_| None).unwrap();
    let other = judge_event(&guard, Agent::Goose, &event);
    assert!(matches!(other, HookOutcome::Answered(HookAnswer::Allow)), "{other:?}");
}

#[test]
fn c149_a_hook_changes_neither_tools_nor_their_arguments() {
    let answers = [
        HookAnswer::Allow,
        HookAnswer::NoOpinion,
        HookAnswer::Prompt("why".to_owned()),
        HookAnswer::Block("why".to_owned()),
    ];
    for agent in [Agent::ClaudeCode, Agent::Codex, Agent::Gemini, Agent::Copilot, Agent::Hermes] {
        let name = match agent {
            Agent::Gemini => "BeforeTool",
            Agent::Hermes => "pre_tool_call",
            _ => "PreToolUse",
        };
        let event = json!({ "hook_event_name": name, "tool_name": "Bash", "tool_input": {} });
        let event = agent.read(&event.to_string(), &|_| None).unwrap();
        for answer in &answers {
            let said = agent.reply(&event, answer).stdout;
            for word in ["updatedInput", "modifiedArgs", "tool_input", "modify", "tools"] {
                assert!(!said.contains(word), "{}: {said}", agent.name());
            }
        }
    }
}
