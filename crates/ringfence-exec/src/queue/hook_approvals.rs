//! Approvals that a person gave at an agent's hook inside the run, for the exec gate.
//!
//! An approval covers exactly the accesses that were shown. The gate does not ask again about one
//! of them. An approval lasts until it is used, or until the run ends.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::ask::ApprovalAnswer;

/// How long an unused approval lasts.
const UNUSED: Duration = Duration::from_secs(120);
/// How long repeated accesses count as one file change: open, write next to it, rename.
const AS_ONE: Duration = Duration::from_secs(5);
/// The maximum number of recorded calls.
const MOST: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct HookApprovals(Mutex<Vec<HookApproval>>);

/// An approved call.
#[derive(Debug)]
struct HookApproval {
    /// The approved accesses, each with the time of its first use.
    deeds: Vec<(String, Option<Instant>)>,
    answer: ApprovalAnswer,
    since: Instant,
}

impl HookApproval {
    fn holds(&self) -> bool {
        self.answer == ApprovalAnswer::Session || self.since.elapsed() < UNUSED
    }

    /// Returns whether an access is still approved.
    fn is_open(&self, deed: &str, done: Option<Instant>) -> bool {
        let again = |done: Instant| !deed.starts_with("cmd:") && done.elapsed() < AS_ONE;
        self.answer == ApprovalAnswer::Session || done.is_none_or(again)
    }
}

impl HookApprovals {
    fn lock(&self) -> MutexGuard<'_, Vec<HookApproval>> {
        let mut passes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        passes.retain(HookApproval::holds);
        passes
    }

    /// Records an approval.
    pub(super) fn give(&self, deeds: &[String], answer: ApprovalAnswer) {
        let mut passes = self.lock();
        if answer.is_yes() && passes.len() < MOST {
            let deeds = deeds.iter().map(|deed| (deed.clone(), None)).collect();
            passes.push(HookApproval { deeds, answer, since: Instant::now() });
        }
    }

    /// Returns the approval of an access and marks it as used.
    pub(super) fn take(&self, deed: &str) -> Option<ApprovalAnswer> {
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

    /// Returns the approval of an identical call of which nothing was used yet.
    pub(super) fn known(&self, deeds: &[String]) -> Option<ApprovalAnswer> {
        let passes = self.lock();
        let of = |pass: &&HookApproval| {
            let same = pass.deeds.len() == deeds.len()
                && pass.deeds.iter().zip(deeds).all(|((own, _), deed)| own == deed);
            let fresh = pass.deeds.iter().all(|(_, done)| done.is_none());
            same && !deeds.is_empty() && (fresh || pass.answer == ApprovalAnswer::Session)
        };
        passes.iter().find(of).map(|pass| pass.answer)
    }
}

#[cfg(test)]
#[path = "hook_approvals_tests.rs"]
mod tests;
