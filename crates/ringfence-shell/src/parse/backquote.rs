//! Backquotes.
//!
//! Bash takes the text up to the next backquote that no backslash stands before, removes some of
//! the backslashes, and parses the rest when the command runs.

use crate::ast::{PartKind, Script, Substitution, SubstitutionForm};

use super::parts::{Parts, Quoting};
use super::source::{Source, SourceBuilder};
use super::{Extglob, Parsed, Parser};

impl<'s> Parser<'s> {
    /// Reads a command substitution in backquotes.
    pub(super) fn backquote(&mut self, quoting: Quoting, parts: &mut Parts) -> Parsed<()> {
        let start = self.pos;
        self.bump();
        let source = self.backquoted_source(start, quoting)?;
        if matches!(quoting, Quoting::Double | Quoting::DoubleBrace) {
            self.refuse_seen_braces(start)?;
        }
        let script = self.nested(start, |parser| parser.embedded_script(&source))?;
        let form = SubstitutionForm::Backquote;
        let kind = PartKind::Command(Box::new(Substitution { form, script }));
        parts.push(self.span(start), quoting, kind);
        Ok(())
    }

    /// Bash writes out braces before it looks for backquotes and `${`. It takes a quote in those
    /// for the end of the quotes around them, and what follows for braces of its own.
    pub(super) fn refuse_seen_braces(&mut self, start: usize) -> Parsed<()> {
        let text = self.slice(start, self.pos);
        let parameters = text.matches("${").count();
        let opened = text.matches('{').count() > parameters;
        let closed = text.matches('}').count() > parameters;
        // `\"` is none to it.
        let mut escaped = false;
        let has_quote = text.chars().any(|c| {
            let is_quote = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            is_quote
        });
        if has_quote && (opened || closed || text.contains(',')) {
            let what = "braces and quotes in a substitution in quotes";
            return Err(self.unsupported(start, what));
        }
        Ok(())
    }

    /// The text between backquotes, without the backslashes that bash removes.
    fn backquoted_source(&mut self, start: usize, quoting: Quoting) -> Parsed<Source<'static>> {
        let mut builder = SourceBuilder::new(self.source);
        loop {
            let from = self.pos;
            self.take_while(|byte| !matches!(byte, b'`' | b'\\'));
            builder.copy(from, self.pos);
            let escape = self.pos;
            self.pos = escape.saturating_add(1);
            match self.byte(escape) {
                None => {
                    self.pos = escape;
                    return Err(self.syntax(start, "a backquote is never closed"));
                }
                Some(b'`') => return Ok(builder.finish()),
                Some(_) => {}
            }
            match (self.byte(self.pos), quoting) {
                (Some(b'\n'), _) => self.pos = self.pos.saturating_add(1),
                (Some(b'$' | b'`' | b'\\'), _) | (Some(b'"'), Quoting::Double) => {
                    let from = self.pos;
                    self.take_char();
                    builder.copy(from, self.pos);
                }
                (Some(b'"'), Quoting::DoubleBrace | Quoting::HereBrace | Quoting::Arith) => {
                    return Err(self.unsupported(start, "an escaped quote in nested backquotes"));
                }
                _ => {
                    self.take_char();
                    builder.copy(escape, self.pos);
                }
            }
        }
    }

    /// Parses text that bash parses only when the command runs.
    fn embedded_script(&mut self, source: &Source<'_>) -> Parsed<Script> {
        let mut parser = Parser::new(source, self.shared);
        parser.embedded = true;
        // What ran before on the same line may have changed it.
        parser.shared.extglob = Extglob::Unknown;
        let script = parser.whole().map_err(|error| error.deferred());
        self.take_shared(&parser);
        script
    }

    /// Takes over what a parser of embedded text has used up.
    pub(super) fn take_shared(&mut self, inner: &Parser<'_>) {
        self.shared.retries = inner.shared.retries;
        self.shared.brace_bytes = inner.shared.brace_bytes;
        self.shared.brace_steps = inner.shared.brace_steps;
    }
}
