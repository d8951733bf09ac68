//! From the parts of a word as written to the word as the shell takes it: braces are written out,
//! tildes and patterns marked, as far as the place of the word asks for it.

use crate::ast::{Part, PartKind, Word};
use crate::error::ParseError;
use crate::expand::{self, Braces};
use crate::span::Span;

use super::{Parsed, Parser};

/// What a word is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// An argument, a file name or an element of a list.
    Argument,
    /// An argument of `declare` and kin.
    Declared,
    /// What is assigned, or the text of a here-string.
    Value,
    /// A text that is compared.
    Text,
    /// A pattern that a text is compared with.
    Pattern,
}

impl Parser<'_> {
    /// Adds the words that an argument becomes.
    pub(super) fn finish_words(
        &mut self,
        span: Span,
        parts: Vec<Part>,
        usage: Use,
        words: &mut Vec<Word>,
    ) -> Parsed<()> {
        if !has_active(&parts) {
            words.push(Word { span, parts });
            return Ok(());
        }
        let assigns = expand::is_assignment(&parts);
        let mut budget =
            expand::Budget { bytes: self.shared.brace_bytes, steps: self.shared.brace_steps };
        let expanded = expand::braces(&parts, &mut budget);
        self.shared.brace_bytes = budget.bytes;
        self.shared.brace_steps = budget.steps;
        match expanded {
            Braces::None => words.push(mark(span, parts, usage, assigns)),
            Braces::Quotes => {
                return Err(ParseError::unsupported(
                    span,
                    "a range that makes quotes of what follows",
                ));
            }
            Braces::Unclear => {
                let part = Part { span, quoted: false, kind: PartKind::Braces(parts) };
                words.push(Word { span, parts: vec![part] });
            }
            // What braces make of nothing is dropped, unlike a pair of quotes. What they make of an
            // assignment is none any more.
            Braces::Words(all) => {
                let some = all.into_iter().filter(|parts| !parts.is_empty());
                words.extend(some.map(|parts| mark(span, parts, usage, false)));
            }
        }
        Ok(())
    }

    /// Finishes a word that braces do not part.
    pub(super) fn finish_word(&mut self, span: Span, parts: Vec<Part>, usage: Use) -> Word {
        if has_active(&parts) { mark(span, parts, usage, false) } else { Word { span, parts } }
    }
}

/// Whether any text that is not quoted has a character that is expanded.
fn has_active(parts: &[Part]) -> bool {
    parts.iter().any(|part| match &part.kind {
        PartKind::Literal(text) if !part.quoted => {
            text.bytes().any(|byte| matches!(byte, b'{' | b'~' | b'*' | b'?' | b'['))
        }
        _ => false,
    })
}

fn mark(span: Span, parts: Vec<Part>, usage: Use, assigns: bool) -> Word {
    let tildes = match usage {
        Use::Value => expand::Tildes::Value,
        Use::Argument | Use::Declared if assigns => expand::Tildes::Assignment,
        _ => expand::Tildes::Start,
    };
    let parts = expand::tildes(parts, tildes);
    let matched = match usage {
        Use::Argument | Use::Pattern => true,
        Use::Declared => !assigns,
        Use::Value | Use::Text => false,
    };
    Word { span, parts: if matched { expand::globs(parts) } else { parts } }
}
