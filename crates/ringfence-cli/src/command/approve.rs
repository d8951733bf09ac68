//! `ringfence approve`: a person says yes to a question of a run.

use std::fs::OpenOptions;
use std::path::PathBuf;

use ringfence_core::Effect;
use ringfence_exec::ApprovalAnswer;
use ringfence_exec::queue::{self, AnswerError, QuestionSummary, RunInfo};
use ringfence_guard::redact::visible;

use crate::args::ApproveArgs;
use crate::asking::{Choice, ask, lines, must_be_a_person, places, remember, shelf};
use crate::exit::{Exit, Failure};
use crate::show;

pub(crate) fn run(args: &ApproveArgs) -> Result<Exit, Failure> {
    must_be_a_person()?;
    let places = places()?;
    if args.ask {
        return ask_here(&places, &args.id);
    }
    if args.always {
        return for_good(&places, &args.id, Effect::Allow);
    }
    let answer = if args.session { ApprovalAnswer::Session } else { ApprovalAnswer::Once };
    settle(&places, &args.id, answer)
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

/// Writes the rule first: a run that goes on without it would be asked about again.
fn for_good(places: &[PathBuf], id: &str, effect: Effect) -> Result<Exit, Failure> {
    let Some((run, question)) = find(places, id) else {
        return Ok(gone(id));
    };
    show::print(&remember(&run, &question, effect)?);
    settle(
        places,
        id,
        if effect == Effect::Allow { ApprovalAnswer::Session } else { ApprovalAnswer::No },
    )
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
        Some(Choice::No) => settle(places, id, ApprovalAnswer::No),
        Some(Choice::Once) => settle(places, id, ApprovalAnswer::Once),
        Some(Choice::Session) => settle(places, id, ApprovalAnswer::Session),
        Some(Choice::Always) => for_good(places, id, Effect::Allow),
        Some(Choice::Never) => for_good(places, id, Effect::Deny),
    }
}

fn find(places: &[PathBuf], id: &str) -> Option<(RunInfo, QuestionSummary)> {
    let found = queue::pending(places);
    let of_run = found.runs.into_iter().find_map(|seen| {
        let question = seen.questions.into_iter().find(|own| own.id == id)?;
        Some((seen.run, question))
    });
    let of_hook = || shelf().ok()?.pending().into_iter().find(|(_, question)| question.id == id);
    of_run.or_else(of_hook)
}
