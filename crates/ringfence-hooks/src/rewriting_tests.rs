use super::*;

fn event(agent: Agent, text: &str) -> (HookEvent, String) {
    (agent.read(text, &|_| None).unwrap(), text.to_owned())
}

fn claude(input: &Value) -> (HookEvent, String) {
    let text = json!({ "hook_event_name": "PreToolUse", "cwd": "/p", "session_id": "s",
                       "tool_name": "Bash", "tool_input": input });
    event(Agent::ClaudeCode, &text.to_string())
}

#[test]
fn every_other_argument_stays() {
    let input = json!({ "command": "ls", "description": "x", "run_in_background": true });
    let (event, text) = claude(&input);
    let call = Agent::ClaudeCode.shell_call(&event, &text).unwrap();
    assert_eq!((call.line.as_str(), call.keeps_directory), ("ls", true));
    let reply = Agent::ClaudeCode.reply_rewritten(&call, "other").unwrap();
    let said: Value = serde_json::from_str(&reply.stdout).unwrap();
    let said = &said["hookSpecificOutput"];
    assert_eq!(said["permissionDecision"], "allow");
    let expected = json!({ "command": "other", "description": "x", "run_in_background": true });
    assert_eq!(said["updatedInput"], expected);
}

#[test]
fn arguments_that_are_not_understood_keep_the_call_as_it_is() {
    for input in [
        json!({ "command": "ls", "cwd": "/" }),
        json!({ "command": "ls", "env": { "A": "b" } }),
        json!({ "command": "ls", "mode": "async" }),
        json!({ "command": "" }),
        json!({ "command": "a\u{0}b" }),
    ] {
        let (event, text) = claude(&input);
        assert_eq!(Agent::ClaudeCode.shell_call(&event, &text), None, "{input}");
    }
}

#[test]
fn other_tools_and_other_agents_are_not_rewritten() {
    let text = r#"{"hook_event_name": "PreToolUse", "cwd": "/p", "tool_name": "Read",
                   "tool_input": {"file_path": "a", "command": "ls"}}"#;
    let (other, text) = event(Agent::ClaudeCode, text);
    assert_eq!(Agent::ClaudeCode.shell_call(&other, &text), None);
    let text = r#"{"hook_event_name": "PermissionRequest", "cwd": "/p", "tool_name": "Bash",
                   "tool_input": {"command": "ls"}}"#;
    let (prompt, text) = event(Agent::ClaudeCode, text);
    assert_eq!(Agent::ClaudeCode.shell_call(&prompt, &text), None);
    let can: Vec<Agent> = Agent::ALL.into_iter().filter(|agent| agent.can_rewrite()).collect();
    let five = [Agent::ClaudeCode, Agent::Codex, Agent::Gemini, Agent::Opencode, Agent::Copilot];
    assert_eq!(can, five);
}

/// What a shell reads in the line is the program, the ticket and the label, whatever they are made from.
#[test]
fn nothing_but_the_program_is_run_by_the_line() {
    let label = "rm -rf x.y/z=1";
    for program in ["/usr/bin/ringfence", "/opt/it's \"here\"; $(touch x)/ringfence"] {
        let line = redeeming_line(program, "0123", label, false);
        let said = std::process::Command::new("bash")
            .args(["-c", &format!("set -- {line}; printf '%s|' \"$@\"")])
            .output()
            .unwrap();
        let words = String::from_utf8(said.stdout).unwrap();
        assert_eq!(words, format!("{program}|fenced|0123|{label}|"));
        assert!(!line.contains('\n'));
    }
}

/// A program in ringfence's place says where it ended, by each shell that agents use.
#[test]
fn the_line_follows_the_command_and_keeps_its_status() {
    let place = std::env::temp_dir().join(format!("rf-line-{}", std::process::id()));
    let target = place.join("a $(touch planted) 'b");
    std::fs::create_dir_all(&target).unwrap();
    let program = place.join("program");
    let said = "#!/bin/sh\necho out; echo err >&2\nprintf '%s' \"$WHERE\" >&3\nexit ${STATUS:-0}\n";
    std::fs::write(&program, said).unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .unwrap();
    let line = redeeming_line(program.to_str().unwrap(), "0123", "label", true);
    for shell in ["bash", "dash"] {
        for (goes_to, status) in [(target.to_str().unwrap(), "0"), ("", "7"), ("/nowhere", "3")] {
            let script =
                format!("eval '{}'; echo \"status $?\"; pwd -P", line.replace('\'', r"'\''"));
            let said = std::process::Command::new(shell)
                .args(["-c", &script])
                .current_dir(&place)
                .env("WHERE", goes_to)
                .env("STATUS", status)
                .output()
                .unwrap();
            let text = String::from_utf8(said.stdout).unwrap();
            let ends = if goes_to.starts_with(place.to_str().unwrap()) { &target } else { &place };
            let ends = ends.canonicalize().unwrap();
            let expected = format!("out\nstatus {status}\n{}\n", ends.display());
            assert_eq!(text, expected, "{shell} {goes_to}");
            assert!(String::from_utf8_lossy(&said.stderr).starts_with("err\n"));
            assert!(!ends.join("planted").exists() && !place.join("planted").exists());
        }
    }
    std::fs::remove_dir_all(&place).unwrap();
}
