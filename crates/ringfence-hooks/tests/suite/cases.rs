//! Hook events, one folder per agent: the calls they announce, and the answers to the agent.
//!
//! All cases use `policy.toml` and the in-memory host of the case folders. A line of `events.jsonl`
//! has an `event`, the variables that the agent sets (`env`) and the expected answer (`allow`,
//! `deny`, `ask`, `prompt`, `silence`). It may also name an expected effect (`does`).

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date, Role};
use ringfence_guard::case::{PolicyText, described_guard};
use ringfence_guard::{Call, Guard, PolicyBuilder, describe};
use ringfence_hooks::{
    Agent, HookAnswer, HookOutcome, QuestionOutcome, judge_event, settle_question,
};
use ringfence_manifest::{Format, NoLibrary, Source, read};
use serde_json::Value;

pub(crate) fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/cases"].iter().collect()
}

pub(crate) fn guard(text: &str) -> Guard {
    let root = AbsPath::new("/home/u/proj").unwrap();
    let home = AbsPath::new("/home/u").unwrap();
    let today = Date::new(2026, 11, 15).unwrap();
    let context = Context::new(Some(root.clone()), home, root, today);
    let policy = PolicyText {
        name: "policy.toml".to_owned(),
        format: Format::Toml,
        text: text.to_owned(),
        location: None,
    };
    described_guard(&policy, context, Arc::new(MemoryHost::new())).unwrap()
}

/// Returns a guard that uses the user's own policy.
pub(crate) fn user_guard(text: &str) -> Guard {
    let path = |text: &str| AbsPath::new(text).unwrap();
    let today = Date::new(2026, 11, 15).unwrap();
    let root = path("/home/u/proj");
    let context = Context::new(Some(root.clone()), path("/home/u"), root, today);
    let source = Source::new("policy.toml", Format::Toml, text).unwrap();
    let loaded = read(&source, Role::User, &NoLibrary).unwrap();
    let host = Arc::new(MemoryHost::new());
    let built = PolicyBuilder::new().loaded(loaded).build(&context, &*host).unwrap();
    Guard::new(built.policy, host, context)
}

#[test]
fn every_agents_events_get_the_expected_answer() {
    let guard = guard(&fs::read_to_string(folder().join("policy.toml")).unwrap());
    let mut wrong = Vec::new();
    for agent in Agent::ALL {
        let file = folder().join(agent.name()).join("events.jsonl");
        let text = fs::read_to_string(&file).unwrap_or_else(|_| panic!("{}", file.display()));
        assert!(text.lines().count() >= 5, "{} has too few", file.display());
        for line in text.lines() {
            let case: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
            if let Err(said) = check(&guard, agent, &case) {
                wrong.push(format!("{} {}: {said}", agent.name(), case["id"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn check(guard: &Guard, agent: Agent, case: &Value) -> Result<(), String> {
    let env: BTreeMap<String, String> =
        serde_json::from_value(case.get("env").cloned().unwrap_or(serde_json::json!({}))).unwrap();
    let variable = |name: &str| env.get(name).cloned();
    let text = match &case["event"] {
        Value::String(raw) => raw.clone(),
        event => event.to_string(),
    };
    let expected = case["expect"].as_str().unwrap();
    let event = match agent.read(&text, &variable) {
        Ok(event) => event,
        Err(error) => {
            let reply = agent.block(&error.to_string());
            assert!(says_no(&reply.stdout, reply.status), "{reply:?}");
            return if expected == "unreadable" { Ok(()) } else { Err(error.to_string()) };
        }
    };
    let call = Call {
        agent: Some(agent.name().into()),
        cwd: event.cwd.clone(),
        action: event.action.clone(),
    };
    let judgement = guard.consider(&call);
    let effects: Vec<String> = judgement.parts().map(|part| describe(&part.access.what)).collect();
    for wanted in case["does"].as_array().into_iter().flatten() {
        if !effects.iter().any(|own| own == wanted.as_str().unwrap()) {
            return Err(format!("{wanted} is not among {effects:?}"));
        }
    }
    let (word, answer) = match judge_event(guard, agent, &event) {
        HookOutcome::Open(open) => {
            let waits = QuestionOutcome::Unanswered(Some("abcdef".to_owned()));
            ("ask", HookAnswer::from(&*settle_question(*open, waits).unwrap_err()))
        }
        HookOutcome::Refused(refusal) => ("deny", HookAnswer::from(&*refusal)),
        HookOutcome::Answered(answer) => (
            match &answer {
                HookAnswer::Allow => "allow",
                HookAnswer::Block(_) => "deny",
                HookAnswer::NoOpinion => "silence",
                HookAnswer::Prompt(_) => "prompt",
            },
            answer,
        ),
    };
    let grounds: Vec<String> = judgement.verdict.decisive().map(ToString::to_string).collect();
    if word != expected {
        return Err(format!("{word}, not {expected}: {effects:?}: {grounds:?}"));
    }
    let reply = agent.reply(&event, &answer);
    let no = says_no(&reply.stdout, reply.status);
    if no != matches!(answer, HookAnswer::Block(_)) {
        return Err(format!("{answer:?} is said as {reply:?}"));
    }
    if let HookAnswer::Block(envelope) = &answer {
        let envelope: Value = serde_json::from_str(envelope).unwrap();
        assert!(envelope["error"].is_string() && envelope["code"].is_string(), "{envelope}");
        let said = format!("{}{}", reply.stdout, reply.stderr);
        let code = envelope["code"].as_str().unwrap();
        assert!(said.contains(code), "the envelope reaches the agent: {said}");
    }
    Ok(())
}

/// Returns whether a reply is a refusal in the protocol of any agent. The exact format is tested by
/// the agent's documentation page and the end-to-end tests.
pub(crate) fn says_no(stdout: &str, status: u8) -> bool {
    let value: Value = serde_json::from_str(stdout).unwrap_or(Value::Null);
    let is = |pointer: &str, word: &str| value.pointer(pointer) == Some(&Value::from(word));
    status == 2
        || is("/hookSpecificOutput/permissionDecision", "deny")
        || is("/hookSpecificOutput/decision/behavior", "deny")
        || is("/permissionDecision", "deny")
        || is("/decision", "deny")
        || is("/action", "block")
        || value.pointer("/cancel") == Some(&Value::Bool(true))
}
