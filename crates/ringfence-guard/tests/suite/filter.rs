//! An embedder's own filter, in addition to the policy.

use std::sync::{Arc, Mutex};

use ringfence_core::Effect;
use ringfence_guard::{Classification, Guard, SmartFilter};
use serde_json::{Value, json};

use super::support::{call, check, guard};

/// A filter with a fixed answer, which records what it was asked.
struct Told {
    answer: Classification,
    asked: Mutex<Vec<(String, Value)>>,
}

impl SmartFilter for Told {
    fn classify(&self, name: &str, input: &Value) -> Classification {
        self.asked.lock().unwrap().push((name.to_owned(), input.clone()));
        self.answer.clone()
    }
}

const POLICY: &str = r#"
allow = ["cmd:git:*", "fs:r:src/**", "mcp:gh/*", "tool:{terminal,spawn,read_file}"]
ask = ["cmd:git:push:*", "fs:r:drafts/**"]
deny = ["cmd:git:clean:*", "fs:r:src/secret"]
"#;

fn filtered(answer: Classification) -> (Guard, Arc<Told>) {
    let filter = Arc::new(Told { answer, asked: Mutex::default() });
    (guard(POLICY).with_filter(Arc::<Told>::clone(&filter)), filter)
}

fn line(text: &str) -> Value {
    json!({"tool": "terminal", "command": text})
}

fn confirm() -> Classification {
    Classification::Confirm { reason: "looks odd".to_owned() }
}

fn deny() -> Classification {
    Classification::Deny { reason: "never on fridays".to_owned() }
}

#[test]
fn c115_a_filter_makes_verdicts_stricter_and_never_milder() {
    use Effect::{Allow, Ask, Deny};
    let actions = [
        (line("git status"), Allow),
        (line("git push"), Ask),
        (line("git clean"), Deny),
        (line("ls"), Deny),
        (json!({"tool": "read_file", "path": "src/a"}), Allow),
        (json!({"tool": "read_file", "path": "drafts/a"}), Ask),
        (json!({"tool": "read_file", "path": "src/secret"}), Deny),
        (json!({"tool": "read_file", "path": "/home/u/.ssh/id_rsa"}), Deny),
        (json!({"mcp": {"server": "gh", "tool": "get_issue", "args": {}}}), Allow),
    ];
    for (action, alone) in actions {
        check(&guard(POLICY), &action, alone);
        for (answer, least) in [(Classification::Allow, Allow), (confirm(), Ask), (deny(), Deny)] {
            let (guard, _) = filtered(answer);
            check(&guard, &action, alone.max(least));
        }
    }
}

#[test]
fn c115_a_filter_is_asked_once_with_name_and_input() {
    let argv = json!({"tool": "spawn", "argv": ["git", "status"]});
    let read = json!({"tool": "read_file", "path": "src/a", "offset": 3});
    let mcp = json!({"mcp": {"server": "gh", "tool": "get_issue", "args": {"n": 7}}});
    for (action, name, input) in [
        (line("git status"), "terminal", json!({"command": "git status"})),
        (argv, "spawn", json!({"argv": ["git", "status"]})),
        (read, "read_file", json!({"path": "src/a", "offset": 3})),
        (mcp, "mcp__gh__get_issue", json!({"n": 7})),
    ] {
        let (guard, filter) = filtered(Classification::Allow);
        guard.consider(&call(&action));
        assert_eq!(*filter.asked.lock().unwrap(), [(name.to_owned(), input)]);
    }
}

#[test]
fn c115_the_reason_of_a_filter_is_a_ground() {
    for (answer, reason) in [(confirm(), "looks odd"), (deny(), "never on fridays")] {
        let (guard, _) = filtered(answer);
        let verdict = guard.consider(&call(&line("git status"))).verdict;
        let grounds: Vec<String> = verdict.decisive().map(ToString::to_string).collect();
        assert!(grounds.iter().any(|ground| ground.contains(reason)), "{grounds:?}");
        let refusal = guard.judge(&call(&line("git status"))).unwrap_err();
        assert_eq!(refusal.tool_name, "terminal");
    }
}

/// In another product, a hook's "allow" overrode deny rules, including those of the organisation.
#[test]
fn b028_an_allow_from_outside_lifts_no_denial() {
    let (guard, _) = filtered(Classification::Allow);
    check(&guard, &line("git clean"), Effect::Deny);
    check(&guard, &line("git push --force"), Effect::Deny);
    check(&guard, &json!({"tool": "write_file", "path": "ringfence.toml"}), Effect::Deny);
    check(&guard, &line("git push"), Effect::Ask);
    check(&guard, &line("make"), Effect::Deny);
    check(&guard, &line("git status"), Effect::Allow);
}

/// Denials come before questions: the question is not among the decisive grounds.
#[test]
fn c120_a_denial_leaves_no_question_open() {
    let paths = |paths: &[&str]| json!({"mcp": {"server": "gh", "tool": "read_files", "args": {"paths": paths}}});
    for order in [["drafts/a", "src/secret"], ["src/secret", "drafts/a"]] {
        let judgement = guard(POLICY).consider(&call(&paths(&order)));
        assert_eq!(judgement.verdict.effect, Effect::Deny);
        let decisive: Vec<Effect> = judgement.verdict.decisive().map(|own| own.effect()).collect();
        assert!(!decisive.is_empty() && decisive.iter().all(|effect| *effect == Effect::Deny));
        // All grounds are kept.
        assert!(judgement.verdict.grounds.iter().any(|ground| ground.effect() == Effect::Ask));
        let refusal = guard(POLICY).judge(&call(&paths(&order))).unwrap_err();
        assert_eq!(refusal.code.as_str(), "denied");
    }
    let (guard, _) = filtered(confirm());
    check(&guard, &paths(&["src/a", "src/secret"]), Effect::Deny);
    check(&guard, &paths(&["src/a"]), Effect::Ask);
}
