//! Commands that a shell keeps for later: `trap`.

use super::Walker;
use super::budget::ENTRY;
use super::globs::Globs;
use super::state::State;
use crate::argv::Reading;
use crate::field::Field;
use crate::span::Span;

/// A command that is run at some later time.
#[derive(Debug, Clone)]
pub(super) struct Trap {
    text: String,
    span: Span,
    /// What was known when it was laid down.
    state: State,
    /// How often the shell had changed its directory by then.
    been: usize,
}

impl Walker<'_> {
    /// `trap TEXT SIGNAL…`; false where it is something else, or the text cannot be told.
    pub(super) fn trap(&mut self, reading: &Reading<'_>, operands: &[Field], span: Span) -> bool {
        let asks = ["-l", "-p", "-P"].iter().any(|name| reading.has(name));
        let [first, signals @ ..] = operands else { return asks };
        let Some(text) = first.as_known().filter(|_| !asks) else { return false };
        if signals.is_empty() || matches!(text, "" | "-") {
            return false;
        }
        let text = text.to_owned();
        let state = self.state.clone();
        self.text(&text, span);
        let at_end = |signal: &Field| matches!(signal.as_known(), Some("EXIT" | "exit" | "0"));
        let changes = self.state.is_changed_since(&state);
        if changes && !signals.iter().all(at_end) {
            let reason = "the line lays down a command that changes what later words mean";
            self.state.poisoned = Some(reason.into());
        }
        let poisoned = self.state.poisoned.take();
        self.state = state.clone();
        self.state.poisoned = poisoned;
        // Of a loop or a function it is laid down many times.
        let is_new = !self.traps.iter().any(|own| own.span == span && own.text == text);
        if self.spend(self.traps.len()) && is_new {
            let been = self.been.len();
            self.traps.push(Trap { text, span, state, been });
        }
        true
    }

    /// Does what a subshell does: what it changes ends with it, and so do its traps.
    pub(super) fn in_subshell(&mut self, step: impl FnOnce(&mut Self)) {
        let before = self.state.clone();
        let outer = (std::mem::take(&mut self.traps), self.cut_short.take());
        step(self);
        self.look_at_traps();
        (self.traps, self.cut_short) = outer;
        self.state = before;
    }

    /// Looks once more at what was kept for later where the shell knows other things at its end.
    pub(super) fn look_at_traps(&mut self) {
        if self.traps.is_empty() {
            return;
        }
        let end = self.state.clone();
        // A trap runs although the line has ended.
        let mut last = end.clone();
        last.dead = false;
        for trap in std::mem::take(&mut self.traps) {
            let been = self.been.get(trap.been..).unwrap_or_default().to_vec();
            if !self.spend(been.len().saturating_mul(ENTRY)) {
                break;
            }
            let Globs { deep, hidden } = self.globs;
            if been.is_empty() && !deep && !hidden && !last.is_changed_since(&trap.state) {
                continue;
            }
            self.state = trap.state;
            self.state.join(last.clone());
            been.into_iter().for_each(|directories| self.state.join_directories(&directories));
            self.text(&trap.text, trap.span);
        }
        self.state = end;
    }
}
