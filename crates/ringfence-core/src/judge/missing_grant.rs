//! Search for a missing grant of an access that the danger list denies.

use super::compile::Policy;
use super::matching::MatchedRules;
use crate::access::{Access, AccessKind, Cover};
use crate::effect::Effect;
use crate::verdict::Verdict;

impl Policy {
    /// Returns whether an access denied by the danger list also lacks an allow rule. Always false
    /// for accesses other than starts and files.
    pub fn lacks_grant(&self, access: &Access) -> bool {
        let mut verdict = Verdict::of_empty_call();
        let mut look = |matched: &mut MatchedRules| {
            self.retain_applicable(access, matched);
            self.decide_grants(access, matched, &mut verdict);
        };
        match &access.what {
            AccessKind::Exec(exec) => look(&mut self.match_exec(exec)),
            AccessKind::File(file) => self.each_file_aspect(file, &mut look),
            _ => return false,
        }
        matches!(access.scope.cover, Cover::OwnGrant | Cover::ParentGrant)
            && verdict.effect != Effect::Allow
    }
}

#[cfg(test)]
#[path = "missing_grant_tests.rs"]
mod tests;
