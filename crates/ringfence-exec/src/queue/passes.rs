//! What a person agreed to at the hook of an agent inside, for the gate that meets it next.
//!
//! A yes to a call is a yes to exactly what the call was said to do: the gate that meets one of
//! these deeds does not ask about it again. It lasts as long as it takes to do it, or as the run.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::ask::Answer;

/// How long a call may take to be made after it was agreed to.
const UNUSED: Duration = Duration::from_secs(120);
/// How long one change of a file is the same deed: it is opened, written beside, and moved.
const AS_ONE: Duration = Duration::from_secs(5);
/// The most calls that are remembered.
const MOST: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct Passes(Mutex<Vec<Pass>>);

/// A call that was agreed to.
#[derive(Debug)]
struct Pass {
    /// What it was said to do, and when that was done first.
    deeds: Vec<(String, Option<Instant>)>,
    answer: Answer,
    since: Instant,
}

impl Pass {
    fn holds(&self) -> bool {
        self.answer == Answer::Session || self.since.elapsed() < UNUSED
    }

    /// Whether a deed may be done, now or again.
    fn is_open(&self, deed: &str, done: Option<Instant>) -> bool {
        let again = |done: Instant| !deed.starts_with("cmd:") && done.elapsed() < AS_ONE;
        self.answer == Answer::Session || done.is_none_or(again)
    }
}

impl Passes {
    fn lock(&self) -> MutexGuard<'_, Vec<Pass>> {
        let mut passes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        passes.retain(Pass::holds);
        passes
    }

    /// Remembers what was agreed to.
    pub(super) fn give(&self, deeds: &[String], answer: Answer) {
        let mut passes = self.lock();
        if answer.is_yes() && passes.len() < MOST {
            let deeds = deeds.iter().map(|deed| (deed.clone(), None)).collect();
            passes.push(Pass { deeds, answer, since: Instant::now() });
        }
    }

    /// The answer to a deed that is about to be done; what was agreed to once is used up by it.
    pub(super) fn take(&self, deed: &str) -> Option<Answer> {
        let mut passes = self.lock();
        for pass in passes.iter_mut() {
            let answer = pass.answer;
            let open =
                |(own, done): &(String, Option<Instant>)| own == deed && pass.is_open(deed, *done);
            if let Some(at) = pass.deeds.iter().position(open) {
                let (_, done) = pass.deeds.get_mut(at)?;
                done.get_or_insert_with(Instant::now);
                return Some(answer);
            }
        }
        None
    }

    /// The answer to a call that was agreed to, and of which nothing was done yet.
    pub(super) fn known(&self, deeds: &[String]) -> Option<Answer> {
        let passes = self.lock();
        let of = |pass: &&Pass| {
            let same = pass.deeds.len() == deeds.len()
                && pass.deeds.iter().zip(deeds).all(|((own, _), deed)| own == deed);
            let fresh = pass.deeds.iter().all(|(_, done)| done.is_none());
            same && !deeds.is_empty() && (fresh || pass.answer == Answer::Session)
        };
        passes.iter().find(of).map(|pass| pass.answer)
    }
}

#[cfg(test)]
#[path = "passes_tests.rs"]
mod tests;
