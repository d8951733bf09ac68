//! Questions about patterns as languages, up to a limit on how many are asked.
//!
//! Beyond the limit every answer is the one that leads to no finding, and that is remembered.

use std::cell::Cell;

use ringfence_core::{Pattern, Scope, inclusion};

use super::witness;

/// Compares patterns and scopes.
#[derive(Debug)]
pub(super) struct Compare {
    left: Cell<u32>,
    gave_up: Cell<bool>,
}

impl Compare {
    pub(super) fn new(max_comparisons: u32) -> Compare {
        Compare { left: Cell::new(max_comparisons), gave_up: Cell::new(false) }
    }

    /// Counts a look at so many candidates, most of which need no comparison; whether there is
    /// room for it.
    pub(super) fn may_look_at(&self, candidates: usize) -> bool {
        /// How many looks cost as much as a comparison.
        const LOOKS: usize = 16;
        self.may_spend(u32::try_from(candidates / LOOKS).unwrap_or(u32::MAX))
    }

    /// Whether a question stayed open.
    pub(super) fn gave_up(&self) -> bool {
        self.gave_up.get()
    }

    /// Whether everything that `one` matches is surely matched by `two`.
    pub(super) fn includes(&self, two: &Pattern, one: &Pattern) -> bool {
        !self.gave_up()
            && witness::may_include(two, one)
            && self.may_ask()
            && inclusion::includes(two, one)
    }

    /// Whether one access may be matched by both.
    pub(super) fn overlaps(&self, one: &Pattern, two: &Pattern) -> bool {
        !self.may_ask() || inclusion::overlaps(one, two)
    }

    /// Whether everything in the scope `one` is surely in the scope `two`.
    pub(super) fn scope_includes(&self, two: &Scope, one: &Scope) -> bool {
        if *two == Scope::default() || one == two {
            return true;
        }
        two.unless.is_none() && self.may_ask() && inclusion::scope_includes(two, one)
    }

    fn may_ask(&self) -> bool {
        self.may_spend(1)
    }

    fn may_spend(&self, cost: u32) -> bool {
        match self.left.get().checked_sub(cost) {
            Some(left) => self.left.set(left),
            None => self.gave_up.set(true),
        }
        !self.gave_up.get()
    }
}
