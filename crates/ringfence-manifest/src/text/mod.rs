//! Text as it stands in a file: where it comes from, its lines, and what is said about it.

mod diagnostic;
mod format;
mod lines;
mod render;
mod source;

pub(crate) use diagnostic::Fault;
pub use diagnostic::{Diagnostic, Errors, Severity};
pub use format::Format;
pub(crate) use lines::Lines;
pub use source::{MAX_BYTES, Source};

/// A stretch of a text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

impl Span {
    /// The stretch between two offsets.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end: end.max(start) }
    }
}

impl From<std::ops::Range<usize>> for Span {
    fn from(range: std::ops::Range<usize>) -> Span {
        Span::new(range.start, range.end)
    }
}
