//! Tool names that join the names of an MCP server and a tool.
//!
//! With a grant for all of `github`, a tool is allowed only if it certainly belongs to `github`. A
//! tool whose server's name may merely begin with `github` is asked about or refused. Each agent's
//! own format is tested.

use ringfence_guard::{Guard, KnownServers};
use ringfence_hooks::{Agent, HookAnswer, HookEvent, HookOutcome, judge_event};
use serde_json::{Value, json};

use super::cases::guard;

const POLICY: &str = "default = \"deny\"\nallow = [\"mcp:github/*\"]\n";

/// Returns an event in which an agent calls an MCP tool by this name.
fn event(agent: Agent, name: &str) -> Value {
    let input = json!({ "title": "x" });
    let (key, arguments) = match agent {
        Agent::ClaudeCode | Agent::Codex => ("PreToolUse", "tool_input"),
        Agent::Gemini => ("BeforeTool", "tool_input"),
        Agent::Hermes => ("pre_tool_call", "tool_input"),
        Agent::Kiro => ("preToolUse", "tool_input"),
        Agent::Opencode => {
            return json!({ "tool": name, "args": input, "directory": "/home/u/proj" });
        }
        Agent::Copilot => {
            return json!({ "toolName": name, "toolArgs": input, "cwd": "/home/u/proj" });
        }
        Agent::Goose => {
            return json!({
                "event": "PreToolUse", "tool_name": name, "tool_input": input,
                "working_dir": "/home/u/proj",
            });
        }
        Agent::Cline => {
            return json!({
                "hookName": "tool_call", "workspaceRoots": ["/home/u/proj"],
                "tool_call": { "name": name, "input": input },
            });
        }
        other => panic!("{other:?} joins no names"),
    };
    json!({ "hook_event_name": key, "cwd": "/home/u/proj", "tool_name": name, arguments: input })
}

fn read(agent: Agent, event: &Value) -> HookEvent {
    agent.read(&event.to_string(), &|_| None).unwrap()
}

fn word(guard: &Guard, agent: Agent, event: &HookEvent) -> &'static str {
    match judge_event(guard, agent, event) {
        HookOutcome::Answered(HookAnswer::Allow) => "allow",
        HookOutcome::Answered(_) => "other",
        HookOutcome::Refused(_) => "deny",
        HookOutcome::Open(_) => "ask",
    }
}

#[track_caller]
fn check(agent: Agent, name: &str, certain: &[&str], possible: &[&str], expected: &str) {
    let own = |names: &[&str]| names.iter().map(|own| agent.wire_name(own)).collect();
    let mut event = read(agent, &event(agent, name));
    event.add_known_servers(KnownServers { certain: own(certain), possible: own(possible) });
    let found = word(&guard(POLICY), agent, &event);
    assert_eq!(found, expected, "{} {name} {certain:?} {possible:?}", agent.name());
}

/// One row per agent that joins names: a tool of `github` with a separator in its name, one
/// without, and a tool of another server whose name begins with `github`.
const FORMS: [(Agent, &str, &str, &str, &str); 9] = [
    (
        Agent::ClaudeCode,
        "mcp__github__get__it",
        "mcp__github__get",
        "mcp__github__evil__x",
        "github__evil",
    ),
    (
        Agent::Codex,
        "mcp__github__get__it",
        "mcp__github__get",
        "mcp__github__evil__x",
        "github__evil",
    ),
    (
        Agent::Hermes,
        "mcp__github__get__it",
        "mcp__github__get",
        "mcp__github__evil__x",
        "github__evil",
    ),
    (Agent::Gemini, "mcp_github_get_it", "mcp_github_get", "mcp_github_evil_x", "github_evil"),
    (Agent::Opencode, "github_get_it", "github_get", "github_evil_x", "github_evil"),
    (Agent::Copilot, "github-get-it", "github-get_it", "github-evil-x", "github-evil"),
    (Agent::Goose, "github__get__it", "github__get_it", "github__evil__x", "github__evil"),
    (Agent::Cline, "github__get__it", "github__get_it", "github__evil__x", "github__evil"),
    (Agent::Kiro, "@github/get/it", "@github/get_it", "@github/evil/x", "github/evil"),
];

#[test]
fn a_grant_of_one_server_does_not_cover_servers_with_the_same_prefix() {
    for (agent, tool, plain, other, server) in FORMS {
        check(agent, plain, &[], &[], "allow");
        check(agent, plain, &["github"], &[], "allow");
        check(agent, tool, &["github"], &[], "allow");
        check(agent, tool, &[], &[], "ask");
        check(agent, other, &[], &[], "ask");
        check(agent, other, &[server], &[], "deny");
        check(agent, other, &["github", server], &[], "deny");
        // A file that the agent may have written cannot make a verdict milder.
        check(agent, tool, &[], &["github"], "ask");
        check(agent, other, &["github"], &[server], "deny");
    }
}

#[test]
fn only_names_that_can_be_read_in_two_ways_need_the_settings() {
    for (agent, tool, plain, ..) in FORMS {
        assert!(read(agent, &event(agent, tool)).has_ambiguous_name(), "{tool}");
        assert!(!read(agent, &event(agent, plain)).has_ambiguous_name(), "{plain}");
    }
}

#[test]
fn a_server_named_by_the_event_is_certain() {
    let guard = guard(POLICY);
    let claude = |name: &str, server: &str| {
        let mut own = event(Agent::ClaudeCode, name);
        own["mcp_server"] = json!({ "name": server, "source": "user" });
        let own = read(Agent::ClaudeCode, &own);
        assert!(!own.has_ambiguous_name());
        word(&guard, Agent::ClaudeCode, &own)
    };
    assert_eq!(claude("mcp__github__evil__x", "github"), "allow");
    assert_eq!(claude("mcp__github__evil__x", "github__evil"), "deny");
    assert_eq!(claude("mcp__github__evil__x", "github..evil"), "deny");
    // A name without a separator does not show its server.
    assert_eq!(claude("mcp__github__evil__x", "other"), "ask");
    let opencode = |name: &str, servers: &[&str]| {
        let mut own = event(Agent::Opencode, name);
        own["servers"] = json!(servers);
        word(&guard, Agent::Opencode, &read(Agent::Opencode, &own))
    };
    assert_eq!(opencode("github_get_issue", &["github", "files"]), "allow");
    assert_eq!(opencode("github_evil_x", &["github_evil"]), "deny");
    assert_eq!(opencode("github_evil_x", &["github.evil"]), "deny");
    assert_eq!(opencode("github_evil_x", &["github", "github.evil"]), "deny");
    assert_eq!(opencode("github_get_issue", &["files"]), "ask");
    // A server may give its tool the name of one of the agent's own tools.
    assert_eq!(opencode("plan_exit", &["github"]), "allow");
    assert_eq!(opencode("plan_exit", &["plan"]), "deny");
    assert_eq!(opencode("apply_patch", &["apply"]), "deny");
}

#[test]
fn an_event_whose_server_is_not_a_string_is_refused() {
    for server in
        [json!("github"), json!({}), json!({ "name": 7 }), json!([]), json!({ "name": "" })]
    {
        let mut own = event(Agent::ClaudeCode, "mcp__github__x");
        own["mcp_server"] = server;
        assert!(Agent::ClaudeCode.read(&own.to_string(), &|_| None).is_err(), "{own}");
    }
}

#[test]
fn a_goose_extension_with_the_prefix_developer_is_not_developer() {
    let guard = guard("default = \"deny\"\nallow = [\"fs:r:@root/**\"]\n");
    let word =
        |name: &str| word(&guard, Agent::Goose, &read(Agent::Goose, &event(Agent::Goose, name)));
    assert_eq!(word("developer__read_file"), "deny", "it names no file");
    for name in
        ["developer__read__file", "developer___read_file", "developer__x__tree", "x_analyze"]
    {
        assert_eq!(word(name), "deny", "{name}");
    }
}
