use std::fs;
use std::os::unix::fs::symlink;

use ringfence_guard::Action;
use serde_json::json;
use tempfile::TempDir;

use super::*;

/// A home and a project with files in them.
struct Machine {
    directory: TempDir,
}

impl Machine {
    fn new(files: &[(&str, &str)]) -> Machine {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir_all(directory.path().join("home/proj/sub")).unwrap();
        for (path, text) in files {
            let path = directory.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(
                path,
                text.replace("@PROJECT", directory.path().join("home/proj").to_str().unwrap()),
            )
            .unwrap();
        }
        Machine { directory }
    }

    fn home(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join("home")
    }

    fn event(&self, agent: Agent, name: &str) -> HookEvent {
        let cwd = self.home().join("proj/sub");
        let event = match agent {
            Agent::Copilot => json!({ "toolName": name, "cwd": cwd }),
            _ => json!({ "hook_event_name": "PreToolUse", "tool_name": name, "cwd": cwd }),
        };
        agent.read(&event.to_string(), &|_| None).unwrap()
    }

    fn check(&self, agent: Agent, certain: &[&str], possible: &[&str]) {
        let event =
            self.event(agent, if agent == Agent::Copilot { "a-b-c" } else { "mcp__a__b__c" });
        let found = names(&event, agent, &self.home()).unwrap_or_default();
        assert_eq!(found.certain, certain, "{}", agent.name());
        assert_eq!(found.possible, possible, "{}", agent.name());
    }
}

#[test]
fn names_are_found_where_agents_keep_them() {
    let machine = Machine::new(&[
        (
            "home/.claude.json",
            r#"{"mcpServers": {"one": {"command": "x"}, "my.two": {}}, "projects": {"@PROJECT": {"mcpServers": {"local": {}}}, "/elsewhere": {"mcpServers": {"not": {}}}}}"#,
        ),
        ("home/proj/.mcp.json", r#"{"mcpServers": {"team": {}}}"#),
        ("home/.codex/config.toml", "model = \"m\"\n[mcp_servers.three]\ncommand = \"x\"\n"),
        ("home/proj/.codex/config.toml", "[mcp_servers.four]\ncommand = \"x\"\n"),
        ("home/.copilot/mcp-config.json", r#"{"mcpServers": {"five": {}}}"#),
        ("home/.hermes/config.yaml", "mcp_servers:\n  my-six:\n    command: x\n"),
    ]);
    machine.check(Agent::ClaudeCode, &["local", "my_two", "one"], &["team"]);
    // A home above a project is looked through as well, for what it is to the agent.
    machine.check(Agent::Codex, &["codex_apps", "three"], &["four", "three"]);
    machine.check(Agent::Copilot, &["five", "github-mcp-server"], &["five", "team"]);
}

#[test]
fn where_a_file_cannot_be_read_nothing_is_known() {
    let good = ("home/.claude.json", r#"{"mcpServers": {"one": {}}}"#);
    for bad in ["{", r#"{"mcpServers": {"a": {}, "a": {}}}"#, "\u{0}"] {
        Machine::new(&[good, ("home/proj/.mcp.json", bad)]).check(Agent::ClaudeCode, &[], &[]);
        Machine::new(&[("home/.claude.json", bad)]).check(Agent::ClaudeCode, &[], &[]);
    }
    let machine = Machine::new(&[good, ("home/proj/.mcp.json", "{}")]);
    machine.check(Agent::ClaudeCode, &["one"], &[]);
    fs::remove_file(machine.home().join("proj/.mcp.json")).unwrap();
    symlink(machine.home().join(".claude.json"), machine.home().join("proj/.mcp.json")).unwrap();
    machine.check(Agent::ClaudeCode, &[], &[]);
}

#[test]
fn settings_are_read_for_open_names_alone() {
    let machine = Machine::new(&[("home/.claude.json", r#"{"mcpServers": {"a": {}}}"#)]);
    let home = machine.home();
    let told = |name: &str| {
        let mut event = machine.event(Agent::ClaudeCode, name);
        tell(&mut event, Agent::ClaudeCode, home.to_str().unwrap());
        match event.action {
            Action::Joined { name, .. } => format!("{name:?}").contains("certain: [\"a\"]"),
            _ => false,
        }
    };
    assert!(told("mcp__a__b__c"));
    assert!(!told("mcp__a__b"));
    assert!(!told("Bash"));
}
