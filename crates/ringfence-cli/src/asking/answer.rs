//! Carries out what a person chose: rules and preapprovals first, so that a run that goes on meets
//! them.

use ringfence_core::Effect;
use ringfence_exec::ApprovalAnswer;
use ringfence_exec::queue::{QuestionSummary, RunInfo};
use ringfence_guard::redact::visible;

use super::remember::{AnswerPlace, remember};
use super::scopes::{AnswerScope, scopes};
use super::{Choice, slips};
use crate::exit::Failure;

/// Carries out a choice. Returns the answer to the question, and what was done besides, in words.
pub(crate) fn carry_out(
    run: &RunInfo,
    question: &QuestionSummary,
    choice: Choice,
) -> Result<(ApprovalAnswer, Option<String>), Failure> {
    let scopes = scopes(question);
    match choice {
        Choice::No => Ok((ApprovalAnswer::No, None)),
        Choice::Once => Ok((ApprovalAnswer::Once, None)),
        Choice::Session(None | Some(1)) => Ok((ApprovalAnswer::Session, None)),
        Choice::Session(Some(number)) => {
            let pattern = &scope(&scopes, number)?.pattern;
            let kept = slips()?.give_session(pattern, &question.session);
            kept.map_err(|error| Failure::new(format!("the answer is not kept: {error}")))?;
            let said = format!("`{}` is allowed until then", visible(pattern));
            Ok((ApprovalAnswer::Session, Some(said)))
        }
        Choice::Always(number) => {
            let pattern = lasting(&scopes, number)?;
            let said = remember(run, pattern, Effect::Allow, AnswerPlace::Everywhere)?;
            Ok((ApprovalAnswer::Session, Some(said)))
        }
        Choice::Here(number) => {
            let pattern = lasting(&scopes, number)?;
            let said = remember(run, pattern, Effect::Allow, AnswerPlace::Here)?;
            Ok((ApprovalAnswer::Session, Some(said)))
        }
        Choice::Never(number) => {
            let pattern = match number {
                Some(number) => scope(&scopes, number)?,
                None => usual(&scopes)?,
            };
            let said = remember(run, &pattern.pattern, Effect::Deny, AnswerPlace::Everywhere)?;
            Ok((ApprovalAnswer::No, Some(said)))
        }
    }
}

fn scope(scopes: &[AnswerScope], number: usize) -> Result<&AnswerScope, Failure> {
    let found = number.checked_sub(1).and_then(|at| scopes.get(at));
    found.ok_or_else(|| match scopes.len() {
        0 => Failure::new("this question has no scopes").hint("answer it without a number"),
        most => Failure::new(format!("there is no scope {number}")).hint(format!("1 to {most}")),
    })
}

fn usual(scopes: &[AnswerScope]) -> Result<&AnswerScope, Failure> {
    let found = scopes.iter().find(|own| own.is_usual);
    found.ok_or_else(|| {
        Failure::new("no pattern would spare this question")
            .hint("answer it with `--session`, or write a rule yourself")
    })
}

/// Returns the pattern of a scope that a rule can have.
fn lasting(scopes: &[AnswerScope], number: Option<usize>) -> Result<&str, Failure> {
    let chosen = match number {
        Some(number) => scope(scopes, number)?,
        None => usual(scopes)?,
    };
    if !chosen.can_last {
        let reason =
            format!("a rule asks about `{}`, and would go on asking", visible(&chosen.pattern));
        return Err(
            Failure::new(reason).hint("answer for the session, or change the rule that asks")
        );
    }
    Ok(&chosen.pattern)
}
