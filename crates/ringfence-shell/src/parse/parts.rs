//! Collecting the parts of a word.

use crate::ast::{Part, PartKind};
use crate::span::Span;

/// How the text that is read is quoted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    /// Not at all.
    Plain,
    /// In double quotes.
    Double,
    /// In the body of a here-document.
    Here,
    /// In `${ … }` that stands in double quotes or in arithmetic.
    DoubleBrace,
    /// In `${ … }` that stands in the body of a here-document.
    HereBrace,
    /// In arithmetic or a subscript.
    Arith,
}

impl Quoting {
    /// Whether the result of an expansion is neither split nor matched.
    pub(super) fn is_quoted(self) -> bool {
        self != Quoting::Plain
    }

    /// How the text inside `${ … }` is quoted.
    pub(super) fn in_braces(self) -> Quoting {
        match self {
            Quoting::Plain => Quoting::Plain,
            Quoting::Double | Quoting::DoubleBrace | Quoting::Arith => Quoting::DoubleBrace,
            Quoting::Here | Quoting::HereBrace => Quoting::HereBrace,
        }
    }
}

/// The parts of a word so far. Texts that follow each other become one.
#[derive(Default)]
pub(super) struct Parts(Vec<Part>);

impl Parts {
    pub(super) fn literal(&mut self, span: Span, quoted: bool, text: &str) {
        if let Some(last) = self.0.last_mut()
            && last.quoted == quoted
            && let PartKind::Literal(before) = &mut last.kind
        {
            before.push_str(text);
            last.span.end = span.end;
            return;
        }
        self.add(Part { span, quoted, kind: PartKind::Literal(text.to_owned()) });
    }

    pub(super) fn push(&mut self, span: Span, quoting: Quoting, kind: PartKind) {
        self.add(Part { span, quoted: quoting.is_quoted(), kind });
    }

    fn add(&mut self, part: Part) {
        // Most words have one part, and most of a tree is words.
        if self.0.is_empty() {
            self.0.reserve_exact(1);
        }
        self.0.push(part);
    }

    pub(super) fn finish(self) -> Vec<Part> {
        self.0
    }
}
