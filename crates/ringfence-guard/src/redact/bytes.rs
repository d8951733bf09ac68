//! Byte-wise access to a text.
//!
//! All markers searched for are ASCII, and spans start and end next to one. A span therefore never
//! splits a UTF-8 character.

use std::ops::Range;

/// A byte range of a text.
pub(super) type Span = Range<usize>;

/// A text, accessed by byte offset.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'t> {
    text: &'t str,
}

impl<'t> Bytes<'t> {
    pub(super) fn new(text: &'t str) -> Bytes<'t> {
        Bytes { text }
    }

    pub(super) fn len(self) -> usize {
        self.text.len()
    }

    /// Returns the byte at an offset, or `None` past the end.
    pub(super) fn at(self, offset: usize) -> Option<u8> {
        self.text.as_bytes().get(offset).copied()
    }

    /// Returns the byte before an offset, or `None` at the start.
    pub(super) fn before(self, offset: usize) -> Option<u8> {
        self.at(offset.checked_sub(1)?)
    }

    /// Returns whether the text continues with `word` at an offset.
    pub(super) fn has(self, offset: usize, word: &str) -> bool {
        let rest = self.text.as_bytes().get(offset..);
        rest.is_some_and(|rest| rest.starts_with(word.as_bytes()))
    }

    /// Returns the text of a span, or an empty string if the span is invalid.
    pub(super) fn slice(self, span: Span) -> &'t str {
        self.text.get(span).unwrap_or_default()
    }

    /// Returns the offset of the first byte at or after `from` that does not satisfy `is_sort`.
    pub(super) fn skip(self, from: usize, is_sort: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        let skipped = rest.iter().position(|byte| !is_sort(*byte));
        from.saturating_add(skipped.unwrap_or(rest.len())).min(self.len())
    }

    /// Returns the offset of `word` if it occurs within `within` bytes after `from`.
    pub(super) fn find_near(self, from: usize, word: &str, within: usize) -> Option<usize> {
        (from..from.saturating_add(within)).find(|at| self.has(*at, word))
    }

    /// Returns the offset of the next `word` at or after `from`.
    pub(super) fn find(self, from: usize, word: &str) -> Option<usize> {
        let found = self.text.get(from..)?.find(word)?;
        Some(from.saturating_add(found))
    }
}

/// Returns whether a byte separates words within a line.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns whether a byte is a quotation mark.
pub(super) fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'')
}
