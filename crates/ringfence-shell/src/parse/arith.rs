//! Arithmetic and subscripts: text in which parentheses or brackets balance.
//!
//! Bash expands such text as if it stood in double quotes; a single quote in it quotes for some
//! purposes and not for others, so what it encloses must not matter.

use crate::ast::{Arith, Part, PartKind};

use super::parts::{Parts, Quoting};
use super::{MAX_DEPTH, Parsed, Parser, TOO_DEEP};
use crate::error::ParseError;

impl Parser<'_> {
    /// Reads up to `))` after `((`. `None` if the parentheses do not close together: then they are
    /// not arithmetic, and the place is undefined.
    pub(super) fn double_paren(&mut self, start: usize) -> Parsed<Option<Arith>> {
        let from = self.pos;
        let read = self
            .nested(start, |parser| parser.counting(|parser| parser.balanced(start, b'(', b')')));
        match read {
            Ok(parts) => {
                let span = self.source.span(from, self.pos.saturating_sub(1));
                match self.byte(self.pos) {
                    Some(b')') => {
                        self.pos = self.pos.saturating_add(1);
                        self.refuse_other_close(start)?;
                        Ok(Some(Arith { span, parts }))
                    }
                    Some(b'\\') => Err(self.unsupported(start, "a backslash between `)` and `)`")),
                    _ => Ok(None),
                }
            }
            Err(error) => match self.closes_apart(from) {
                true => Ok(None),
                false => Err(error),
            },
        }
    }

    /// Whether the parenthesis before `from` is surely not closed by one of a pair.
    fn closes_apart(&self, from: usize) -> bool {
        match self.counted_close(from) {
            Close::At(close) => {
                let text = self.slice(from, close);
                // A comment, a here-document or a pattern could hide a parenthesis.
                let hides = text.contains('#') || text.contains("<<") || text.contains("esac");
                let next = self.byte(close.saturating_add(1));
                !hides && !matches!(next, Some(b')' | b'\\') | None)
            }
            Close::Nowhere | Close::Unclear => false,
        }
    }

    /// Whether a newline may follow the parenthesis that closes the one before `from`.
    pub(super) fn closes_before_newline(&self, from: usize) -> bool {
        match self.counted_close(from) {
            Close::At(close) => self.byte(close.saturating_add(1)) == Some(b'\n'),
            Close::Nowhere | Close::Unclear => true,
        }
    }

    /// Refuses what was read from `start` on if counting parentheses leads to another end.
    pub(super) fn refuse_other_close(&mut self, start: usize) -> Parsed<()> {
        let Some(open) = self.slice(start, self.pos).find('(') else { return Ok(()) };
        let from = start.saturating_add(open).saturating_add(1);
        match self.counted_close(from) {
            Close::At(close) if close.saturating_add(1) == self.pos => Ok(()),
            Close::Unclear => Ok(()),
            Close::At(_) | Close::Nowhere => {
                Err(self.unsupported(start, "parentheses that do not balance in the text"))
            }
        }
    }

    /// Where the parenthesis before `from` is closed if quotes are skipped and the others counted.
    fn counted_close(&self, from: usize) -> Close {
        let mut open = 1_usize;
        let mut at = from;
        let mut quote = None;
        while let Some(byte) = self.byte(at) {
            match (quote, byte) {
                (Some(b'\''), b'\'') | (Some(b'"'), b'"') => quote = None,
                (Some(b'\''), _) => {}
                (_, b'\\') => at = at.saturating_add(1),
                (_, b'`') => return Close::Unclear,
                (Some(_), b'$') if matches!(self.byte(at.saturating_add(1)), Some(b'(' | b'{')) => {
                    return Close::Unclear;
                }
                (Some(_), _) => {}
                (None, b'\'' | b'"') => quote = Some(byte),
                (None, b'(') => open = open.saturating_add(1),
                (None, b')') => {
                    open = open.saturating_sub(1);
                    if open == 0 {
                        return Close::At(at);
                    }
                }
                (None, _) => {}
            }
            at = at.saturating_add(1);
        }
        Close::Nowhere
    }

    /// Reads `$[ … ]`.
    pub(super) fn bracket_arith(&mut self, quoting: Quoting, parts: &mut Parts) -> Parsed<()> {
        let start = self.pos;
        self.bump_by(2);
        let from = self.pos;
        let inner = self
            .nested(start, |parser| parser.counting(|parser| parser.balanced(start, b'[', b']')))?;
        let span = self.source.span(from, self.pos.saturating_sub(1));
        parts.push(self.span(start), quoting, PartKind::Arith(Arith { span, parts: inner }));
        Ok(())
    }

    /// Reads a subscript up to `]` after `[`.
    pub(super) fn bracketed(&mut self, start: usize) -> Parsed<Vec<Part>> {
        let from = self.pos;
        let parts = self.balanced(start, b'[', b']')?;
        let text = self.slice(from, self.pos.saturating_sub(1));
        if text.contains("<(") || text.contains(">(") {
            return Err(self.unsupported(start, "a process substitution in a subscript"));
        }
        // Bash looks for the end of a subscript by other rules each time it meets one.
        if text.contains("$$") || !is_balanced(&parts) {
            return Err(self.unsupported(start, "a subscript that is not plain"));
        }
        Ok(parts)
    }

    /// Reads text up to the byte that closes what is open; that byte is not part of it.
    fn balanced(&mut self, start: usize, opens: u8, closes: u8) -> Parsed<Vec<Part>> {
        let mut parts = Parts::default();
        let mut open = 1_usize;
        loop {
            self.arith_run(&mut parts);
            let Some(byte) = self.peek() else {
                return Err(self.syntax(start, never_closed(opens)));
            };
            if byte == closes {
                open = open.saturating_sub(1);
            } else if byte == opens {
                open = open.saturating_add(1);
            }
            if open == 0 {
                self.bump();
                return self.evaluated(start, parts.finish());
            }
            if open > MAX_DEPTH {
                return Err(ParseError::limit(self.span(start), TOO_DEEP));
            }
            // What is in there is parsed only when it is evaluated.
            self.arith_special(&mut parts).map_err(|error| error.deferred())?;
        }
    }

    /// Reads the offset and length of a substring, up to `}`, which stays.
    pub(super) fn substring_parts(&mut self, start: usize) -> Parsed<Vec<Part>> {
        let mut parts = Parts::default();
        loop {
            self.arith_run(&mut parts);
            match self.peek() {
                None => return Err(self.syntax(start, "`${` is never closed")),
                Some(b'}') => return self.evaluated(start, parts.finish()),
                Some(b'<' | b'>') if self.peek_second() == Some(b'(') => {
                    return Err(self.unsupported(start, "a process substitution in an expansion"));
                }
                Some(_) => self.arith_special(&mut parts)?,
            }
        }
    }

    /// Refuses text that would run commands when it is evaluated.
    pub(super) fn evaluated(&mut self, start: usize, parts: Vec<Part>) -> Parsed<Vec<Part>> {
        if parts.iter().any(holds_code) {
            return Err(self.unsupported(start, "quoted text that is evaluated once more"));
        }
        Ok(parts)
    }

    fn arith_run(&mut self, parts: &mut Parts) {
        let start = self.pos;
        let run = self.take_while(|byte| {
            !matches!(
                byte,
                b'(' | b')' | b'[' | b']' | b'}' | b'\'' | b'"' | b'\\' | b'$' | b'`' | b'<' | b'>'
            )
        });
        if !run.is_empty() {
            parts.literal(self.span(start), false, run);
        }
    }

    fn arith_special(&mut self, parts: &mut Parts) -> Parsed<()> {
        match self.peek() {
            Some(b'\\') => Err(self.unsupported(self.pos, "a backslash in arithmetic")),
            Some(b'\'') => self.inert_single_quoted(parts),
            Some(b'"') => self.double_quoted(parts),
            Some(b'$') => self.dollar(Quoting::Arith, parts),
            Some(b'`') => self.backquote(Quoting::Arith, parts),
            _ => {
                self.literal_char(false, parts);
                Ok(())
            }
        }
    }
}

/// Where counting parentheses leads.
enum Close {
    /// To this one.
    At(usize),
    /// To the end of the text.
    Nowhere,
    /// Quotes nest, and counting alone does not tell.
    Unclear,
}

/// Whether a dollar or a backquote stands for itself, for now.
fn holds_code(part: &Part) -> bool {
    match &part.kind {
        PartKind::Literal(text) => text.contains(['$', '`']),
        PartKind::Param(param) => {
            let word = param.op.iter().flat_map(|op| &op.word.parts);
            param.subscript.iter().flatten().chain(word).any(holds_code)
        }
        _ => false,
    }
}

fn never_closed(opens: u8) -> &'static str {
    if opens == b'(' { "`((` is never closed" } else { "`[` is never closed" }
}

/// Whether the text that stands for itself has no braces, and as many `(` as `)`.
fn is_balanced(parts: &[Part]) -> bool {
    let mut open = 0_usize;
    let mut close = 0_usize;
    for part in parts {
        let PartKind::Literal(text) = &part.kind else { continue };
        if text.contains(['{', '}']) {
            return false;
        }
        open = open.saturating_add(text.matches('(').count());
        close = close.saturating_add(text.matches(')').count());
    }
    open == close
}
