//! How much work a line may cost: functions, loops and values can make a short line very long.
//!
//! Where the work is used up the line carries a doubt, and what is left of it is not looked at.

use ringfence_core::{DoubtConstruct, DoubtKind, Effect};

use super::Walker;
use crate::error::ParseError;
use crate::span::Span;

/// The most work for one line; about a unit for each byte that is looked at.
const MAX_WORK: usize = 8 << 20;
/// What a variable or function costs where all that a shell knows is copied or compared.
pub(super) const ENTRY: usize = 16;

impl Walker<'_> {
    /// Takes so much of the work that the line may cost; false where none is left.
    pub(super) fn spend(&mut self, work: usize) -> bool {
        let touched = self.state.take_touched().saturating_mul(ENTRY);
        self.work = self.work.saturating_add(work).saturating_add(touched);
        if self.work > MAX_WORK {
            self.exhaust("the line is too much work to look through");
        }
        self.exhausted.is_none()
    }

    /// Looks at nothing more, for this reason.
    #[cold]
    pub(super) fn exhaust(&mut self, reason: &'static str) {
        self.exhausted.get_or_insert(reason);
    }

    /// What is over a limit was not looked at, so it is never allowed, whatever the policy says of
    /// lines that cannot be told.
    #[cold]
    pub(super) fn over_limit(&mut self, reason: &str, span: Option<Span>) {
        let effect = self.world.unanalysable().max(Effect::Ask);
        let about = (DoubtKind::Other, DoubtConstruct::Length);
        self.push_doubt_about(effect, about, reason, span);
    }

    /// A text that does not parse.
    pub(super) fn unparsed(&mut self, error: &ParseError, reason: &str, span: Span) {
        match error.is_limit() {
            true => self.over_limit(reason, Some(span)),
            false => {
                let effect = self.world.unanalysable();
                // A script in a file is as good as a program; the call's own text has to be read.
                let kind = if self.in_file { DoubtKind::Program } else { DoubtKind::Other };
                self.push_doubt_about(effect, (kind, DoubtConstruct::Syntax), reason, Some(span));
            }
        }
    }

    /// Whether nothing more is looked at.
    pub(super) fn is_exhausted(&self) -> bool {
        self.exhausted.is_some()
    }
}
