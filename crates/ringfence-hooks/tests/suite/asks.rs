//! Who is asked when the policy says `ask`.

use ringfence_hooks::{
    Agent, HookAnswer, HookOutcome, QuestionOutcome, judge_event, settle_question,
};
use serde_json::{Value, json};

use super::cases::{guard, user_guard};

const PUSH: &str = r#"allow = ["cmd:git:*"]
ask = ["cmd:git:push:*"]
"#;

fn event(command: &str, mode: Option<&str>) -> Value {
    let mut event = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/home/u/proj",
        "tool_name": "Bash", "tool_input": { "command": command },
    });
    if let Some(mode) = mode {
        event["permission_mode"] = mode.into();
    }
    event
}

fn ask(policy: &str, event: &Value, entrypoint: Option<&str>) -> HookOutcome {
    let variable =
        |name: &str| entrypoint.filter(|_| name == "CLAUDE_CODE_ENTRYPOINT").map(str::to_owned);
    let event = Agent::ClaudeCode.read(&event.to_string(), &variable).unwrap();
    judge_event(&guard(policy), Agent::ClaudeCode, &event)
}

/// The modes of Claude Code 2.1 in which its own prompt is known to appear.
#[test]
fn the_agents_own_prompt_is_used_only_where_it_is_known_to_appear() {
    let table = [
        (Some("default"), true),
        (Some("acceptEdits"), true),
        (Some("plan"), true),
        (Some("auto"), false),
        (Some("dontAsk"), false),
        (Some("bypassPermissions"), false),
        (Some("a mode to come"), false),
        (None, false),
    ];
    for (mode, appears) in table {
        let at_terminal = ask(PUSH, &event("git push", mode), Some("cli"));
        let prompted = matches!(at_terminal, HookOutcome::Answered(HookAnswer::Prompt(_)));
        assert_eq!(prompted, appears, "{mode:?}");
        // Without a terminal nobody sees the prompt, in any mode.
        for entrypoint in [None, Some("sdk-cli"), Some("sdk-ts"), Some("claude-vscode")] {
            let elsewhere = ask(PUSH, &event("git push", mode), entrypoint);
            assert!(matches!(elsewhere, HookOutcome::Open(_)), "{mode:?} {entrypoint:?}");
        }
    }
}

#[test]
fn a_session_that_says_nobody_attends_it_is_not_asked() {
    let push = event("git push", Some("default")).to_string();
    let variable = |name: &str| match name {
        "CLAUDE_CODE_ENTRYPOINT" => Some("cli".to_owned()),
        "CLAUDE_CODE_SESSION_ATTENDED" => Some("0".to_owned()),
        _ => None,
    };
    let push = Agent::ClaudeCode.read(&push, &variable).unwrap();
    let considered = judge_event(&guard(PUSH), Agent::ClaudeCode, &push);
    assert!(matches!(considered, HookOutcome::Open(_)), "{considered:?}");
}

#[test]
fn the_prompt_of_a_background_subagent_is_not_used() {
    let mut inside = event("git push", Some("default"));
    inside["agent_id"] = "a1".into();
    assert!(matches!(ask(PUSH, &inside, Some("cli")), HookOutcome::Open(_)));
}

#[test]
fn agents_that_do_not_say_their_mode_are_never_told_to_ask() {
    for agent in Agent::ALL.into_iter().filter(|agent| *agent != Agent::ClaudeCode) {
        let event = json!({
            "hook_event_name": match agent {
                Agent::Gemini => "BeforeTool",
                Agent::Hermes => "pre_tool_call",
                Agent::Cursor | Agent::Kiro => "preToolUse",
                _ => "PreToolUse",
            },
            "event": "PreToolUse", "hookName": "PreToolUse", "permission_mode": "default",
            "agent_action_name": "pre_run_command",
            "tool_info": { "command_line": "git push" },
            "preToolUse": { "toolName": "execute_command", "parameters": { "command": "git push" } },
            "tool": "bash", "args": { "command": "git push" },
            "tool_name": if agent == Agent::Goose { "developer__shell" } else { "Bash" },
            "tool_input": { "command": "git push" },
        });
        let event = agent.read(&event.to_string(), &|_| Some("cli".to_owned())).unwrap();
        let considered = judge_event(&guard(PUSH), agent, &event);
        assert!(matches!(considered, HookOutcome::Open(_)), "{}: {considered:?}", agent.name());
    }
}

#[test]
fn unlisted_commands_are_left_to_the_agent_only_without_an_ask_rule() {
    let policy = format!("default = \"ask\"\n{PUSH}\n[hooks]\nunlisted = \"agent\"\n");
    let said = |command: &str| ask(&policy, &event(command, None), None);
    let is_silent = |considered: &HookOutcome| {
        matches!(considered, HookOutcome::Answered(HookAnswer::NoOpinion))
    };
    assert!(is_silent(&said("make all")), "nothing but the default asks");
    assert!(matches!(said("git push"), HookOutcome::Open(_)), "a rule asks");
    assert!(matches!(said("make all && git push"), HookOutcome::Open(_)), "both do");
    assert!(matches!(said("git status"), HookOutcome::Answered(HookAnswer::Allow)));
    let denied = said("cat ~/.ssh/id_rsa");
    assert!(matches!(denied, HookOutcome::Refused(_)), "{denied:?}");
    // Without the setting, a person is asked.
    let asks = ask(&format!("default = \"ask\"\n{PUSH}"), &event("make all", None), None);
    assert!(matches!(asks, HookOutcome::Open(_)));
}

#[test]
fn before_the_agents_prompt_no_further_question_is_asked() {
    for agent in [Agent::ClaudeCode, Agent::Codex] {
        let said = |command: &str| {
            let event = json!({
                "hook_event_name": "PermissionRequest", "cwd": "/home/u/proj",
                "tool_name": "Bash", "tool_input": { "command": command },
            });
            let event = agent.read(&event.to_string(), &|_| None).unwrap();
            match judge_event(&guard(PUSH), agent, &event) {
                HookOutcome::Answered(answer) => (answer.clone(), agent.reply(&event, &answer)),
                HookOutcome::Refused(refusal) => {
                    let answer = HookAnswer::from(&*refusal);
                    (answer.clone(), agent.reply(&event, &answer))
                }
                open @ HookOutcome::Open(_) => panic!("{open:?}"),
            }
        };
        assert_eq!(said("git push").0, HookAnswer::NoOpinion);
        assert_eq!(said("git push").1.stdout, "");
        assert!(said("git status").1.stdout.contains(r#""behavior":"allow""#));
        assert!(said("cat ~/.ssh/id_rsa").1.stdout.contains(r#""behavior":"deny""#));
    }
}

#[test]
fn an_unanswered_question_stays_pending_under_its_id() {
    let HookOutcome::Open(open) = ask(PUSH, &event("git push", None), None) else { panic!() };
    assert!(open.what.contains("git push"), "{}", open.what);
    assert!(open.exact.contains("git push") && open.exact.contains("/home/u/proj"));
    let waits = QuestionOutcome::Unanswered(Some("k3f9xa".to_owned()));
    let said = settle_question(*open, waits).unwrap_err().to_json();
    assert_eq!(said["approval"], "k3f9xa");
    assert_eq!(said["retry"], "after_approval");
    assert_eq!(said["code"], "approval_required");
    assert!(said["hint"].as_str().unwrap().contains("ringfence approve k3f9xa"));
}

#[test]
fn c124_a_no_is_a_no_a_yes_is_a_yes_and_silence_is_neither() {
    let open = || match ask(PUSH, &event("git push", None), None) {
        HookOutcome::Open(open) => *open,
        other => panic!("{other:?}"),
    };
    assert_eq!(settle_question(open(), QuestionOutcome::Agreed), Ok(()));
    let said = settle_question(open(), QuestionOutcome::Declined).unwrap_err().to_json();
    assert_eq!((&said["code"], &said["retry"]), (&"declined".into(), &"never".into()));
    assert!(said.get("approval").is_none());
    let silence = settle_question(open(), QuestionOutcome::Unanswered(None)).unwrap_err().to_json();
    assert_eq!(silence["code"], "approval_required");
    assert!(silence["error"].as_str().unwrap().contains("nobody answered in time"), "{silence}");
    assert_ne!(silence["error"], said["error"]);
}

#[test]
fn observe_mode_does_not_change_the_agent() {
    let guard = user_guard(&format!("mode = \"observe\"\n{PUSH}"));
    for command in ["git push", "cat ~/.ssh/id_rsa", "make"] {
        let event = event(command, Some("default")).to_string();
        let event = Agent::ClaudeCode.read(&event, &|_| Some("cli".to_owned())).unwrap();
        let said = judge_event(&guard, Agent::ClaudeCode, &event);
        assert!(
            matches!(said, HookOutcome::Answered(HookAnswer::NoOpinion)),
            "{command}: {said:?}"
        );
    }
}
