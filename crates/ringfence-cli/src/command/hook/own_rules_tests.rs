use super::*;

fn claude(files: &[(&str, &str)]) -> Result<usize, Objection> {
    let home = tempfile::tempdir().unwrap();
    let home_dir = home.path().join("home");
    let project = home.path().join("project");
    for (name, text) in files {
        let file = home.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let read = objecting_documents(
        Agent::ClaudeCode,
        home_dir.to_str().unwrap(),
        project.to_str().unwrap(),
    );
    read.map(|documents| documents.iter().map(|own| own.rules.len()).sum())
}

#[test]
fn deny_and_ask_rules_are_read_and_nothing_else() {
    assert_eq!(claude(&[]), Ok(0));
    let text = r#"{"permissions": {"allow": ["Bash(ls)"], "deny": ["Bash(git push:*)"], "ask": ["Bash(npm publish)"]}}"#;
    assert!(claude(&[("home/.claude/settings.json", text)]).unwrap() >= 2);
    assert!(claude(&[("project/.claude/settings.local.json", text)]).unwrap() >= 2);
    let allows = r#"{"permissions": {"allow": ["Bash(ls)"]}, "model": "x"}"#;
    assert_eq!(claude(&[("home/.claude/settings.json", allows)]), Ok(0));
}

#[test]
fn what_may_change_a_call_or_cannot_be_read_is_an_objection() {
    let ours = r#"{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [
        {"type": "command", "command": "/usr/bin/ringfence hook claude-code"}]}]}}"#;
    assert_eq!(claude(&[("home/.claude/settings.json", ours)]), Ok(0));
    let others = [
        r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "rewrite"}]}]}}"#,
        r#"{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "http", "url": "http://x"}]}]}}"#,
        r#"{"enabledPlugins": {"a@b": true}}"#,
        "{",
        "[]",
        r#"{"permissions": {"deny": ["Bash(rm:*"]}}"#,
    ];
    for text in others {
        assert!(claude(&[("project/.claude/settings.json", text)]).is_err(), "{text}");
    }
}
