//! `ringfence hook` as an agent uses it.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::asking::Desk;
use super::{ringfence, run_with_input, stderr, stdout};

const POLICY: &str = "extends = [\"@workspace\"]\ndefault = \"deny\"\nask = [\"cmd:git:push:*\"]\n\
                      [hooks]\nwait = 0\n";

fn event(desk: &Desk, session: &str, line: &str) -> Value {
    json!({
        "session_id": session, "cwd": desk.project(), "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": line },
    })
}

/// The hook of an agent in the project.
fn hook(desk: &Desk, agent: &str) -> Command {
    let mut command = desk.place(ringfence());
    command.args(["hook", agent, "--policy"]).arg(desk.policy());
    command.env_remove("CLAUDE_CODE_ENTRYPOINT").env("CLAUDE_PROJECT_DIR", desk.project());
    command
}

fn ask(desk: &Desk, session: &str, line: &str) -> Value {
    let text = event(desk, session, line).to_string();
    let output = run_with_input(&mut hook(desk, "claude-code"), text.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    said["hookSpecificOutput"].clone()
}

/// The envelope of a refusal.
#[track_caller]
fn refused(output: &Output) -> Value {
    let said: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}\n{}", stdout(output), stderr(output)));
    let said = &said["hookSpecificOutput"];
    assert_eq!(said["permissionDecision"], "deny", "{said}");
    assert_eq!(output.status.code(), Some(0));
    serde_json::from_str(said["permissionDecisionReason"].as_str().unwrap()).unwrap()
}

#[test]
fn what_is_granted_is_allowed_and_what_is_not_is_refused() {
    let desk = Desk::new(POLICY);
    assert_eq!(ask(&desk, "s", "git status")["permissionDecision"], "allow");
    let denied = ask(&desk, "s", "cat ~/.ssh/id_rsa");
    assert_eq!(denied["permissionDecision"], "deny");
    let envelope: Value =
        serde_json::from_str(denied["permissionDecisionReason"].as_str().unwrap()).unwrap();
    assert_eq!(envelope["tool_name"], "Bash");
    assert!(envelope["hint"].is_string() && envelope["retry"] == "never", "{envelope}");
}

/// Also where the policy lies in the project, which is granted, and by whatever tool.
#[test]
fn the_policy_in_force_is_not_changed() {
    let desk = Desk::new(POLICY);
    std::fs::write(desk.project().join("agent.toml"), POLICY).unwrap();
    for (line, decided) in [("touch other.toml", "allow"), ("touch agent.toml", "deny")] {
        let text = event(&desk, "s", line).to_string();
        let mut command = desk.place(ringfence());
        command.args(["hook", "claude-code", "--policy", "agent.toml"]);
        let command = command.env("CLAUDE_PROJECT_DIR", desk.project());
        let output = run_with_input(command, text.as_bytes());
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        let said = &said["hookSpecificOutput"]["permissionDecision"];
        assert_eq!(said, decided, "{line}: {}", stdout(&output));
    }
}

#[test]
fn events_that_cannot_be_read_are_blocked() {
    let desk = Desk::new(POLICY);
    let inputs: [&[u8]; 5] =
        [b"", b"{", b"\xff\xfe", b"[]", br#"{"hook_event_name":"PreToolUse"}"#];
    for input in inputs {
        let envelope = refused(&run_with_input(&mut hook(&desk, "claude-code"), input));
        assert_eq!(envelope["code"], "failed", "{envelope}");
    }
    let long = vec![b' '; 17 << 20];
    let envelope = refused(&run_with_input(&mut hook(&desk, "claude-code"), &long));
    assert!(envelope["error"].as_str().unwrap().contains("too long"), "{envelope}");
}

#[test]
fn a_broken_policy_blocks_everything() {
    let desk = Desk::new("alow = []\n");
    let text = event(&desk, "s", "ls").to_string();
    let envelope = refused(&run_with_input(&mut hook(&desk, "claude-code"), text.as_bytes()));
    assert!(envelope["error"].as_str().unwrap().contains("alow"), "{envelope}");
    std::fs::remove_file(desk.policy()).unwrap();
    let envelope = refused(&run_with_input(&mut hook(&desk, "claude-code"), text.as_bytes()));
    assert_eq!(envelope["code"], "failed", "{envelope}");
}

#[test]
fn a_directory_that_is_not_there_blocks_everything() {
    let desk = Desk::new(POLICY);
    let mut gone = event(&desk, "s", "ls");
    gone["cwd"] = desk.project().join("gone").to_str().unwrap().into();
    let output = run_with_input(&mut hook(&desk, "claude-code"), gone.to_string().as_bytes());
    assert_eq!(refused(&output)["code"], "failed");
}

/// What a hook says whose agent never ends its event.
fn never_told(command: &mut Command) -> Output {
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = streams.spawn().unwrap();
    let held = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(held);
    output
}

#[test]
fn an_event_that_never_ends_is_blocked_in_two_seconds() {
    let desk = Desk::new(POLICY);
    let began = Instant::now();
    let envelope = refused(&never_told(&mut hook(&desk, "claude-code")));
    assert!(envelope["error"].as_str().unwrap().contains("longer than 2 s"), "{envelope}");
    assert!(began.elapsed() >= Duration::from_secs(2), "{:?}", began.elapsed());
}

#[test]
fn whoever_starts_the_hook_cannot_keep_its_time_from_counting() {
    let desk = Desk::new(POLICY);
    let own = hook(&desk, "claude-code");
    let mut command = desk.place(Command::new("env"));
    command.args(["--block-signal=ALRM", "--ignore-signal=ALRM"]);
    command.arg(own.get_program()).args(own.get_args());
    let envelope = refused(&never_told(&mut command));
    assert!(envelope["error"].as_str().unwrap().contains("longer than 2 s"), "{envelope}");
    // Nobody to tell it to: the status says it.
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut child = hook(&desk, "claude-code").stdin(Stdio::piped()).stdout(full).spawn().unwrap();
    let held = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    drop(held);
}

#[test]
fn an_agent_that_cannot_be_told_is_told_by_the_status() {
    let desk = Desk::new(POLICY);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut child = hook(&desk, "claude-code").stdin(Stdio::null()).stdout(full).spawn().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    // An agent that is not known cannot be answered in its words, but by its status.
    let unknown = run_with_input(desk.place(ringfence()).args(["hook", "emacs"]), b"{}");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("claude-code"), "{}", stderr(&unknown));
}

#[test]
fn a_question_waits_and_an_answer_holds_for_the_same_call_once() {
    let desk = Desk::new(POLICY);
    let session = desk.project().display().to_string();
    let first = ask(&desk, &session, "git push origin main");
    assert_eq!(first["permissionDecision"], "deny");
    let envelope: Value =
        serde_json::from_str(first["permissionDecisionReason"].as_str().unwrap()).unwrap();
    assert_eq!(envelope["retry"], "after_approval", "{envelope}");
    let id = envelope["approval"].as_str().unwrap();

    let pending = stdout(&desk.ringfence(&["pending"]));
    assert!(pending.contains(id) && pending.contains("git push origin main"), "{pending}");
    assert_eq!(desk.ringfence(&["approve", id]).status.code(), Some(2), "a pipe is no person");
    let agreed = desk.at_terminal(&["approve", id]);
    assert_eq!(agreed.status.code(), Some(0), "{}", stdout(&agreed));

    let other = ask(&desk, &session, "git push --tags");
    assert_eq!(other["permissionDecision"], "deny", "another call is another question");
    let same = ask(&desk, &session, "git push origin main");
    assert_eq!(same["permissionDecision"], "allow", "{same}");
    let again = ask(&desk, &session, "git push origin main");
    assert_eq!(again["permissionDecision"], "deny", "once is once");

    // A no is a no, and says so.
    let envelope: Value =
        serde_json::from_str(again["permissionDecisionReason"].as_str().unwrap()).unwrap();
    let id = envelope["approval"].as_str().unwrap();
    assert_eq!(desk.ringfence(&["deny", id]).status.code(), Some(0));
    let told = ask(&desk, &session, "git push origin main");
    assert!(told["permissionDecisionReason"].as_str().unwrap().contains("declined"), "{told}");
    for question in questions(&desk) {
        desk.ringfence(&["deny", &question]);
    }
}

/// An agent that is interrupted ends its hooks, and knows no name of a question.
#[test]
fn a_question_goes_with_the_hook_that_was_ended() {
    let desk = Desk::new(&POLICY.replace("wait = 0", "wait = 40"));
    let mut hook = hook(&desk, "claude-code").stdin(Stdio::piped()).spawn().unwrap();
    let event = event(&desk, "interrupted", "git push origin main").to_string();
    hook.stdin.take().unwrap().write_all(event.as_bytes()).unwrap();
    while questions(&desk).is_empty() {
        assert!(hook.try_wait().unwrap().is_none(), "it did not wait");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    hook.kill().unwrap();
    hook.wait().unwrap();
    assert_eq!(questions(&desk), Vec::<String>::new());
}

/// The questions that were asked in this project.
fn questions(desk: &Desk) -> Vec<String> {
    let all: Value =
        serde_json::from_slice(&desk.ringfence(&["pending", "--json"]).stdout).unwrap();
    let project = desk.project().display().to_string();
    let own = all.as_array().unwrap().iter().filter(|own| own["run"]["directory"] == project);
    own.map(|own| own["id"].as_str().unwrap().to_owned()).collect()
}

/// Reads a file of another project, from there.
fn read_elsewhere(desk: &Desk, agent: &str, change: impl Fn(&mut Command, &mut Value)) -> Output {
    let elsewhere = desk.project().with_file_name("elsewhere");
    std::fs::create_dir_all(elsewhere.join(".git")).unwrap();
    std::fs::write(elsewhere.join("a"), "a").unwrap();
    let mut read = event(desk, "s", "cat a");
    read["cwd"] = elsewhere.to_str().unwrap().into();
    let mut command = hook(desk, agent);
    change(&mut command, &mut read);
    run_with_input(&mut command, read.to_string().as_bytes())
}

#[test]
fn going_elsewhere_does_not_take_the_project_along() {
    let desk = Desk::new(POLICY);
    let output = read_elsewhere(&desk, "claude-code", |_, _| {});
    assert_eq!(refused(&output)["code"], "path_not_granted");
    let output = read_elsewhere(&desk, "claude-code", |command, _| {
        command.env("CLAUDE_PROJECT_DIR", desk.project().with_file_name("elsewhere"));
    });
    assert!(stdout(&output).contains("\"allow\""), "{}", stdout(&output));
    // An agent that does not say where its project is has none.
    let output = read_elsewhere(&desk, "claude-code", |command, _| {
        command.env_remove("CLAUDE_PROJECT_DIR");
    });
    assert_eq!(refused(&output)["code"], "path_not_granted");
}

/// Codex tells the directory of the call; where the session began is in its record.
#[test]
fn the_project_of_codex_is_where_its_session_began() {
    let desk = Desk::new(POLICY);
    let record = desk.project().with_file_name("session.jsonl");
    for (began, allowed) in [("project", false), ("elsewhere", true)] {
        let directory = desk.project().with_file_name(began);
        let meta = json!({ "type": "session_meta", "payload": { "cwd": directory } });
        std::fs::write(&record, format!("{meta}\n{{}}\n")).unwrap();
        let output = read_elsewhere(&desk, "codex", |_, event| {
            event["transcript_path"] = record.to_str().unwrap().into();
        });
        assert_eq!(output.stdout.is_empty(), allowed, "{began}: {}", stdout(&output));
    }
    let output = read_elsewhere(&desk, "codex", |_, event| event["transcript_path"] = Value::Null);
    assert_eq!(refused(&output)["code"], "path_not_granted");
}

#[test]
fn settings_that_call_the_hook_are_printed() {
    let desk = Desk::new(POLICY);
    let said = desk.ringfence(&["hook", "claude-code", "--setup"]);
    let settings: Value = serde_json::from_slice(&said.stdout).unwrap();
    let command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
    assert_eq!(command, format!("{} hook claude-code", env!("CARGO_BIN_EXE_ringfence")));
    assert!(stderr(&said).contains("~/.claude/settings.json"));
}
