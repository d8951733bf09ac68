//! What agents hand to their hooks, the patches in it, and the settings that call the hooks.

use std::str;
use std::sync::{Arc, OnceLock};

use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date, Effect};
use ringfence_guard::case::{PolicyText, described_guard};
use ringfence_guard::{Action, Call, Guard};
use ringfence_hooks::{
    Agent, HookAnswer, HookOutcome, HookRemoval, QuestionOutcome, judge_event, settle_question,
};
use ringfence_manifest::Format;
use serde_json::{Value, json};

/// A patch of any text to which one more file is added: that file is not let through, wherever the
/// lines before it seem to lead.
pub fn patch(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let judged = |patch: String| {
        let input = json!({ "patch": patch });
        let call = Call::new(Action::Tool { name: "apply_patch".to_owned(), input });
        guard().consider(&call).verdict.effect
    };
    let _ = judged(text.to_owned());
    let more = "*** Add File: /home/u/.ssh/authorized_keys\n+x\n";
    let marked = format!("*** Begin Patch\n{text}\n{more}*** End Patch\n");
    assert_ne!(judged(marked), Effect::Allow, "a file behind {text:?}");
    let more = "--- a/home/u/x\n+++ /home/u/.ssh/authorized_keys\n@@ -1 +1 @@\n-a\n+b\n";
    let unified = format!("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n{text}\n{more}");
    assert_ne!(judged(unified), Effect::Allow, "a file behind {text:?}");
}

/// Any event of any agent: it is answered in words that the agent can read, or cannot be read itself.
pub fn hook_event(data: &[u8]) {
    let Some((agent, text)) = of_agent(data) else { return };
    let variables = |name: &str| match name {
        "CLAUDE_PROJECT_DIR" | "GEMINI_PROJECT_DIR" => Some("/home/u/proj".to_owned()),
        _ => None,
    };
    let reply = match agent.read(text, &variables) {
        Err(unreadable) => agent.block(&unreadable.to_string()),
        Ok(event) => {
            let answer = match judge_event(guard(), agent, &event) {
                HookOutcome::Answered(answer) => answer,
                HookOutcome::Refused(refusal) => HookAnswer::from(&*refusal),
                HookOutcome::Open(open) => {
                    match settle_question(*open, QuestionOutcome::Unanswered(None)) {
                        Ok(()) => panic!("nobody agreed"),
                        Err(refusal) => HookAnswer::from(&*refusal),
                    }
                }
            };
            agent.reply(&event, &answer)
        }
    };
    if !reply.stdout.is_empty() {
        let said: Result<Value, _> = serde_json::from_str(&reply.stdout);
        assert!(said.is_ok_and(|said| said.is_object()), "{}: {}", agent.name(), reply.stdout);
    }
}

/// Settings of any text: with the hook they call it, once, and without it they do not.
pub fn settings(data: &[u8]) {
    const PROGRAM: &str = "/usr/local/bin/ringfence";
    let Some((agent, text)) = of_agent(data) else { return };
    let Ok(before) = agent.hooks_in(text) else {
        assert!(agent.uninstall(text).is_err(), "what cannot be read is not changed");
        return;
    };
    if let Ok(Some(with)) = agent.install(PROGRAM, Some(text)) {
        let hooks = agent.hooks_in(&with).expect("what was written can be read");
        assert!(!hooks.is_empty(), "{}: it does not call the hook: {with:?}", agent.name());
        assert_eq!(agent.install(PROGRAM, Some(&with)), Ok(None), "it is not put in twice");
        without(agent, &with);
    }
    if !before.is_empty() {
        without(agent, text);
    }
}

fn without(agent: Agent, text: &str) {
    match agent.uninstall(text) {
        Ok(HookRemoval::Text(left)) => {
            let hooks = agent.hooks_in(&left).expect("what is left can be read");
            assert!(hooks.is_empty(), "{}: {hooks:?} are left in {left:?}", agent.name());
        }
        Ok(HookRemoval::Nothing) => panic!("{}: nothing is taken out of {text:?}", agent.name()),
        Ok(HookRemoval::Whole) | Err(_) => {}
    }
}

/// The first byte chooses the agent.
fn of_agent(data: &[u8]) -> Option<(Agent, &str)> {
    let (first, rest) = data.split_first()?;
    let all = Agent::ALL;
    let agent = all.get(usize::from(first.wrapping_sub(b'a')) % all.len())?;
    Some((*agent, str::from_utf8(rest).ok()?))
}

/// A guard that lets the project be written and nothing else.
fn guard() -> &'static Guard {
    static GUARD: OnceLock<Guard> = OnceLock::new();
    GUARD.get_or_init(|| {
        let path = |text: &str| AbsPath::new(text).expect("a path");
        let today = Date::new(2026, 11, 15).expect("a day");
        let root = path("/home/u/proj");
        let context = Context::new(Some(root.clone()), path("/home/u"), root, today);
        let policy = PolicyText {
            name: "policy.toml".to_owned(),
            format: Format::Toml,
            text: "allow = [\"fs:rw:@root/**\", \"cmd:git:*\"]\nask = [\"cmd:git:push:*\"]\n"
                .to_owned(),
            location: None,
        };
        described_guard(&policy, context, Arc::new(MemoryHost::new())).expect("a policy")
    })
}
