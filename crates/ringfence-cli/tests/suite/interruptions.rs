//! How often everyday work is interrupted: lines that coding agents send, judged by the hook in
//! projects that `ringfence init` has set up.
//!
//! `cargo xtask bench asks` judges every line of the corpus and prints those that are interrupted.
//! The gate judges every fourth.

mod projects;

use std::collections::BTreeMap;
use std::process::Command;

use serde::Deserialize;
use serde_json::{Value, json};

use self::projects::Projects;
use super::person::Person;
use super::{repository, run_with_input, stderr};

/// `cargo xtask bench asks` sets it.
const EVERY_LINE: &str = "RINGFENCE_EVERY_LINE";

/// The gate judges one line in so many.
const ONE_IN: usize = 4;

/// The share of interrupted lines that the gate accepts, in percent.
const MOST: f64 = 33.5;

/// One line of `tests/corpus/asks.jsonl`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    project: String,
    line: String,
    /// `ask` where a person should be asked; `why` says the reason.
    expect: Option<String>,
    why: Option<String>,
}

/// The answer of the hook to one line.
struct HookDecision {
    decision: String,
    reason: String,
}

fn lines() -> Vec<Line> {
    let text = std::fs::read_to_string(repository().join("tests/corpus/asks.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Runs the hook of Claude Code on a line, in a session at a terminal.
fn decide(person: &Person, number: usize, line: &Line) -> HookDecision {
    let project = person.home().join(&line.project);
    let event = json!({
        "session_id": format!("session-{number}"), "cwd": project, "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": number.to_string(),
        "tool_input": { "command": line.line, "description": "everyday work" },
    });
    let mut command: Command = person.command(person.program().to_str().unwrap());
    command.args(["hook", "claude-code"]).current_dir(&project);
    command.env("CLAUDE_CODE_ENTRYPOINT", "cli").env("CLAUDE_PROJECT_DIR", &project);
    let output = run_with_input(&mut command, event.to_string().as_bytes());
    let answer: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{}: {error}: {}", line.line, stderr(&output)));
    let answer = &answer["hookSpecificOutput"];
    let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
    HookDecision { decision: text("permissionDecision"), reason: text("permissionDecisionReason") }
}

/// The rule or doubt that a person would read.
fn summary(reason: &str) -> String {
    match serde_json::from_str::<Value>(reason) {
        Ok(refusal) => {
            let text = |key: &str| refusal[key].as_str().unwrap_or_default().to_owned();
            format!("{}; {}", text("error"), text("rule"))
        }
        Err(_) => reason.lines().skip(1).take(3).collect::<Vec<_>>().join("; "),
    }
}

#[test]
fn everyday_lines_are_rarely_interrupted() {
    let Some(person) = Person::new() else { return };
    let projects = Projects::read();
    projects.make(&person);
    let is_every_line = std::env::var_os(EVERY_LINE).is_some();
    let step = if is_every_line { 1 } else { ONE_IN };
    let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut unexpected = Vec::new();
    for (number, line) in lines().iter().enumerate() {
        let is_expected = line.expect.as_deref() == Some("ask");
        assert_eq!(is_expected, line.why.is_some(), "a reason for each question: {}", line.line);
        if !is_expected && number % step != 0 {
            continue;
        }
        let answer = decide(&person, number, line);
        let is_interrupted = answer.decision != "allow";
        if is_interrupted {
            println!("{} [{}] {}", answer.decision, line.project, line.line.escape_debug());
            println!("     {}", summary(&answer.reason));
            println!("     why: {}", line.why.as_deref().unwrap_or("no reason in the corpus"));
        }
        if is_expected && !is_interrupted {
            unexpected.push(line.line.clone());
        }
        // Where only a part is judged, each question that is expected stands for itself alone.
        let weight = if is_expected { 1 } else { step };
        let [all, interrupted, explained] = counts.entry(line.project.clone()).or_default();
        *all += weight;
        *interrupted += weight * usize::from(is_interrupted);
        *explained += weight * usize::from(is_interrupted && is_expected);
    }
    for (project, [all, interrupted, explained]) in &counts {
        println!(
            "{project:<8} {all:>4} lines {interrupted:>4} interrupted {explained:>4} with a reason"
        );
    }
    let sum = |at: usize| counts.values().map(|own| own[at]).sum::<usize>();
    let share = 100.0 * sum(1) as f64 / sum(0) as f64;
    println!("{} of {} lines are interrupted: {share:.1} %", sum(1), sum(0));
    assert!(unexpected.is_empty(), "nobody was asked about {unexpected:?}");
    assert!(share <= MOST, "{share:.1} % are interrupted, more than {MOST} %");
}
