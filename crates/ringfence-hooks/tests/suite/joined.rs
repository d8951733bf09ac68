//! Names into which agents join those of MCP servers and tools.
//!
//! Under a grant of all of `github`, whatever may be the tool of a server that only begins like it is
//! asked about or refused, in each agent's own form; what is surely a tool of `github` passes.

use ringfence_guard::{Guard, KnownServers};
use ringfence_hooks::{Agent, Answer, Considered, Event, consider};
use serde_json::{Value, json};

use super::cases::guard;

const POLICY: &str = "default = \"deny\"\nallow = [\"mcp:github/*\"]\n";

/// An event in which an agent calls a tool of an MCP server by this name.
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

fn read(agent: Agent, event: &Value) -> Event {
    agent.read(&event.to_string(), &|_| None).unwrap()
}

fn word(guard: &Guard, agent: Agent, event: &Event) -> &'static str {
    match consider(guard, agent, event) {
        Considered::Answered(Answer::Allow) => "allow",
        Considered::Answered(_) => "other",
        Considered::Refused(_) => "deny",
        Considered::Open(_) => "ask",
    }
}

#[track_caller]
fn check(agent: Agent, name: &str, certain: &[&str], possible: &[&str], expected: &str) {
    let own = |names: &[&str]| names.iter().map(|own| agent.wire_name(own)).collect();
    let mut event = read(agent, &event(agent, name));
    event.know(KnownServers { certain: own(certain), possible: own(possible) });
    let found = word(&guard(POLICY), agent, &event);
    assert_eq!(found, expected, "{} {name} {certain:?} {possible:?}", agent.name());
}

/// Every agent that joins names: a tool of `github` with a separator in it, one without, and a tool of
/// another server that begins like it.
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
fn a_grant_of_one_server_is_none_of_those_that_begin_like_it() {
    for (agent, tool, plain, other, server) in FORMS {
        check(agent, plain, &[], &[], "allow");
        check(agent, plain, &["github"], &[], "allow");
        check(agent, tool, &["github"], &[], "allow");
        check(agent, tool, &[], &[], "ask");
        check(agent, other, &[], &[], "ask");
        check(agent, other, &[server], &[], "deny");
        check(agent, other, &["github", server], &[], "deny");
        // What the agent may have written itself makes nothing milder.
        check(agent, tool, &[], &["github"], "ask");
        check(agent, other, &["github"], &[server], "deny");
    }
}

#[test]
fn only_names_that_can_be_read_in_two_ways_need_the_settings() {
    for (agent, tool, plain, ..) in FORMS {
        assert!(read(agent, &event(agent, tool)).has_open_name(), "{tool}");
        assert!(!read(agent, &event(agent, plain)).has_open_name(), "{plain}");
    }
}

#[test]
fn an_event_that_tells_the_server_is_believed() {
    let guard = guard(POLICY);
    let claude = |name: &str, server: &str| {
        let mut own = event(Agent::ClaudeCode, name);
        own["mcp_server"] = json!({ "name": server, "source": "user" });
        let own = read(Agent::ClaudeCode, &own);
        assert!(!own.has_open_name());
        word(&guard, Agent::ClaudeCode, &own)
    };
    assert_eq!(claude("mcp__github__evil__x", "github"), "allow");
    assert_eq!(claude("mcp__github__evil__x", "github__evil"), "deny");
    assert_eq!(claude("mcp__github__evil__x", "github..evil"), "deny");
    // A name that is not in it tells nothing.
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
    // A server may give its tool the name of one of the agent's own.
    assert_eq!(opencode("plan_exit", &["github"]), "allow");
    assert_eq!(opencode("plan_exit", &["plan"]), "deny");
    assert_eq!(opencode("apply_patch", &["apply"]), "deny");
}

#[test]
fn a_server_is_no_text_in_an_event_that_is_refused() {
    for server in
        [json!("github"), json!({}), json!({ "name": 7 }), json!([]), json!({ "name": "" })]
    {
        let mut own = event(Agent::ClaudeCode, "mcp__github__x");
        own["mcp_server"] = server;
        assert!(Agent::ClaudeCode.read(&own.to_string(), &|_| None).is_err(), "{own}");
    }
}

#[test]
fn an_extension_of_goose_that_begins_like_its_own_is_another() {
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
