//! The text that is parsed, and where in the line each of its bytes came from.
//!
//! Backquotes and here-documents are parsed from text with escapes or tabs removed; spans always
//! speak of the line itself.

use std::borrow::Cow;

use crate::span::Span;

/// Text to parse.
pub(super) struct Source<'t> {
    pub(super) text: Cow<'t, str>,
    runs: Vec<Run>,
}

/// A stretch of text that was taken from the line as it stands.
#[derive(Clone, Copy)]
struct Run {
    at: usize,
    origin: usize,
}

impl<'t> Source<'t> {
    /// The line itself.
    pub(super) fn line(text: &'t str) -> Source<'t> {
        Source { text: Cow::Borrowed(text), runs: vec![Run { at: 0, origin: 0 }] }
    }

    /// Where in the line the byte at `at` came from.
    pub(super) fn origin(&self, at: usize) -> usize {
        if let [run] = self.runs.as_slice() {
            return run.origin.saturating_add(at);
        }
        let after = self.runs.partition_point(|run| run.at <= at);
        match after.checked_sub(1).and_then(|index| self.runs.get(index)) {
            Some(run) => run.origin.saturating_add(at.saturating_sub(run.at)),
            None => at,
        }
    }

    /// The span in the line of a range of the text.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        let from = self.origin(start);
        if self.runs.len() == 1 {
            return Span { start: from, end: from.max(self.origin(end)) };
        }
        match end.checked_sub(1) {
            Some(last) if end > start => {
                Span { start: from, end: self.origin(last).saturating_add(1) }
            }
            _ => Span { start: from, end: from },
        }
    }
}

/// Builds text out of pieces of other text.
pub(super) struct SourceBuilder<'p> {
    parent: &'p Source<'p>,
    text: String,
    runs: Vec<Run>,
}

impl<'p> SourceBuilder<'p> {
    pub(super) fn new(parent: &'p Source<'p>) -> SourceBuilder<'p> {
        SourceBuilder { parent, text: String::new(), runs: Vec::new() }
    }

    /// Adds the piece of the parent's text from `start` to `end`.
    pub(super) fn copy(&mut self, start: usize, end: usize) {
        let Some(piece) = self.parent.text.get(start..end) else { return };
        if piece.is_empty() {
            return;
        }
        self.map(start, end);
        self.text.push_str(piece);
    }

    /// Records where the bytes that follow come from; the parent's own seams are kept.
    fn map(&mut self, start: usize, end: usize) {
        let at = self.text.len();
        let origin = self.parent.origin(start);
        let goes_on = |run: &Run| run.origin.saturating_add(at.saturating_sub(run.at)) == origin;
        if !self.runs.last().is_some_and(goes_on) {
            self.runs.push(Run { at, origin });
        }
        let first = self.parent.runs.partition_point(|run| run.at <= start);
        for run in self.parent.runs.iter().skip(first).take_while(|run| run.at < end) {
            let moved = at.saturating_add(run.at.saturating_sub(start));
            self.runs.push(Run { at: moved, origin: run.origin });
        }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// The text from `start` on.
    pub(super) fn tail(&self, start: usize) -> &str {
        self.text.get(start..).unwrap_or_default()
    }

    /// Drops everything from `len` on.
    pub(super) fn truncate(&mut self, len: usize) {
        if self.text.is_char_boundary(len) {
            self.text.truncate(len);
            self.runs.retain(|run| run.at < len);
        }
    }

    pub(super) fn finish(self) -> Source<'static> {
        Source { text: Cow::Owned(self.text), runs: self.runs }
    }
}
