//! The hook never fails open: every malformed event gets a refusal that the agent can parse.

use proptest::prelude::*;
use ringfence_hooks::Agent;

use super::cases::says_no;

/// Every event that cannot be parsed is blocked in the agent's protocol.
#[test]
fn malformed_events_are_blocked() {
    let texts = [
        "",
        "null",
        "[]",
        "{}",
        "{",
        "\"PreToolUse\"",
        r#"{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":7,"tool_input":{}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"","tool_input":{}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_input":{"command":"ls"}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_name":"Read","tool_input":{}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":7}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":[]}"#,
        r#"{"event":"PostToolUse","tool_name":"developer__shell","tool_input":{}}"#,
        r#"{"hookName":"PostToolUse","preToolUse":{"toolName":"read_file"}}"#,
        r#"{"agent_action_name":"post_run_command","tool_info":{}}"#,
        r#"{"toolName":"bash","toolArgs":"{}","toolResult":{}}"#,
    ];
    for agent in Agent::ALL {
        for text in texts {
            let error = match agent.read(text, &|_| None) {
                Ok(event) => panic!("{} took {text}: {event:?}", agent.name()),
                Err(error) => error,
            };
            let reply = agent.block(&error.to_string());
            assert!(says_no(&reply.stdout, reply.status), "{}: {reply:?}", agent.name());
        }
    }
}

#[test]
fn deeply_nested_events_are_refused_without_a_panic() {
    let deep = format!("{}{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    for agent in Agent::ALL {
        assert!(agent.read(&deep, &|_| None).is_err());
    }
}

proptest! {
    #[test]
    fn no_event_panics_the_parser(
        name in "(Bash|Read|apply_patch|mcp__a__b|[a-z_@/-]{0,12})",
        key in "(command|path|patch|input|url|[a-z]{0,6})",
        value in ".{0,40}",
    ) {
        for agent in Agent::ALL {
            let event = serde_json::json!({
                "hook_event_name": "PreToolUse", "event": "PreToolUse", "hookName": "PreToolUse",
                "tool_name": name, "tool": name, "toolName": name,
                "tool_input": { &key: value }, "args": { &key: value }, "toolArgs": { &key: value },
                "preToolUse": { "toolName": name, "parameters": { &key: value } },
            });
            let _ = agent.read(&event.to_string(), &|_| None);
        }
    }
}
