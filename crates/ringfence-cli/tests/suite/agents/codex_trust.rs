//! Which hooks Codex would run: what it says itself, and what the doctor says about it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use super::super::person::Person;
use super::super::stdout;
use super::installed;

/// The hooks that Codex knows, as it lists them.
fn listed(person: &Person, codex: &Path) -> Vec<Value> {
    let mut command = person.command("env");
    command.arg(format!("HOME={}", person.home().display())).arg(codex).arg("app-server");
    command.current_dir(person.home().join("project"));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let about = json!({ "name": "test", "title": "test", "version": "1" });
    for message in [
        json!({ "id": 1, "method": "initialize", "params": { "clientInfo": about } }),
        json!({ "method": "initialized" }),
        json!({ "id": 2, "method": "hooks/list",
                "params": { "cwds": [person.home().join("project")] } }),
    ] {
        writeln!(stdin, "{message}").unwrap();
    }
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let answers = lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    let list = answers.into_iter().find(|own| own["id"] == 2).unwrap();
    drop(stdin);
    child.kill().unwrap();
    child.wait().unwrap();
    list["result"]["data"][0]["hooks"].as_array().unwrap().clone()
}

#[test]
fn the_doctor_knows_which_hooks_codex_skips() {
    let Some(codex) = installed(
        "codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
    ) else {
        return;
    };
    let Some(person) = Person::new() else { return };
    // The program must be reached by somebody else than who installed it.
    let program = person.home().parent().unwrap().join("codex");
    std::fs::copy(codex, &program).unwrap();
    let codex = &program;
    person.run_plain(&["mkdir", ".codex"]);
    let done = person.ringfence(&["init", "--yes"]);
    assert!(stdout(&done).contains("skipped hook of codex"), "{}", stdout(&done));
    let before = listed(&person, codex);
    let tools =
        |all: &[Value]| all.iter().find(|own| own["eventName"] == "preToolUse").cloned().unwrap();
    assert_eq!(tools(&before)["trustStatus"], "untrusted", "{before:?}");

    let states: String = before
        .iter()
        .map(|own| format!("[hooks.state.{}]\ntrusted_hash = {}\n", own["key"], own["currentHash"]))
        .collect();
    person.write(".codex/config.toml", &states);
    assert_eq!(tools(&listed(&person, codex))["trustStatus"], "trusted");
    let doctor = person.ringfence(&["doctor"]);
    assert!(stdout(&doctor).contains("works   hook of codex"), "{}", stdout(&doctor));

    let hooks = person.read(".codex/hooks.json").unwrap().replace("120", "119");
    person.write(".codex/hooks.json", &hooks);
    let changed = tools(&listed(&person, codex));
    assert_ne!(changed["trustStatus"], "trusted", "{changed}");
    let doctor = person.ringfence(&["doctor"]);
    assert!(stdout(&doctor).contains("changed since it was trusted"), "{}", stdout(&doctor));
}
