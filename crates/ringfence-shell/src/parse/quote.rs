//! Quotes and backslashes.

use super::parts::{Parts, Quoting};
use super::{Parsed, Parser};

impl<'s> Parser<'s> {
    /// Reads a backslash outside quotes and the character after it.
    pub(super) fn escape(&mut self, parts: &mut Parts) -> Parsed<()> {
        let start = self.pos;
        self.pos = self.pos.saturating_add(1);
        let text = self.take_char();
        if text.is_empty() {
            return Err(self.unsupported(start, "a backslash at the very end"));
        }
        parts.literal(self.span(start), true, text);
        Ok(())
    }

    /// Reads `'…'`.
    pub(super) fn single_quoted(&mut self, parts: &mut Parts) -> Parsed<()> {
        let start = self.pos;
        let text = self.single_quotes(start)?;
        parts.literal(self.span(start), true, text);
        Ok(())
    }

    /// Reads `'…'` where bash may or may not honour the quotes; they must not matter.
    pub(super) fn inert_single_quoted(&mut self, parts: &mut Parts) -> Parsed<()> {
        let start = self.pos;
        let text = self.single_quotes(start)?;
        if text.bytes().any(|byte| matches!(byte, b'$' | b'`' | b'\\' | b'"' | b'{' | b'}')) {
            return Err(self.unsupported(start, "single quotes where they may not quote"));
        }
        parts.literal(self.span(start), true, text);
        Ok(())
    }

    fn single_quotes(&mut self, start: usize) -> Parsed<&'s str> {
        self.pos = start.saturating_add(1);
        let text = self.take_while(|byte| byte != b'\'');
        if self.byte(self.pos).is_none() {
            return Err(self.syntax(start, "`'` is never closed"));
        }
        self.pos = self.pos.saturating_add(1);
        Ok(text)
    }

    /// Reads `"…"`.
    pub(super) fn double_quoted(&mut self, parts: &mut Parts) -> Parsed<()> {
        let start = self.pos;
        self.bump();
        // Quotes make a word even where nothing stands between them.
        parts.literal(self.span(start), true, "");
        loop {
            let from = self.pos;
            let run = self.take_while(|byte| !matches!(byte, b'"' | b'\\' | b'$' | b'`'));
            if !run.is_empty() {
                parts.literal(self.span(from), true, run);
            }
            match self.peek() {
                None => return Err(self.syntax(start, "`\"` is never closed")),
                Some(b'"') => {
                    self.bump();
                    return Ok(());
                }
                Some(b'\\') => self.quoted_escape(b"$`\"\\", parts),
                Some(b'$') => self.dollar(Quoting::Double, parts)?,
                Some(b'`') => self.backquote(Quoting::Double, parts)?,
                Some(_) => {}
            }
        }
    }

    /// Reads a backslash that quotes only some characters; before others it stands for itself.
    pub(super) fn quoted_escape(&mut self, quotable: &[u8], parts: &mut Parts) {
        let start = self.pos;
        self.pos = self.pos.saturating_add(1);
        if self.byte(self.pos).is_some_and(|byte| quotable.contains(&byte)) {
            let text = self.take_char();
            parts.literal(self.span(start), true, text);
        } else {
            parts.literal(self.span(start), true, "\\");
        }
    }

    /// Reads a backslash in quoted `${ … }`: whatever follows it does not end or begin anything.
    pub(super) fn brace_escape(&mut self, parts: &mut Parts) {
        let start = self.pos;
        self.quoted_escape(b"$`\"\\}", parts);
        if self.pos == start.saturating_add(1) && self.byte(self.pos).is_some() {
            self.literal_char(true, parts);
        }
    }

    /// Reads the body of a here-document whose delimiter is not quoted, to the end of the text.
    pub(super) fn here_parts(&mut self) -> Parsed<Parts> {
        let mut parts = Parts::default();
        loop {
            let start = self.pos;
            let run = self.take_while(|byte| !matches!(byte, b'\\' | b'$' | b'`'));
            if !run.is_empty() {
                parts.literal(self.span(start), true, run);
            }
            match self.peek() {
                None => return Ok(parts),
                Some(b'\\') => self.quoted_escape(b"$`\\", &mut parts),
                Some(b'$') => self.dollar(Quoting::Here, &mut parts)?,
                Some(b'`') => self.backquote(Quoting::Here, &mut parts)?,
                Some(_) => {}
            }
        }
    }
}
