//! `ringfence approve`: a person says yes to a question of a run.

use std::fs::OpenOptions;
use std::path::PathBuf;

use ringfence_exec::ApprovalAnswer;
use ringfence_exec::queue::{self, AnswerError, QuestionSummary, RunInfo};
use ringfence_guard::redact::visible;

use super::pending::{all, print};
use crate::args::ApproveArgs;
use crate::asking::shelf;
use crate::asking::{Choice, ask, carry_out, confirmed, lines, must_be_a_person, places};
use crate::exit::{Exit, Failure};
use crate::show;

pub(crate) fn run(args: &ApproveArgs) -> Result<Exit, Failure> {
    must_be_a_person()?;
    let places = places()?;
    let choice = match (args.session, args.always, args.here) {
        (_, true, true) => Choice::Here(args.scope),
        (_, true, false) => Choice::Always(args.scope),
        (true, ..) => Choice::Session(args.scope),
        _ if args.scope.is_some_and(|number| number > 1) => {
            return Err(Failure::new("an answer for once is for this call alone")
                .hint("a broader scope goes with `--session` or `--always`"));
        }
        _ => Choice::Once,
    };
    let Some(id) = args.id.as_deref() else { return shown(&places, args.last, choice) };
    match args.ask {
        true => ask_here(&places, id),
        false => answer_with(&places, id, choice),
    }
}

/// Shows the questions that wait, or the last of them, and answers those that were shown.
fn shown(places: &[PathBuf], only_last: bool, choice: Choice) -> Result<Exit, Failure> {
    let mut all = all(places)?;
    if only_last {
        // The youngest one; of equal age, the one that is listed last.
        all = all.into_iter().min_by_key(|(_, question)| question.age).into_iter().collect();
    }
    if all.is_empty() {
        show::say("no question is waiting");
        return Ok(Exit::Failed);
    }
    all.iter().for_each(|(run, question)| print(run, question));
    let what = if all.len() == 1 { "it".to_owned() } else { format!("these {}", all.len()) };
    if !confirmed(&format!("Approve {what} ({})?", duration(choice)))? {
        show::print("nothing was approved");
        return Ok(Exit::Failed);
    }
    let mut exit = Exit::Allow;
    for (_, question) in &all {
        let answered = answer_with(places, &question.id, choice).unwrap_or_else(|failure| {
            show::failure(&failure);
            Exit::Failed
        });
        if !matches!(answered, Exit::Allow) {
            exit = Exit::Failed;
        }
    }
    Ok(exit)
}

fn duration(choice: Choice) -> &'static str {
    match choice {
        Choice::No | Choice::Once | Choice::Never(_) => "this once",
        Choice::Session(_) => "until the run or the session ends",
        Choice::Always(_) => "always",
        Choice::Here(_) => "always in their projects",
    }
}

/// Answers a question, and says what the answer was to.
pub(crate) fn settle(
    places: &[PathBuf],
    id: &str,
    answer: ApprovalAnswer,
) -> Result<Exit, Failure> {
    let answered = match queue::answer(places, id, answer) {
        // It may be the question of a hook.
        Err(gone) => match shelf()?.answer(id, answer) {
            Ok(Some(found)) => Ok(found),
            Ok(None) => Err(gone),
            Err(error) => return Err(Failure::new(format!("the answer is not kept: {error}"))),
        },
        found => found,
    };
    match answered {
        Ok((run, question)) => {
            let said = match answer {
                ApprovalAnswer::No => "no",
                ApprovalAnswer::Once => "yes, this once",
                ApprovalAnswer::Session => "yes, until the run or the session ends",
            };
            let first = lines(&run, &question).into_iter().next().unwrap_or_default();
            show::print(&format!("{said}: {first}"));
            Ok(Exit::Allow)
        }
        Err(AnswerError::Gone) => Ok(gone(id)),
        Err(error) => Err(Failure::new(error.to_string())),
    }
}

/// Says that no such question waits, and what may have been meant.
fn gone(id: &str) -> Exit {
    show::say(&format!("no question `{}` is waiting", visible(id)));
    show::say(match id.contains(['.', '/', ' ', '*']) {
        true => {
            "hint: what is to be forbidden is written with what it is, as `ringfence deny net:NAME`"
        }
        false => "hint: `ringfence pending` lists those that are",
    });
    Exit::Failed
}

/// Carries out an answer. A rule is written first: a run that goes on without it would be asked about
/// again.
fn answer_with(places: &[PathBuf], id: &str, choice: Choice) -> Result<Exit, Failure> {
    let Some((run, question)) = find(places, id) else {
        return Ok(gone(id));
    };
    let (answer, said) = carry_out(&run, &question, choice)?;
    said.iter().for_each(|said| show::print(said));
    settle(places, id, answer)
}

fn ask_here(places: &[PathBuf], id: &str) -> Result<Exit, Failure> {
    let Some((run, question)) = find(places, id) else {
        return Ok(gone(id));
    };
    let broken = |error: std::io::Error| Failure::new(format!("no answer: {error}"));
    let terminal = OpenOptions::new().read(true).write(true).open("/dev/tty").map_err(broken)?;
    let waits = || find(places, id).is_some();
    match ask(&terminal, &lines(&run, &question), waits).map_err(broken)? {
        None => Ok(Exit::Failed),
        Some(choice) => answer_with(places, id, choice),
    }
}

fn find(places: &[PathBuf], id: &str) -> Option<(RunInfo, QuestionSummary)> {
    all(places).ok()?.into_iter().find(|(_, question)| question.id == id)
}
