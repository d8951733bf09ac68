//! How much work a line may cost: functions, loops and values can make a short line very long.
//!
//! Where the work is used up the line carries a doubt, and what is left of it is not looked at.

use super::Walker;
use super::state::State;

/// The most work for one line; about a unit for each byte that is looked at.
const MAX_WORK: usize = 16 << 20;
/// What a variable or function costs where all that a shell knows is copied.
const COPY: usize = 16;

impl Walker<'_> {
    /// Takes so much of the work that the line may cost; false where none is left.
    pub(super) fn spend(&mut self, work: usize) -> bool {
        self.work = self.work.saturating_add(work);
        if self.work > MAX_WORK {
            self.exhaust("the line is too much work to look through");
        }
        self.exhausted.is_none()
    }

    /// Looks at nothing more, for this reason.
    pub(super) fn exhaust(&mut self, reason: &'static str) {
        self.exhausted.get_or_insert(reason);
    }

    /// What the shell knows now, to come back to.
    pub(super) fn snapshot(&mut self) -> State {
        let known = self.state.variables.len().saturating_add(self.state.functions.len());
        self.spend(known.saturating_mul(COPY));
        self.state.clone()
    }
}
