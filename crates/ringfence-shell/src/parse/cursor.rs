//! Reading the text byte by byte.
//!
//! A backslash before a newline joins two lines wherever bash honours it, which is everywhere but
//! in single quotes, comments and quoted here-documents; `peek` and its kin skip it, `byte` and
//! `rest` do not.

use super::{Parsed, Parser};

impl<'s> Parser<'s> {
    /// The byte at a place of the text.
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.source.text.as_bytes().get(at).copied()
    }

    /// A piece of the text.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'s str {
        self.source.text.get(start..end).unwrap_or_default()
    }

    /// The text from here on.
    pub(super) fn rest(&self) -> &'s str {
        self.source.text.get(self.pos..).unwrap_or_default()
    }

    /// The first place at or after `at` that is not a joined line's end.
    fn joined(&self, mut at: usize) -> usize {
        while self.byte(at) == Some(b'\\') && self.byte(at.saturating_add(1)) == Some(b'\n') {
            at = at.saturating_add(2);
        }
        at
    }

    /// The next byte.
    pub(super) fn peek(&mut self) -> Option<u8> {
        let byte = self.byte(self.pos);
        if byte != Some(b'\\') {
            return byte;
        }
        self.pos = self.joined(self.pos);
        self.byte(self.pos)
    }

    /// The byte after the next one.
    pub(super) fn peek_second(&mut self) -> Option<u8> {
        self.peek()?;
        self.byte(self.joined(self.pos.saturating_add(1)))
    }

    /// The byte after the next two.
    pub(super) fn peek_third(&mut self) -> Option<u8> {
        self.peek()?;
        let second = self.joined(self.pos.saturating_add(1));
        self.byte(second)?;
        self.byte(self.joined(second.saturating_add(1)))
    }

    /// The place after the byte at `at`, joined lines skipped.
    pub(super) fn after(&self, at: usize) -> usize {
        self.joined(at.saturating_add(1))
    }

    /// Steps over the next byte.
    pub(super) fn bump(&mut self) {
        if self.peek().is_some() {
            self.pos = self.pos.saturating_add(1);
        }
    }

    /// Steps over several bytes.
    pub(super) fn bump_by(&mut self, count: usize) {
        for _ in 0..count {
            self.bump();
        }
    }

    /// Steps over the next byte if it is this one.
    pub(super) fn eat(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.bump();
        }
        found
    }

    /// Steps over the next character, whatever it is, and returns its text.
    pub(super) fn take_char(&mut self) -> &'s str {
        let start = self.pos;
        let width = self.rest().chars().next().map_or(0, char::len_utf8);
        self.pos = self.pos.saturating_add(width);
        self.slice(start, self.pos)
    }

    /// Steps over bytes as long as they satisfy the condition and returns their text.
    ///
    /// INVARIANT: the condition holds for every byte of a character that is not ASCII, or for none.
    pub(super) fn take_while(&mut self, condition: impl Fn(u8) -> bool) -> &'s str {
        let start = self.pos;
        let bytes = self.rest().as_bytes();
        let length = bytes.iter().position(|byte| !condition(*byte)).unwrap_or(bytes.len());
        self.pos = start.saturating_add(length);
        self.slice(start, self.pos)
    }

    /// Skips blanks and a comment.
    pub(super) fn skip_blanks(&mut self) -> Parsed<()> {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.bump();
        }
        if self.peek() == Some(b'#') {
            self.skip_comment()?;
        }
        Ok(())
    }

    fn skip_comment(&mut self) -> Parsed<()> {
        let start = self.pos;
        self.take_while(|byte| byte != b'\n');
        if self.counted > 0 {
            return Err(self.unsupported(start, "a comment inside parentheses that bash counts"));
        }
        Ok(())
    }

    /// Skips blanks, comments and newlines; here-documents are read on the way.
    pub(super) fn skip_newlines(&mut self) -> Parsed<()> {
        self.skip_blanks()?;
        while self.peek() == Some(b'\n') {
            self.take_newline()?;
            self.skip_blanks()?;
        }
        Ok(())
    }

    /// Skips blanks, comments and newlines where no here-document may begin.
    pub(super) fn skip_inner_newlines(&mut self) -> Parsed<()> {
        let start = self.pos;
        self.skip_blanks()?;
        while self.peek() == Some(b'\n') {
            self.bump();
            if self.heredocs.is_waiting() {
                return Err(
                    self.unsupported(start, "a newline between a command and its here-document")
                );
            }
            self.skip_blanks()?;
        }
        Ok(())
    }
}
