//! The settings files that make agents call the hook.

use ringfence_hooks::Agent;

#[test]
fn every_agent_can_be_told_to_call_the_hook() {
    for agent in Agent::ALL {
        let setup = agent.setup("/opt/bin/ringfence");
        assert!(setup.text.contains("/opt/bin/ringfence"), "{}", setup.text);
        assert!(setup.text.contains(agent.name()), "{}", setup.text);
        assert!(setup.text.ends_with('\n') && !setup.path.starts_with('/'), "{}", setup.path);
    }
}

#[test]
fn settings_in_json_are_json() {
    for agent in Agent::ALL {
        let setup = agent.setup("/opt/my \"bin\"/it's ringfence");
        if setup.path.ends_with(".json") {
            let value: serde_json::Value = serde_json::from_str(&setup.text).unwrap();
            assert!(value.get("hooks").is_some(), "{value}");
        }
        // A path with characters that are special in a shell or in JavaScript stays one word.
        let whole = [r#"'/opt/my "bin"/it'\''s ringfence'"#, r#"/opt/my \"bin\"/it's ringfence"#];
        let said = setup.text.replace("\\\\", "\\").replace("\\\"", "\"");
        let whole = whole.map(|own| own.replace("\\\"", "\""));
        assert!(whole.iter().any(|own| said.contains(own.as_str())), "{}", setup.text);
    }
}

#[test]
fn agents_are_found_by_name_and_alias() {
    for agent in Agent::ALL {
        assert_eq!(agent.name().parse::<Agent>().unwrap(), agent);
    }
    assert_eq!("claude".parse::<Agent>().unwrap(), Agent::ClaudeCode);
    let unknown = "emacs".parse::<Agent>().unwrap_err().to_string();
    assert!(unknown.contains("`emacs`") && unknown.contains("claude-code"), "{unknown}");
}

/// An agent that could write these files could remove the hook.
#[test]
fn no_agent_can_write_what_makes_it_call_the_hook() {
    let guard = super::cases::guard("allow = [\"fs:w:/home/u/**\"]\n");
    for agent in Agent::ALL {
        let path = format!("/home/u/{}", agent.setup("ringfence").path);
        let event = serde_json::json!({ "tool": "write", "args": { "path": path, "content": "" },
                                        "directory": "/home/u/proj" });
        let event = Agent::Openclaw.read(&event.to_string(), &|_| None).unwrap();
        let said = ringfence_hooks::judge_event(&guard, Agent::Openclaw, &event);
        let said = format!("{said:?}");
        assert!(said.contains("protected"), "{path}: {said}");
    }
}
