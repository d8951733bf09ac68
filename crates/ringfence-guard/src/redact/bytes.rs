//! A text by its bytes.
//!
//! Everything that is looked for is ASCII, and stretches begin and end beside it, so no stretch
//! ever splits a character.

use std::ops::Range;

/// A stretch of a text, in bytes.
pub(super) type Span = Range<usize>;

/// A text by its bytes.
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

    /// The byte at an offset; `None` beyond the end.
    pub(super) fn at(self, offset: usize) -> Option<u8> {
        self.text.as_bytes().get(offset).copied()
    }

    /// The byte before an offset; `None` at the start.
    pub(super) fn before(self, offset: usize) -> Option<u8> {
        self.at(offset.checked_sub(1)?)
    }

    /// Whether exactly this stands at an offset.
    pub(super) fn has(self, offset: usize, word: &str) -> bool {
        let rest = self.text.as_bytes().get(offset..);
        rest.is_some_and(|rest| rest.starts_with(word.as_bytes()))
    }

    /// The text of a stretch; empty where it is none.
    pub(super) fn slice(self, span: Span) -> &'t str {
        self.text.get(span).unwrap_or_default()
    }

    /// The offset of the first byte from `from` on that is not of a sort.
    pub(super) fn skip(self, from: usize, is_sort: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        let skipped = rest.iter().position(|byte| !is_sort(*byte));
        from.saturating_add(skipped.unwrap_or(rest.len())).min(self.len())
    }

    /// The offset at which a word stands within so many bytes, from `from` on.
    pub(super) fn find_near(self, from: usize, word: &str, within: usize) -> Option<usize> {
        (from..from.saturating_add(within)).find(|at| self.has(*at, word))
    }

    /// The offset at which a word next stands, from `from` on.
    pub(super) fn find(self, from: usize, word: &str) -> Option<usize> {
        let found = self.text.get(from..)?.find(word)?;
        Some(from.saturating_add(found))
    }
}

/// Whether a byte parts words within a line.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Whether a byte opens or closes a quoted stretch.
pub(super) fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'')
}
