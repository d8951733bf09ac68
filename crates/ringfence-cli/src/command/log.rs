//! `ringfence log`: what was refused, what was asked and answered, and which rules were added by hand.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ringfence_core::Effect;
use ringfence_exec::ApprovalAnswer;
use ringfence_exec::queue::{QuestionSummary, RunInfo};
use ringfence_exec::refusal_log::LogEntry;
use ringfence_guard::redact::{redact, visible};
use serde_json::{Value, json};

use super::allowed::{self, Added};
use super::status::since;
use crate::args::LogArgs;
use crate::asking::{lines, shelf};
use crate::diary::diary;
use crate::exit::{Exit, Failure};
use crate::show::{self, QUIET};
use crate::words::counted;

/// The most refusals that are shown unless all are asked for.
const MOST: usize = 20;

pub(crate) fn run(args: &LogArgs) -> Result<Exit, Failure> {
    let questions = shelf()?.log();
    let rules = allowed::added()?;
    let refused = diary()?.read();
    if args.json {
        let questions = questions.iter().map(|(run, own, answer)| question_json(run, own, *answer));
        let refused = refused.iter().map(refused_json);
        let all = questions.chain(rules.iter().map(rule_json)).chain(refused);
        let all: Vec<Value> = all.collect();
        let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
        show::print(&text);
        return Ok(Exit::Allow);
    }
    let shown = if args.all { refused.len() } else { MOST };
    for entry in refused.iter().take(shown) {
        print_refused(entry);
    }
    if let Some(more) = refused.len().checked_sub(shown).filter(|more| *more > 0) {
        show::say(&format!(
            "and {} before; `ringfence log --all` shows them",
            counted(more, "refusal")
        ));
    }
    for (run, question, answer) in &questions {
        let first = lines(run, question).into_iter().next().unwrap_or_default();
        let ago = since(Duration::from_secs(question.age));
        show::print(&format!("{:<14} {first}  {QUIET}{ago} ago{QUIET:#}", word(*answer)));
    }
    for Added { rule, note, .. } in &rules {
        let pattern = rule.pattern.to_string();
        let word = format!("rule, {}", rule.effect);
        show::print(&format!("{word:<14} {}  {QUIET}{note}{QUIET:#}", visible(&pattern)));
    }
    if questions.is_empty() && rules.is_empty() && refused.is_empty() {
        show::say(
            "nothing was refused, nothing was asked in the last hour, and no rule was added by hand",
        );
    }
    Ok(Exit::Allow)
}

fn print_refused(entry: &LogEntry) {
    let red = show::style(Effect::Deny);
    let ago = since(Duration::from_secs(now().saturating_sub(entry.when)));
    let times = if entry.times > 1 { format!(" ({} times)", entry.times) } else { String::new() };
    let LogEntry { who, what, why, directory, .. } = entry;
    let plain = |text: &str| visible(text).into_owned();
    show::print(&format!(
        "{red}{:<14}{red:#} {}: {}{times}  {QUIET}{ago} ago{QUIET:#}",
        "refused",
        plain(who),
        plain(what)
    ));
    // First where: the reasons end with words of their own.
    show::print(&format!("{:<14} {QUIET}in {}: {}{QUIET:#}", "", plain(directory), plain(why)));
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn refused_json(entry: &LogEntry) -> Value {
    json!({
        "kind": "refusal", "when": entry.when, "at": entry.at, "who": entry.who,
        "what": entry.what, "why": entry.why, "directory": entry.directory, "times": entry.times,
    })
}

fn word(answer: Option<ApprovalAnswer>) -> &'static str {
    match answer {
        None => "waits",
        Some(ApprovalAnswer::No) => "no",
        Some(ApprovalAnswer::Once) => "yes, once",
        Some(ApprovalAnswer::Session) => "yes, session",
    }
}

fn question_json(
    run: &RunInfo,
    question: &QuestionSummary,
    answer: Option<ApprovalAnswer>,
) -> Value {
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
