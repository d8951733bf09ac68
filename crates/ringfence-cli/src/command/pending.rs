//! `ringfence pending`: the questions of runs and hooks that wait.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use ringfence_exec::queue::{self, QuestionSummary, RunInfo};
use serde_json::{Value, json};

use crate::args::PendingArgs;
use crate::asking::{lines, places, scopes, shelf};
use crate::exit::{Exit, Failure};
use crate::show::{self, QUIET};

/// How often `--watch` looks for questions.
const LOOK: Duration = Duration::from_millis(500);

pub(crate) fn run(args: &PendingArgs) -> Result<Exit, Failure> {
    let places = places()?;
    if args.watch {
        return watch(&places, args.json);
    }
    let all = all(&places)?;
    if args.json {
        let all: Vec<Value> =
            all.iter().map(|(run, question)| question_json(run, question)).collect();
        let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
        show::print(&text);
        return Ok(Exit::Allow);
    }
    all.iter().for_each(|(run, question)| print(run, question));
    show::say(match all.is_empty() {
        true => "no question is waiting",
        false => ANSWER,
    });
    Ok(Exit::Allow)
}

const ANSWER: &str = "answer with `ringfence approve ID` or `ringfence deny ID`; `--session` and `--always` last, \
                      `--scope N` is broader";

/// Shows each question as it comes, until a person ends it.
fn watch(places: &[PathBuf], json: bool) -> Result<Exit, Failure> {
    show::say(&format!("each question is shown as it comes; {ANSWER}; Ctrl-C ends this"));
    let mut known: BTreeSet<String> = BTreeSet::new();
    loop {
        let all = all(places)?;
        let now: BTreeSet<String> = all.iter().map(|(_, question)| question.id.clone()).collect();
        if !json {
            known.difference(&now).for_each(|id| {
                show::print(&format!("{id}  {QUIET}waits no more{QUIET:#}"));
            });
        }
        for (run, question) in all.iter().filter(|(_, own)| !known.contains(&own.id)) {
            match json {
                true => show::print(&question_json(run, question).to_string()),
                false => print(run, question),
            }
        }
        known = now;
        std::thread::sleep(LOOK);
    }
}

/// Returns every question that waits, of runs and of hooks. Runs that cannot be reached are named.
pub(super) fn all(places: &[PathBuf]) -> Result<Vec<(RunInfo, QuestionSummary)>, Failure> {
    let found = queue::pending(places);
    for reason in &found.unreachable {
        show::say(&format!("note: a run could not be asked: {reason}"));
    }
    let of_runs = found.runs.into_iter().flat_map(|seen| {
        let run = seen.run;
        seen.questions.into_iter().map(move |question| (run.clone(), question))
    });
    Ok(of_runs.chain(shelf()?.pending()).collect())
}

/// Shows a question, with the scopes that an answer can have.
pub(super) fn print(run: &RunInfo, question: &QuestionSummary) {
    let mut lines = lines(run, question).into_iter();
    let first = lines.next().unwrap_or_default();
    let (id, age, left) = (&question.id, question.age, question.left);
    show::print(&format!("{id}  {first}  {QUIET}{age} s ago, {left} s left{QUIET:#}"));
    for line in lines {
        show::print(&format!("        {QUIET}{line}{QUIET:#}"));
    }
}

fn question_json(run: &RunInfo, question: &QuestionSummary) -> Value {
    let mut value = json!(question);
    if let Some(fields) = value.as_object_mut() {
        fields.insert("run".to_owned(), json!(run));
        let scopes = scopes(question).into_iter().map(
            |own| json!({ "pattern": own.pattern, "words": own.words, "can_last": own.can_last }),
        );
        fields.insert("scopes".to_owned(), scopes.collect());
    }
    value
}
