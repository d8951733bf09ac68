use serde_json::json;

use super::*;

#[test]
fn versions_are_compared_by_number() {
    assert!(version("0.166.0") >= Some(CODEX) && version("1.0.0") > Some(CODEX));
    assert!(version("0.99.12").unwrap() < CODEX);
    assert_eq!(version("0.61.0-preview.1"), Some([0, 61, 0]));
    for text in ["", "1", "1.2", "1.2.3.4", "a.b.c", "-1.2.3"] {
        assert_eq!(version(text), None, "{text}");
    }
}

#[test]
fn an_agent_that_does_not_say_enough_is_older() {
    let owner = AgentProcess { pid: std::process::id(), started: 0 };
    for agent in Agent::ALL {
        assert!(!runs_rewritten_calls(agent, &owner, "{}"), "{agent:?}");
        assert!(!runs_rewritten_calls(agent, &owner, "no json"), "{agent:?}");
    }
    let record = tempfile::NamedTempFile::new().unwrap();
    let event = json!({ "transcript_path": record.path() }).to_string();
    for (written, is_known) in [("0.165.9", false), ("0.166.0", true)] {
        let meta = json!({ "type": "session_meta", "payload": { "cli_version": written } });
        fs::write(record.path(), format!("{meta}\n")).unwrap();
        assert_eq!(runs_rewritten_calls(Agent::Codex, &owner, &event), is_known, "{written}");
    }
}
