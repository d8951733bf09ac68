//! Arithmetic: the names in it are evaluated, and some are set.

use std::collections::HashSet;

use ringfence_core::AccessKind;
use ringfence_core::access::{Extent, FileOp};
use ringfence_core::host::FileEntry;
use ringfence_core::path::AbsPath;

use super::Walker;
use super::param::SHELLS_OWN;
use crate::field::{NUMBER, PERHAPS, PLAIN};
use crate::parse::MAX_BYTES;
use crate::span::Span;

impl Walker<'_> {
    /// Names in arithmetic are evaluated, values and subscripts and all: a value that the line did
    /// not set to a number may run a command.
    pub(super) fn evaluated_names(&mut self, text: &str, span: Span, depth: usize) {
        /// What a name costs that is looked up.
        const NAME: usize = 32;
        /// So far values are followed that name other variables.
        const DEEPEST: usize = 8;
        if !self.spend(text.len()) {
            return;
        }
        let set = names_set(text);
        for (_, name, _) in names_in(text) {
            let Some(variable) = self.state.variables.get(name) else {
                self.doubt_subscripts(name, span);
                match set.contains(name) {
                    true => self.set_to_number(name, span),
                    false if SHELLS_OWN.contains(&name) || depth > 0 => {}
                    false => self.read_variable(name, span),
                }
                continue;
            };
            if variable.value.is_none() && variable.number.is_none_or(|mark| mark == PLAIN) {
                self.doubt_subscripts(name, span);
            }
            let Some(variable) = self.state.variables.get(name) else { continue };
            let value = variable.value.clone().unwrap_or_default();
            if !self.spend(value.len().saturating_add(NAME)) {
                return;
            }
            if value.contains('[') {
                let reason = format!("arithmetic evaluates the value of `{name}`");
                self.unanalysable(&reason, Some(span));
            } else if value != name && depth < DEEPEST {
                // A value may name another variable.
                self.evaluated_names(&value, span, depth.saturating_add(1));
            }
            if set.contains(name) {
                self.set_to_number(name, span);
            }
        }
    }

    /// A value that is not known may be a text of the line that runs a command where it is evaluated.
    pub(super) fn doubt_subscripts(&mut self, name: &str, span: Span) {
        if self.subscripts || self.has_read_subscripts(span) {
            let reason = format!(
                "arithmetic evaluates `{name}`, which may run what the line has in brackets"
            );
            self.unanalysable(&reason, Some(span));
        }
    }

    /// Whether a file that the line reads has a text that runs a command where it is evaluated.
    #[cold]
    fn has_read_subscripts(&mut self, span: Span) -> bool {
        let since = self.effects.accesses.get(self.looked_at..).unwrap_or_default();
        let read = since.iter().filter_map(|access| match &access.what {
            AccessKind::File(file) if file.op == FileOp::Read && file.extent == Extent::One => {
                Some(file.path.real.clone())
            }
            _ => None,
        });
        let read: Vec<AbsPath> = read.collect();
        self.looked_at = self.effects.accesses.len();
        let host = self.world.host();
        let is_file = |file: &AbsPath| matches!(host.entry(file), FileEntry::File { .. });
        for file in read.into_iter().filter(is_file) {
            match host.read(&file, MAX_BYTES) {
                Ok(bytes) => {
                    let text = String::from_utf8_lossy(&bytes);
                    self.subscripts |= self.spend(text.len()) && has_subscript(&text);
                }
                Err(_) => self.ask("a file that is evaluated cannot be looked at", span),
            }
        }
        self.subscripts
    }

    /// Arithmetic sets a variable, unless it fails or does not get there.
    fn set_to_number(&mut self, name: &str, span: Span) {
        let before = self.number_in(name);
        self.set_unknown(name, span);
        before.into_iter().for_each(|mark| self.state.set_number(name, mark));
    }

    /// The mark of a variable that holds a number or nothing, so that it still does after arithmetic
    /// that may set it to another one: what cannot be computed leaves it as it was, and a script goes on
    /// with its next line.
    pub(super) fn number_in(&self, name: &str) -> Option<char> {
        let Some(own) = self.state.variables.get(name) else {
            return self.world.host().env(name).is_none().then_some(PERHAPS);
        };
        match own.value.as_deref() {
            Some("") => Some(PERHAPS),
            Some(value) => value.bytes().all(|byte| byte.is_ascii_digit()).then_some(NUMBER),
            None => own.number,
        }
    }
}

/// Whether a text holds a subscript that runs a command: `a[$(…)]`, or the end of one in single quotes.
pub(super) fn has_subscript(text: &str) -> bool {
    let is_before = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\'');
    // Nearly no text has any.
    if !text.contains('[') {
        return false;
    }
    let pairs = text.as_bytes().windows(2).enumerate();
    pairs
        .filter(|(_, pair)| matches!(pair, [before, b'['] if is_before(*before)))
        .any(|(at, _)| runs_command(text.get(at.saturating_add(1)..).unwrap_or_default()))
}

fn runs_command(subscript: &str) -> bool {
    let inside = subscript.split(']').next().unwrap_or_default();
    let mut substitutions = inside.match_indices("$(");
    let is_arithmetic = |at: usize| inside.get(at..).is_some_and(|rest| rest.starts_with("$(("));
    inside.contains('`') || substitutions.any(|(at, _)| !is_arithmetic(at))
}

/// The names in a text of arithmetic, with what stands before and after each.
fn names_in(text: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut end = 0usize;
    let words = std::iter::from_fn(move || {
        let start = end.saturating_add(text.get(end..)?.find(is_part)?);
        let rest = text.get(start..)?;
        end = start.saturating_add(rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
        Some((text.get(..start)?, text.get(start..end)?, text.get(end..)?))
    });
    // The digits behind a base are no name: `16#ff`.
    let is_based = |before: &str| {
        let base = before.strip_suffix('#').unwrap_or_default();
        base.ends_with(|last: char| last.is_ascii_digit())
    };
    words.filter(move |(before, name, _)| {
        !name.starts_with(|first: char| first.is_ascii_digit()) && !is_based(before)
    })
}

/// The names that arithmetic sets: `i=0`, `i++`, `i += 2`.
fn names_set(text: &str) -> HashSet<&str> {
    let sets = |(before, _, after): &(&str, &str, &str)| {
        let after = after.trim_start();
        let assigns = after.starts_with('=') && !after.starts_with("==");
        let steps = after.starts_with("++") || after.starts_with("--");
        let with_operator = after.get(1..2) == Some("=")
            && after.starts_with(['+', '-', '*', '/', '%', '&', '|', '^'])
            || after.starts_with("<<=")
            || after.starts_with(">>=")
            // An element: the first one is the variable itself.
            || after.starts_with('[');
        let before = before.trim_end();
        assigns || steps || with_operator || before.ends_with("++") || before.ends_with("--")
    };
    names_in(text).filter(sets).map(|(_, name, _)| name).collect()
}
