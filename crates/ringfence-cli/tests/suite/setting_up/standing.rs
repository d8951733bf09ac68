//! `status`, `log`, and what the doctor finds out about hooks.

use std::path::Path;

use serde_json::Value;

use super::super::person::Person;
use super::super::{run_with_input, stderr, stdout};
use super::{CLAUDE, CODEX, ours, set_up};

#[test]
fn status_says_what_is_enforced_and_what_is_not() {
    let Some(person) = set_up() else { return };
    let said = stdout(&person.ringfence(&["status"]));
    assert!(said.contains("codex  no hook, nothing is enforced"), "{said}");
    assert!(said.contains("policy  none"), "{said}");
    assert!(said.contains("0 of 1 MCP server behind"), "{said}");
    assert_eq!(person.at_terminal(&["init"], "y\n").status.code(), Some(1));

    let status = || -> Value {
        serde_json::from_slice(&person.ringfence(&["status", "--json"]).stdout).unwrap()
    };
    let agent = |status: &Value, name: &str| -> Value {
        let all = status["agents"].as_array().unwrap();
        all.iter().find(|own| own["agent"] == name).unwrap().clone()
    };
    let now = status();
    assert_eq!(now["fence"]["full"], true, "{now}");
    assert_eq!(agent(&now, "claude-code")["runs"], true, "{now}");
    let trying = &agent(&now, "claude-code")["last_called_seconds"];
    assert!(trying.is_null(), "the doctor is no agent: {now}");
    assert_eq!(agent(&now, "codex")["runs"], false, "nobody trusted it: {now}");
    let said = stdout(&person.ringfence(&["status"]));
    assert!(said.contains("enforced      nothing until then"), "{said}");

    let hooks = person.home().join(CODEX);
    let state = |hash: &str| {
        let hooks = hooks.display();
        format!("[hooks.state.\"{hooks}:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:{hash}\"\n")
    };
    person.write(".codex/config.toml", &state("0"));
    let doctor = person.ringfence(&["doctor"]);
    assert!(stdout(&doctor).contains("changed since it was trusted"), "{}", stdout(&doctor));
    let state = state(&hash(&ours(&person)));
    person.write(".codex/config.toml", &state);
    call(&person, "codex");
    let now = status();
    assert_eq!(agent(&now, "codex")["runs"], true, "{now}");
    assert!(agent(&now, "codex")["last_called_seconds"].is_u64(), "{now}");
    let doctor = person.ringfence(&["doctor"]);
    assert_eq!(doctor.status.code(), Some(0), "{}", stdout(&doctor));
    person.write(".codex/config.toml", &format!("{state}enabled = false\n"));
    let doctor = person.ringfence(&["doctor"]);
    assert!(stdout(&doctor).contains("switched off"), "{}", stdout(&doctor));
}

/// What Codex hashes, as it was seen to.
fn hash(program: &str) -> String {
    let text = format!(
        "{{\"event_name\":\"pre_tool_use\",\"hooks\":[{{\"async\":false,\"command\":\"{program} hook \
         codex\",\"timeout\":120,\"type\":\"command\"}}],\"matcher\":\".*\"}}"
    );
    let output = run_with_input(&mut std::process::Command::new("sha256sum"), text.as_bytes());
    stdout(&output).split_whitespace().next().unwrap().to_owned()
}

/// Calls a hook as the agent would.
fn call(person: &Person, agent: &str) {
    let event = serde_json::json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": person.home().join("project"),
        "tool_name": "Bash", "tool_input": { "command": "git status" },
    });
    let mut command = person.command(&ours(person));
    let said = run_with_input(command.args(["hook", agent]), event.to_string().as_bytes());
    assert_eq!(said.status.code(), Some(0), "{}", stderr(&said));
}

#[test]
fn the_doctor_finds_a_hook_that_does_not_work() {
    let Some(person) = set_up() else { return };
    let fires = |command: &str| {
        let hook = serde_json::json!({ "type": "command", "command": command });
        let all =
            serde_json::json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [hook] }] } });
        person.write(CLAUDE, &all.to_string());
        let output = person.ringfence(&["doctor", "--json"]);
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        let hook = said["hooks"].as_array().unwrap().first().cloned().unwrap_or_default();
        (output.status.code(), hook["fault"].as_str().unwrap_or("works").to_owned())
    };
    assert_eq!(
        fires(&format!("{} hook claude-code", ours(&person))),
        (Some(0), "works".to_owned())
    );
    let gone = fires("/gone/ringfence hook claude-code");
    assert!(gone.0 == Some(1) && gone.1.contains("not there"), "{gone:?}");
    let lax = fires("true ringfence hook claude-code");
    assert!(lax.0 == Some(1) && lax.1.contains("let a forbidden call pass"), "{lax:?}");
    let odd = fires("echo ringfence hook claude-code");
    assert!(odd.0 == Some(1) && odd.1.contains("none that the agent knows"), "{odd:?}");
    // A broken policy blocks everything, also what is harmless.
    person.write(".config/ringfence/policy.toml", "alow = []\n");
    let strict = fires(&format!("{} hook claude-code", ours(&person)));
    assert!(strict.0 == Some(1) && strict.1.contains("blocked a harmless call"), "{strict:?}");
    assert!(Path::new(&ours(&person)).exists());
}

#[test]
fn the_log_tells_what_was_asked_and_added() {
    let Some(person) = Person::new() else { return };
    assert!(stderr(&person.ringfence(&["log"])).contains("nothing was asked"));
    person.write(
        ".config/ringfence/policy.toml",
        "extends = [\"@workspace\"]\nask = [\"cmd:git:status\"]\n[hooks]\nwait = 0\n",
    );
    call(&person, "codex");
    person.at_terminal(&["allow", "cmd:id", "--why", "'who am I'"], "");
    let log = person.ringfence(&["log"]);
    let said = stdout(&log);
    assert!(said.contains("waits") && said.contains("git status"), "{said} {}", stderr(&log));
    assert!(said.contains("cmd:id") && said.contains("who am I"), "{said}");
    let all: Value = serde_json::from_slice(&person.ringfence(&["log", "--json"]).stdout).unwrap();
    let id = all[0]["id"].as_str().unwrap();
    assert_eq!(person.ringfence(&["deny", id]).status.code(), Some(0));
    let said = stdout(&person.ringfence(&["log"]));
    assert!(said.lines().any(|line| line.starts_with("no ")), "{said}");
    let refusal = all.as_array().unwrap().iter().find(|own| own["kind"] == "refusal").unwrap();
    assert_eq!((&refusal["at"], &refusal["who"]), (&"hook".into(), &"codex".into()));
    assert!(refusal["why"].as_str().unwrap().contains("the question waits"), "{refusal}");
}

/// A hook inside a run leaves no note, and no refusal in the run's list.
#[test]
fn a_hook_in_a_run_asks_for_nothing_more() {
    let Some(person) = Person::new() else { return };
    let program = ours(&person);
    let policy =
        "extends = [\"@workspace\"]\nallow = [\"cmd:ringfence:*\", \"env:*\", \"fs:r:/tmp/**\"]\n";
    person.write(".config/ringfence/policy.toml", policy);
    let event = serde_json::json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": person.home().join("project"),
        "tool_name": "Bash", "tool_input": { "command": "git status" },
    });
    let in_run = || {
        let mut command = person.command(&program);
        command.args(["run", "--", &program, "hook", "codex"]);
        command.current_dir(person.home().join("project"));
        let output = run_with_input(&mut command, event.to_string().as_bytes());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(!stderr(&output).contains("refused"), "{}", stderr(&output));
    };
    in_run();
    let note = person.home().join(".local/state/ringfence/called/codex");
    assert!(!note.exists());
    call(&person, "codex");
    let time = || note.metadata().unwrap().modified().unwrap();
    let outside = time();
    in_run();
    assert_eq!(time(), outside);
}
