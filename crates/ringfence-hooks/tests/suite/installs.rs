//! Adding the hook to settings, and removing it.

use proptest::prelude::*;
use ringfence_hooks::{
    Agent, HookAnswer, HookOutcome, HookRemoval, QuestionOutcome, SampleVerdict, judge_event,
    settle_question,
};

const PROGRAM: &str = "/opt/bin/ringfence";

fn settings(agent: Agent) -> Vec<&'static str> {
    let path = agent.setup(PROGRAM).path;
    if path.ends_with(".yaml") {
        vec!["model: x\nterminal:\n  backend: local # mine\n", "# only words\nmodel: x"]
    } else if path.ends_with(".json") && !path.contains("ringfence") {
        vec![
            "{}",
            "{\n  // mine\n  \"model\": \"opus\", /* kept */\n  \"env\": {\"A\": \"1\"},\n}\n",
            "{\"hooks\":{}}\n",
            "{\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{ \"matcher\": \"Bash\", \"hooks\": [{ \"type\": \"command\", \"command\": \"mine\" }] } // first\n\t\t]\n\t}\n}\n",
            "{\r\n  \"z\": 1,\r\n  \"a\": [1, 2]\r\n}\r\n",
        ]
    } else {
        Vec::new()
    }
}

#[test]
fn every_agents_settings_take_the_hook_once() {
    for agent in Agent::ALL {
        let fresh = agent.install(PROGRAM, None).unwrap().unwrap();
        assert_eq!(fresh, agent.setup(PROGRAM).text);
        for before in settings(agent).into_iter().map(str::to_owned).chain([fresh]) {
            let after = agent.install(PROGRAM, Some(&before)).unwrap();
            let after = after.unwrap_or(before.clone());
            let commands = agent.hooks_in(&after).unwrap();
            let (expected, name) = (format!("{PROGRAM} hook {}", agent.name()), agent.name());
            assert!(commands.iter().all(|own| own == &expected), "{name}: {commands:?}\n{after}");
            assert!(!commands.is_empty(), "{name}: {after}");
            let again = agent.install(PROGRAM, Some(&after));
            assert_eq!(again, Ok(None), "{name}: it is there already\n{after}");
            let moved = agent.install("/usr/bin/ringfence", Some(&after)).unwrap().unwrap();
            let commands = agent.hooks_in(&moved).unwrap();
            assert!(commands.iter().all(|own| own.starts_with("/usr/bin/")), "{name}: {moved}");
        }
    }
}

#[test]
fn comments_order_and_other_entries_stay() {
    for agent in Agent::ALL {
        for before in settings(agent) {
            let after = agent.install(PROGRAM, Some(before)).unwrap().unwrap();
            let mut rest = after.as_str();
            let words = before.split(|c: char| c.is_whitespace() || "{}[],".contains(c));
            for word in words.filter(|word| !word.is_empty()) {
                let after = rest.split_once(word).map(|(_, after)| after);
                rest = after.unwrap_or_else(|| panic!("`{word}` is gone or moved:\n{after:?}"));
            }
            assert_eq!(before.contains("\r\n"), after.contains("\r\n"), "{after:?}");
            assert_eq!(after.matches("\r\n").count() > 0, before.contains("\r\n"));
        }
    }
}

#[test]
fn without_the_hook_everything_else_is_left() {
    for agent in Agent::ALL {
        let own = agent.setup(PROGRAM);
        for before in settings(agent) {
            let after = agent.install(PROGRAM, Some(before)).unwrap().unwrap();
            let HookRemoval::Text(left) = agent.uninstall(&after).unwrap() else {
                panic!("{}: {after}", agent.name());
            };
            assert_eq!(agent.hooks_in(&left), Ok(Vec::new()), "{left}");
            let plain = |text: &str| text.split_whitespace().collect::<String>().replace(',', "");
            if own.path.ends_with(".yaml") {
                assert_eq!(left.trim_end(), before.trim_end());
            } else {
                for kept in ["\"mine\"", "// mine", "/* kept */", "// first", "\"z\""] {
                    assert_eq!(
                        plain(before).contains(&plain(kept)),
                        plain(&left).contains(&plain(kept)),
                        "{left}"
                    );
                }
            }
            assert_eq!(agent.uninstall(before), Ok(HookRemoval::Nothing));
        }
        if settings(agent).is_empty() {
            assert_eq!(agent.uninstall(&own.text), Ok(HookRemoval::Whole), "{}", agent.name());
        }
    }
}

#[test]
fn settings_in_an_unexpected_form_are_not_changed() {
    let refused =
        |agent: Agent, text: &str| agent.install(PROGRAM, Some(text)).unwrap_err().to_string();
    assert!(refused(Agent::ClaudeCode, "{\n  \"a\" 1\n}").contains("2:"), "the place is named");
    assert!(refused(Agent::ClaudeCode, "[]").contains("object"));
    assert!(refused(Agent::ClaudeCode, "{\"hooks\": []}").contains("`hooks`"));
    assert!(
        refused(Agent::ClaudeCode, "{\"hooks\": {\"PreToolUse\": {}}}").contains("`PreToolUse`")
    );
    assert!(refused(Agent::Hermes, "hooks:\n  pre_tool_call: []\n").contains("of its own"));
    assert!(refused(Agent::Hermes, "{model: x}\n").contains("not a single block"));
    assert!(refused(Agent::Hermes, "a: 1\n---\nb: 2\n").contains("not a single block"));
    assert!(refused(Agent::Cline, "#!/bin/sh\nexec mine\n").contains("not written by ringfence"));
}

/// A foreign hook in the same group survives the removal of ringfence's hook.
#[test]
fn a_neighbour_in_the_same_group_stays() {
    let text = r#"{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"command":"mine"},{"command":"/x/ringfence hook claude-code --policy p.toml"}]}]}}"#;
    let Ok(HookRemoval::Text(left)) = Agent::ClaudeCode.uninstall(text) else { panic!() };
    assert_eq!(left, r#"{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"command":"mine"}]}]}}"#);
    let moved = Agent::ClaudeCode.install(PROGRAM, Some(text)).unwrap().unwrap();
    assert!(moved.contains("/opt/bin/ringfence hook claude-code --policy p.toml"), "{moved}");
}

#[test]
fn a_sample_is_an_event_that_every_agent_could_send() {
    let guard = super::cases::guard("extends = [\"@workspace\"]\ndefault = \"deny\"\n");
    for agent in Agent::ALL {
        let heard = |line: &str| {
            let sample = agent.sample(line, "/home/u/proj");
            let event = agent.read(&sample, &|_| None).unwrap();
            let answer = match judge_event(&guard, agent, &event) {
                HookOutcome::Answered(answer) => answer,
                HookOutcome::Refused(refusal) => HookAnswer::from(&*refusal),
                HookOutcome::Open(open) => HookAnswer::from(
                    &*settle_question(*open, QuestionOutcome::Declined).unwrap_err(),
                ),
            };
            agent.interpret_reply(&sample, &agent.reply(&event, &answer))
        };
        let name = agent.name();
        assert_eq!(heard("# nothing"), SampleVerdict::Passed, "{name}");
        assert_eq!(
            heard("echo > ~/.config/ringfence/policy.toml"),
            SampleVerdict::Blocked,
            "{name}"
        );
        let sample = agent.sample("x", "/");
        let nonsense = ringfence_hooks::HookReply { stdout: "hm".to_owned(), ..Default::default() };
        assert_eq!(agent.interpret_reply(&sample, &nonsense), SampleVerdict::Unclear, "{name}");
    }
}

proptest! {
    /// Property: if arbitrary settings accept the hook, the result calls it, and its removal
    /// removes it.
    #[test]
    fn settings_of_any_kind_are_taken_or_refused(
        text in r#"([{}\[\],:"a-z/* \n]|"hooks"|"PreToolUse"|"x/ringfence hook codex"|null|1){0,40}"#,
        which in 0usize..12,
    ) {
        let agent = Agent::ALL[which];
        if let Ok(after) = agent.install(PROGRAM, Some(&text)) {
            let after = after.unwrap_or(text);
            prop_assert!(!agent.hooks_in(&after).unwrap().is_empty(), "{}", after);
            match agent.uninstall(&after) {
                Ok(HookRemoval::Text(left)) => prop_assert_eq!(agent.hooks_in(&left), Ok(Vec::new())),
                Ok(HookRemoval::Whole) | Err(_) => {}
                Ok(HookRemoval::Nothing) => prop_assert!(false, "{}", after),
            }
        }
        let _ = agent.interpret_reply(&agent.sample("x", "/"), &ringfence_hooks::HookReply { stdout: undefined_reply(which), ..Default::default() });
    }
}

/// Returns a reply that no agent's protocol defines.
fn undefined_reply(which: usize) -> String {
    ["", "{}", "null", "{\"decision\":1}", "[", "\u{1}"][which % 6].to_owned()
}
