//! Here-documents.
//!
//! Their bodies begin after the newline that ends the line they stand on. They are kept until the
//! list is done and are then put where they belong (see `settle`).

use crate::ast::{HereDoc, Word};

use super::source::SourceBuilder;
use super::{Parsed, Parser};

/// Bash gives up on more than this many that wait for their bodies.
const MAX_WAITING: usize = 16;

/// The here-documents of one list.
#[derive(Default)]
pub(super) struct HereDocs {
    waiting: Vec<Waiting>,
    pub(super) bodies: Vec<Word>,
    /// Whether some of the line around wait for their bodies.
    outer_waiting: bool,
    /// Whether the list stands inside `$( )` or `<( )`.
    inside: bool,
}

struct Waiting {
    delimiter: String,
    quoted: bool,
    tabs: Tabs,
}

/// What becomes of the tabs that a line begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tabs {
    Keep,
    Strip,
}

impl HereDocs {
    /// Whether the list stands inside `$( )` or `<( )`.
    pub(super) fn is_inside(&self) -> bool {
        self.inside
    }

    /// Whether the list has any so far.
    pub(super) fn are_there(&self) -> bool {
        !self.waiting.is_empty() || !self.bodies.is_empty()
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.outer_waiting || !self.waiting.is_empty()
    }
}

impl<'s> Parser<'s> {
    /// Runs one step whose here-documents are its own.
    pub(super) fn with_own_heredocs<T>(
        &mut self,
        step: impl FnOnce(&mut Parser<'s>) -> Parsed<T>,
    ) -> Parsed<T> {
        let outer_waiting = self.heredocs.is_waiting();
        let own = HereDocs { outer_waiting, inside: true, ..HereDocs::default() };
        let outer = std::mem::replace(&mut self.heredocs, own);
        let result = step(self);
        self.heredocs = outer;
        result
    }

    /// Notes a here-document whose body is still to come.
    pub(super) fn expect_body(
        &mut self,
        start: usize,
        delimiter: Word,
        tabs: Tabs,
    ) -> Parsed<HereDoc> {
        if self.counted > 0 {
            return Err(
                self.unsupported(start, "a here-document inside parentheses that bash counts")
            );
        }
        if self.heredocs.waiting.len() >= MAX_WAITING {
            return Err(self.unsupported(start, "more than 16 here-documents on a line"));
        }
        let Some(text) = delimiter.as_static().map(|text| text.into_owned()) else {
            return Err(
                self.unsupported(start, "a here-document whose delimiter is not plain text")
            );
        };
        let dollar_quoted = self.slice(start, self.pos).contains('$');
        if text.contains('\n') || dollar_quoted {
            return Err(
                self.unsupported(start, "a here-document whose delimiter is not plain text")
            );
        }
        let quoted = delimiter.parts.iter().any(|part| part.quoted);
        let slot = self.heredocs.bodies.len().saturating_add(self.heredocs.waiting.len());
        self.heredocs.waiting.push(Waiting { delimiter: text.clone(), quoted, tabs });
        Ok(HereDoc { delimiter: text, quoted, body: Word::default(), slot })
    }

    /// Steps over a newline and reads the bodies that begin after it.
    pub(super) fn take_newline(&mut self) -> Parsed<()> {
        let start = self.pos;
        self.bump();
        if self.heredocs.outer_waiting {
            return Err(
                self.unsupported(start, "a newline between a command and its here-document")
            );
        }
        for waiting in std::mem::take(&mut self.heredocs.waiting) {
            let body = self.heredoc_body(&waiting)?;
            self.heredocs.bodies.push(body);
        }
        Ok(())
    }

    /// Ends the list: bodies that no newline came before are empty.
    pub(super) fn end_heredocs(&mut self) -> Parsed<Vec<Word>> {
        if !self.heredocs.waiting.is_empty() && self.must_end_here() {
            return Err(self.unsupported(self.pos, "a here-document whose body does not follow"));
        }
        let here = self.span(self.pos);
        let missing = std::mem::take(&mut self.heredocs.waiting).len();
        let mut bodies = std::mem::take(&mut self.heredocs.bodies);
        bodies.extend((0..missing).map(|_| Word { span: here, parts: Vec::new() }));
        Ok(bodies)
    }

    /// Whether bash ends a here-document that is cut short in a way of its own.
    fn must_end_here(&self) -> bool {
        self.heredocs.inside || self.embedded
    }

    fn heredoc_body(&mut self, waiting: &Waiting) -> Parsed<Word> {
        let start = self.pos;
        let mut builder = SourceBuilder::new(self.source);
        let mut end = self.pos;
        let mut closed = false;
        while !closed && self.byte(self.pos).is_some() {
            let line = builder.len();
            let ended = self.heredoc_line(waiting, &mut builder);
            let text = builder.tail(line);
            closed = text == waiting.delimiter;
            // Inside `$( )` bash also takes a line that only begins with the delimiter if the end of
            // the substitution may follow.
            let rest = text.strip_prefix(waiting.delimiter.as_str());
            if !closed && self.heredocs.inside && rest.is_some_and(|rest| rest.contains(')')) {
                return Err(
                    self.unsupported(start, "a line that begins like the end of its here-document")
                );
            }
            if closed {
                builder.truncate(line);
            } else if ended {
                builder.copy(self.pos.saturating_sub(1), self.pos);
                end = self.pos;
            } else {
                end = self.pos;
            }
        }
        if !closed && self.must_end_here() {
            return Err(self.unsupported(start, "a here-document that the end of the text ends"));
        }
        let span = self.source.span(start, end);
        self.heredoc_word(span, waiting.quoted, builder)
    }

    /// Reads a line of a body, without its newline, and whether it had one.
    fn heredoc_line(&mut self, waiting: &Waiting, builder: &mut SourceBuilder<'_>) -> bool {
        if waiting.tabs == Tabs::Strip {
            if waiting.quoted {
                self.take_while(|byte| byte == b'\t');
            } else {
                while self.peek() == Some(b'\t') {
                    self.bump();
                }
            }
        }
        loop {
            let start = self.pos;
            self.take_while(|byte| byte != b'\n' && (waiting.quoted || byte != b'\\'));
            builder.copy(start, self.pos);
            let stop = self.pos;
            match (self.byte(stop), self.byte(stop.saturating_add(1))) {
                (None, _) => return false,
                (Some(b'\n'), _) => {
                    self.pos = stop.saturating_add(1);
                    return true;
                }
                // A backslash joins lines only where the delimiter is not quoted.
                (Some(_), Some(b'\n')) => self.pos = stop.saturating_add(2),
                (Some(_), _) => {
                    self.pos = stop.saturating_add(1);
                    self.take_char();
                    builder.copy(stop, self.pos);
                }
            }
        }
    }

    fn heredoc_word(
        &mut self,
        span: crate::span::Span,
        quoted: bool,
        builder: SourceBuilder<'_>,
    ) -> Parsed<Word> {
        let source = builder.finish();
        if quoted {
            let mut parts = super::parts::Parts::default();
            parts.literal(span, true, &source.text);
            return Ok(Word { span, parts: parts.finish() });
        }
        let mut parser = Parser::new(&source, self.shared);
        parser.embedded = true;
        parser.shared.extglob = super::Extglob::Unknown;
        let parts = parser.here_parts().map_err(|error| error.deferred());
        self.take_shared(&parser);
        Ok(Word { span, parts: parts?.finish() })
    }
}
