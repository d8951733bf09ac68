//! `ringfence log`: what was asked and answered, and which rules were added by hand.

use std::time::Duration;

use ringfence::exec::Answer;
use ringfence::exec::queue::{Run, Shown};
use ringfence::guard::redact::{redact, visible};
use serde_json::{Value, json};

use super::allowed::{self, Added};
use super::status::since;
use crate::args::LogArgs;
use crate::asking::{lines, shelf};
use crate::exit::{Exit, Failure};
use crate::show::{self, QUIET};

pub(crate) fn run(args: &LogArgs) -> Result<Exit, Failure> {
    let questions = shelf()?.log();
    let rules = allowed::added()?;
    if args.json {
        let questions = questions.iter().map(|(run, own, answer)| question_json(run, own, *answer));
        let all: Vec<Value> = questions.chain(rules.iter().map(rule_json)).collect();
        let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
        show::print(&text);
        return Ok(Exit::Allow);
    }
    for (run, question, answer) in &questions {
        let first = lines(run, question).into_iter().next().unwrap_or_default();
        let ago = since(Duration::from_secs(question.age));
        show::print(&format!("{:<14} {first}  {QUIET}{ago} ago{QUIET:#}", word(*answer)));
    }
    for Added { rule, note, .. } in &rules {
        let pattern = rule.pattern.to_string();
        show::print(&format!("{:<14} {}  {QUIET}{note}{QUIET:#}", rule.effect, visible(&pattern)));
    }
    if questions.is_empty() && rules.is_empty() {
        show::say("nothing was asked in the last hour, and no rule was added by hand");
    }
    Ok(Exit::Allow)
}

fn word(answer: Option<Answer>) -> &'static str {
    match answer {
        None => "waits",
        Some(Answer::No) => "no",
        Some(Answer::Once) => "yes, once",
        Some(Answer::Session) => "yes, session",
    }
}

fn question_json(run: &Run, question: &Shown, answer: Option<Answer>) -> Value {
    let plain = |text: &str| visible(&redact(text)).into_owned();
    json!({
        "kind": "question", "id": question.id, "age": question.age, "program": question.program,
        "what": plain(&question.what), "answer": answer.map(|own| word(Some(own))),
        "directory": run.directory,
    })
}

fn rule_json(added: &Added) -> Value {
    json!({
        "kind": "rule", "effect": added.rule.effect.as_str(),
        "pattern": added.rule.pattern.to_string(), "origin": added.rule.origin.to_string(),
        "why": added.note,
    })
}
