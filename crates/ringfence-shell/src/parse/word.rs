//! Words that are not quoted as a whole.

use crate::ast::{Part, PartKind};
use crate::error::ParseError;

use super::parts::{Parts, Quoting};
use super::token::breaks_word;
use super::{Extglob, Parsed, Parser};

/// Whether a byte means nothing but itself in a word that is not quoted, whatever follows.
fn is_plain(byte: u8) -> bool {
    !matches!(byte, b'\\' | b'\'' | b'"' | b'$' | b'`') && !breaks_word(byte)
}

fn begins_extglob(byte: u8) -> bool {
    matches!(byte, b'?' | b'*' | b'+' | b'@' | b'!')
}

impl<'s> Parser<'s> {
    /// Reads the parts of a word up to the byte that ends it; there may be none.
    pub(super) fn word_parts(&mut self) -> Parsed<Vec<Part>> {
        let mut parts = Parts::default();
        loop {
            let start = self.pos;
            let run = self.plain_run();
            if !run.is_empty() {
                parts.literal(self.span(start), false, run);
            }
            let Some(byte) = self.peek() else { break };
            match byte {
                b'<' | b'>' if self.peek_second() == Some(b'(') => {
                    self.process_substitution(&mut parts)?;
                }
                _ if breaks_word(byte) => break,
                _ if begins_extglob(byte) => self.extglob(&mut parts)?,
                _ => self.plain_special(&mut parts)?,
            }
        }
        Ok(parts.finish())
    }

    /// Takes bytes that mean nothing but themselves.
    fn plain_run(&mut self) -> &'s str {
        let bytes = self.rest().as_bytes();
        let mut length = 0_usize;
        while let Some(byte) = bytes.get(length) {
            let next = length.saturating_add(1);
            let ends = begins_extglob(*byte) && matches!(bytes.get(next), Some(b'(' | b'\\'));
            if ends || !is_plain(*byte) {
                break;
            }
            length = next;
        }
        let start = self.pos;
        self.pos = start.saturating_add(length);
        self.slice(start, self.pos)
    }

    /// Reads what begins with a quote, a backslash, a dollar or a backquote; else one character.
    fn plain_special(&mut self, parts: &mut Parts) -> Parsed<()> {
        match self.peek() {
            Some(b'\\') => self.escape(parts),
            Some(b'\'') => self.single_quoted(parts),
            Some(b'"') => self.double_quoted(parts),
            Some(b'$') => self.dollar(Quoting::Plain, parts),
            Some(b'`') => self.backquote(Quoting::Plain, parts),
            _ => {
                self.literal_char(false, parts);
                Ok(())
            }
        }
    }

    /// Takes one character as itself.
    pub(super) fn literal_char(&mut self, quoted: bool, parts: &mut Parts) {
        let start = self.pos;
        let text = self.take_char();
        parts.literal(self.span(start), quoted, text);
    }

    /// Reads `@(…)` and kin where they are patterns, else the character before the parenthesis.
    fn extglob(&mut self, parts: &mut Parts) -> Parsed<()> {
        let start = self.pos;
        if self.peek_second() != Some(b'(') {
            self.literal_char(false, parts);
            return Ok(());
        }
        match self.shared.extglob {
            Extglob::Unknown => return Err(self.unknown_extglob()),
            Extglob::Off => {
                self.literal_char(false, parts);
                return Ok(());
            }
            Extglob::On | Extglob::Here => {}
        }
        let operator = self.take_char().chars().next().unwrap_or('@');
        self.bump();
        let mut body = Parts::default();
        self.nested(start, |parser| parser.counting(|parser| parser.group(start, &mut body)))?;
        self.refuse_other_close(start)?;
        let kind = PartKind::ExtGlob { operator, body: body.finish() };
        parts.push(self.span(start), Quoting::Plain, kind);
        Ok(())
    }

    /// The refusal of what is a pattern or not depending on what ran before.
    pub(super) fn unknown_extglob(&mut self) -> ParseError {
        let start = self.pos;
        self.bump_by(2);
        self.unsupported(start, "a parenthesis that is a pattern only if `extglob` is set by then")
    }

    /// Reads up to the parenthesis that closes the one just read.
    fn group(&mut self, start: usize, parts: &mut Parts) -> Parsed<()> {
        let mut open = 1_usize;
        loop {
            let from = self.pos;
            let run =
                self.take_while(|byte| is_plain(byte) || matches!(byte, b' ' | b'\t' | b'\n'));
            if !run.is_empty() {
                parts.literal(self.span(from), false, run);
            }
            match self.peek() {
                None => return Err(self.syntax(start, "`(` is never closed")),
                Some(b'(') => open = open.saturating_add(1),
                Some(b')') => open = open.saturating_sub(1),
                Some(b'<' | b'>') if self.peek_second() == Some(b'(') => {
                    return Err(self.unsupported(start, "a process substitution in a pattern"));
                }
                _ => {}
            }
            if open == 0 {
                self.bump();
                return Ok(());
            }
            self.plain_special(parts)?;
        }
    }

    /// Reads a regular expression: a word in which parentheses group.
    pub(super) fn regex_parts(&mut self) -> Parsed<Vec<Part>> {
        let mut parts = Parts::default();
        loop {
            let start = self.pos;
            let run = self.take_while(is_plain);
            if !run.is_empty() {
                parts.literal(self.span(start), false, run);
            }
            match self.peek() {
                Some(b'(') => {
                    self.literal_char(false, &mut parts);
                    self.nested(start, |parser| {
                        parser.counting(|parser| parser.group(start, &mut parts))
                    })?;
                    self.refuse_other_close(start)?;
                    parts.literal(self.span(self.pos), false, ")");
                }
                Some(b'|') => self.literal_char(false, &mut parts),
                Some(b'<' | b'>') if self.peek_second() == Some(b'(') => {
                    return Err(self.unsupported(start, "a process substitution in a pattern"));
                }
                Some(byte) if !breaks_word(byte) => self.plain_special(&mut parts)?,
                _ => return Ok(parts.finish()),
            }
        }
    }
}
