//! The lines, and the policy of 1,000 rules that allows them.
//!
//! The grants are those that the corpus itself has for its lines, all in one document; what is left
//! up to 1,000 are rules about other commands, paths and hosts, each with a wildcard.

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::Arc;

use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date};
use ringfence_guard::case::{PolicyText, described_guard};
use ringfence_guard::{Action, Call, Guard};
use ringfence_manifest::Format;
use serde_json::{Value, json};

use crate::engine::Engine;

/// How many rules the policy has.
pub const RULES: usize = 1_000;

/// The corpus, one case per row.
const CORPUS: &str = include_str!("../../../tests/corpus/benign.jsonl");

/// Grants so wide that nothing else would be looked for.
const TOO_WIDE: [&str; 3] = ["cmd:*", "fs:r:**", "env:*"];

/// What the lines need in place of those.
const INSTEAD: [&str; 8] = [
    "cmd:bash:*",
    "cmd:./tests/runtests.py:*",
    "cmd:python:*",
    "cmd:make:*",
    "cmd:rm:*",
    "cmd:xargs:*",
    "fs:r:/etc/os-release",
    "cmd:date:*",
];

/// A line, ready to be taken by every engine.
pub struct Line {
    /// Its text.
    pub text: String,
    /// The same as a call.
    pub call: Call,
    /// The guard that decides it.
    pub guard: Arc<Guard>,
}

impl Line {
    /// A line that this guard decides.
    pub fn new(text: String, guard: &Arc<Guard>) -> Line {
        let call = Call::new(Action::Line { line: text.clone(), shell: None });
        Line { text, call, guard: Arc::clone(guard) }
    }
}

/// The benign lines; the error names one that an engine does not take.
pub fn lines() -> Result<Vec<Line>, Box<dyn Error>> {
    let guard = guard()?;
    let mut lines = Vec::new();
    for case in cases()? {
        let Some(command) = case["action"]["command"].as_str() else { continue };
        let line = Line::new(command.to_owned(), &guard);
        for engine in Engine::ALL {
            if !engine.run(&line) {
                let verdict = guard.consider(&line.call).verdict;
                let grounds: Vec<String> = verdict.decisive().map(ToString::to_string).collect();
                let grounds = grounds.join("; ");
                return Err(format!("{}: `{command}`: {grounds}", engine.name()).into());
            }
        }
        lines.push(line);
    }
    Ok(lines)
}

/// The guard with the whole policy, on a host in memory.
pub fn guard() -> Result<Arc<Guard>, Box<dyn Error>> {
    let mut allow: BTreeSet<String> = INSTEAD.iter().map(|rule| (*rule).to_owned()).collect();
    let mut danger = BTreeSet::new();
    for case in cases()? {
        if case["action"]["command"].is_string() {
            allow.extend(texts(&case["policy"]["allow"]));
            danger.extend(texts(&case["policy"]["danger"]));
        }
    }
    allow.retain(|rule| !TOO_WIDE.contains(&rule.as_str()));
    let grants = allow.len() + danger.len();
    let (mut deny, mut rules) = (Vec::new(), Vec::from_iter(allow));
    for (number, rule) in (grants..RULES).map(other_rule).enumerate() {
        if number % 10 == 0 { deny.push(rule) } else { rules.push(rule) }
    }
    let text = json!({"allow": rules, "deny": deny, "danger": danger}).to_string();
    let policy =
        PolicyText { name: "bench".to_owned(), format: Format::Json, text, location: None };
    let place = |path| AbsPath::new(path).map_err(|error| error.to_string());
    let project = place("/home/u/proj")?;
    let today = Date::from_unix_days(20_000);
    let context = Context::new(Some(project.clone()), place("/home/u")?, project, today);
    Ok(Arc::new(described_guard(&policy, context, Arc::new(MemoryHost::new()))?))
}

/// A rule that none of the lines meets.
fn other_rule(number: usize) -> String {
    let key = number / 3;
    match number % 3 {
        0 => format!("cmd:tool{}:sub{}:*", key / 10, key % 10),
        1 if key.is_multiple_of(2) => format!("fs:r:/srv/app{key}/**/*.rs"),
        1 => format!("fs:r:/srv/app{key}/src/**"),
        _ => format!("net:*.svc{key}.example"),
    }
}

fn cases() -> Result<Vec<Value>, serde_json::Error> {
    CORPUS.lines().map(serde_json::from_str).collect()
}

fn texts(list: &Value) -> impl Iterator<Item = String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned)
}
