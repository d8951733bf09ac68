use serde_json::{Value, json};

use super::{CommandForm, commands, is_command_key};

#[track_caller]
fn check(input: Value, expected: &[&str]) {
    let found = commands(&input).unwrap();
    let shown: Vec<String> = found
        .iter()
        .map(|command| match &command.form {
            CommandForm::Line(line) => format!("line {line}"),
            CommandForm::Argv(argv) => format!("argv {}", argv.join("|")),
        })
        .collect();
    assert_eq!(shown, expected, "{input}");
}

#[test]
fn commands_are_found_in_every_form() {
    check(json!({ "command": "rm -rf x" }), &["line rm -rf x"]);
    check(json!({ "command": ["rm", "-rf", "x"] }), &["argv rm|-rf|x"]);
    check(json!({ "command": "rm", "args": ["-rf", "x"] }), &["argv rm|-rf|x"]);
    check(json!({ "command": "rm", "args": "-rf x" }), &["argv rm|-rf|x"]);
    let all = ["line git push", "line git push --force", "argv git push|--force"];
    check(json!({ "command": "git push", "args": ["--force"] }), &all);
    check(json!({ "commands": ["git status", "rm x"] }), &["line git status", "line rm x"]);
    check(json!({ "steps": [{ "shellCommand": "rm x" }] }), &["line rm x"]);
    check(json!({ "script": "make\nrm x" }), &["line make\nrm x"]);
    check(json!({ "shell": "rm x", "cwd": "/tmp" }), &["line rm x"]);
    check(json!({ "shell": true, "command_line": "ls" }), &["line ls"]);
    check(json!({ "query": "rm x", "command": "" }), &[]);
}

#[test]
fn command_keys_are_recognized_by_their_last_word() {
    for key in ["command", "cmd", "shell_command", "preScript", "command-line", "shell"] {
        assert!(is_command_key(key), "{key}");
    }
    for key in ["commander", "description", "commandId", "line"] {
        assert!(!is_command_key(key), "{key}");
    }
}

#[test]
fn words_that_are_no_text_cannot_be_read() {
    assert!(commands(&json!({ "command": "rm", "args": [1] })).is_err());
}
