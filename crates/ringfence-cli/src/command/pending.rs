//! `ringfence pending`: the questions of runs and hooks that wait.

use ringfence_exec::queue;
use serde_json::json;

use crate::args::PendingArgs;
use crate::asking::{lines, places, shelf};
use crate::exit::{Exit, Failure};
use crate::show::{self, QUIET};

pub(crate) fn run(args: &PendingArgs) -> Result<Exit, Failure> {
    let found = queue::pending(&places()?);
    for reason in &found.unreachable {
        show::say(&format!("note: a run could not be asked: {reason}"));
    }
    let of_hooks = shelf()?.pending();
    let of_runs = found
        .runs
        .iter()
        .flat_map(|seen| seen.questions.iter().map(move |question| (&seen.run, question)));
    let all = of_runs.chain(of_hooks.iter().map(|(run, question)| (run, question)));
    if args.json {
        let all: Vec<_> = all
            .map(|(run, question)| {
                let mut value = json!(question);
                if let Some(fields) = value.as_object_mut() {
                    fields.insert("run".to_owned(), json!(run));
                }
                value
            })
            .collect();
        let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
        show::print(&text);
        return Ok(Exit::Allow);
    }
    let mut none = true;
    for (run, question) in all {
        none = false;
        let mut lines = lines(run, question).into_iter();
        let first = lines.next().unwrap_or_default();
        let (id, age, left) = (&question.id, question.age, question.left);
        show::print(&format!("{id}  {first}  {QUIET}{age} s ago, {left} s left{QUIET:#}"));
        for line in lines {
            show::print(&format!("        {QUIET}{line}{QUIET:#}"));
        }
    }
    if none {
        show::say("no question is waiting");
    } else {
        show::say("answer with `ringfence approve ID` or `ringfence deny ID`");
    }
    Ok(Exit::Allow)
}
