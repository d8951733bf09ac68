//! `check`: verdicts, exit codes and messages.

use serde_json::Value;

use super::{ringfence, stderr, stdout};

fn policy(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("policy.toml"), text).unwrap();
    folder
}

fn check(folder: &tempfile::TempDir, args: &[&str]) -> std::process::Output {
    ringfence()
        .current_dir(folder.path())
        .args(["check", "--policy", "policy.toml"])
        .args(args)
        .output()
        .unwrap()
}

#[test]
fn the_exit_status_is_the_verdict() {
    let folder = policy("allow = [\"fs:r:/srv/**\"]\nask = [\"fs:w:/srv/**\"]\n");
    for (access, code) in
        [("fs:r:/srv/x", 0), ("fs:w:/srv/x", 3), ("fs:r:/else", 4), ("fs:x:/srv", 2)]
    {
        let output = check(&folder, &["--access", access]);
        assert_eq!(output.status.code(), Some(code), "{access}: {output:?}");
    }
    assert_eq!(check(&folder, &[]).status.code(), Some(2));
    assert_eq!(check(&folder, &["--frob"]).status.code(), Some(2));
}

#[test]
fn what_is_no_access_is_an_error_and_no_verdict() {
    let folder = policy("allow = [\"fs:r:/srv/**\"]\n");
    for access in ["foo", "net", "fs:/srv", "frob:x", "listen:no", "mcp:server"] {
        for verb in ["check", "explain"] {
            let mut command = ringfence();
            command.current_dir(folder.path()).args([verb, "--policy", "policy.toml"]);
            let output = command.args(["--access", access]).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{verb} {access}: {output:?}");
            assert_eq!(stdout(&output), "", "{verb} {access}");
            assert!(stderr(&output).contains("hint: "), "{output:?}");
        }
    }
}

#[test]
fn an_agent_is_known_by_its_hook_or_by_the_policy() {
    let folder = policy(
        "allow = [\"cmd:ls\", { pattern = \"cmd:id\", agent = \"ops-*\" }]\n\
         [agents.reviewer]\ndeny = [\"cmd:ls\"]\n[agents.claude-code]\ndeny = [\"cmd:ls\"]\n",
    );
    for (agent, code) in [
        ("codex", 0),
        ("reviewer", 4),
        ("claude-code", 4),
        ("ops-two", 0),
        ("nosuch", 2),
        ("reviewers", 2),
        ("", 2),
    ] {
        let output = check(&folder, &["--agent", agent, "ls"]);
        assert_eq!(output.status.code(), Some(code), "{agent}: {output:?}");
    }
    // Another name of an agent stands for it.
    assert_eq!(check(&folder, &["--agent", "claude", "ls"]).status.code(), Some(4));
    for verb in [&["run"][..], &["run", "--session", "s"], &["mcp"]] {
        let mut command = ringfence();
        command.current_dir(folder.path()).args(verb).args(["--policy", "policy.toml"]);
        let output = command.args(["--agent", "nosuch", "--", "true"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{verb:?}: {output:?}");
        assert!(stderr(&output).contains("unknown agent `nosuch`"), "{output:?}");
    }
}

#[test]
fn a_line_needs_no_dashes_before_it() {
    let folder = policy("allow = [\"cmd:git:push:*\"]\ndeny = [\"cmd:git:push:*:--mirror\"]\n");
    for (words, code) in [
        (&["git", "push"][..], 0),
        (&["git", "push", "--mirror"], 4),
        (&["git push --mirror"], 4),
        (&["--json", "git", "push", "--json"], 0),
        (&["--", "git", "push", "--mirror"], 4),
    ] {
        let output = check(&folder, words);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {output:?}");
    }
}

#[test]
fn a_refusal_names_rule_reason_and_remedy_in_at_most_six_lines() {
    let folder = policy(
        "allow = [\"fs:r:/srv/**\"]\n\
         deny = [{ pattern = \"fs:r:/srv/keys/**\", why = \"keys stay with people\" }]\n",
    );
    let denied = check(&folder, &["--tool", "read_file", "--input", "{\"path\":\"/srv/keys/a\"}"]);
    let said = stdout(&denied);
    assert_eq!(denied.status.code(), Some(4));
    assert!(said.contains("deny `fs:r:/srv/keys/**` (policy.toml:2)"), "{said}");
    assert!(said.contains("keys stay with people"), "{said}");
    assert!(said.lines().count() <= 6, "{said}");
    let outside = stdout(&check(&folder, &["--access", "fs:r:/else"]));
    assert!(outside.contains("ringfence allow 'fs:r:/else'"), "{outside}");
    assert!(outside.contains("/srv"), "{outside}");
}

#[test]
fn c146_machines_get_the_envelope() {
    let folder = policy("allow = [\"fs:r:/srv/**\"]\n");
    let args = ["--json", "--tool", "read_file", "--input", "{\"path\":\"/else\"}"];
    let output = check(&folder, &args);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let refusal = &answer["refusal"];
    assert_eq!(refusal["error"], "Tool call rejected: path outside allowed scope");
    assert_eq!(refusal["code"], "path_not_granted");
    assert_eq!(refusal["tool_name"], "read_file");
    assert_eq!(refusal["path"], "/else");
    assert_eq!(refusal["allowed_paths"], serde_json::json!(["/srv"]));
    assert_eq!(refusal["retry"], "if_changed");
    assert!(refusal["hint"].is_string());
}

#[test]
fn a_broken_policy_is_refused_whole_with_a_caret() {
    let folder = policy("allow = [\"fs:r:/srv/**\"]\nalow = []\n");
    let output = check(&folder, &["--access", "fs:r:/srv/x"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("policy.toml:2:1"), "{said}");
    assert!(said.contains("^"), "{said}");
    assert!(said.contains("allow"), "names the nearest key: {said}");
    assert!(output.stdout.is_empty());
}

#[test]
fn c078_no_tool_writes_a_policy() {
    let folder = policy("allow = [\"fs:rw:/**\", \"cmd:*\"]\n");
    for path in ["ringfence.toml", "/etc/ringfence/policy.toml", "~/.config/ringfence/policy.yaml"]
    {
        let input = serde_json::json!({ "path": path, "content": "allow = [\"cmd:*\"]" });
        let output = check(&folder, &["--tool", "write_file", "--input", &input.to_string()]);
        assert_eq!(output.status.code(), Some(4), "{path}: {output:?}");
        assert!(stdout(&output).contains("protected"), "{path}");
    }
    let output = check(&folder, &["--", "ringfence", "allow", "cmd:*"]);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
}

#[test]
fn further_policies_only_narrow() {
    let folder = policy("allow = [\"fs:r:/srv/**\", \"cmd:ls:*\"]\n");
    std::fs::write(folder.path().join("more.toml"), "allow = [\"fs:r:/srv/a/**\", \"net:*\"]\n")
        .unwrap();
    for (access, code) in [("fs:r:/srv/a/x", 0), ("fs:r:/srv/b", 4), ("net:a.example:1", 4)] {
        let output = check(&folder, &["--policy", "more.toml", "--access", access]);
        assert_eq!(output.status.code(), Some(code), "{access}");
    }
}

#[test]
fn secrets_and_invisible_characters_are_not_shown() {
    let folder = policy("default = \"deny\"\n");
    let line = ["--", "curl", "--token=ghp_0123456789abcdef0123456789abcdef0123", "x\u{202e}y"];
    let said = stdout(&check(&folder, &line));
    assert!(!said.contains("ghp_"), "{said}");
    assert!(said.contains("redacted:"), "{said}");
    assert!(!said.contains('\u{202e}'), "{said}");
}
