//! Functions and coprocesses.

use std::sync::Arc;

use crate::ast::{Command, Compound, Coproc, Function, Part, PartKind, SimpleCommand, Word};

use super::token::{Keyword, Op};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// Reads `function NAME …`.
    pub(super) fn function_command(&mut self) -> Parsed<Command> {
        let start = self.pos;
        self.expect_keyword(Keyword::Function)?;
        self.skip_blanks()?;
        if self.peek_op() != Op::Word {
            return Err(self.unexpected());
        }
        let from = self.pos;
        self.word_parts()?;
        let name = self.function_name(from)?;
        self.skip_blanks()?;
        self.empty_parens()?;
        self.function_body(start, name)
    }

    /// Reads the rest of `NAME () …`.
    pub(super) fn function_after_name(
        &mut self,
        start: usize,
        head: SimpleCommand,
    ) -> Parsed<Command> {
        let name = match head.words.first().and_then(|word| word.as_bare()) {
            Some(name) if is_function_name(name) => name.to_owned(),
            _ => return Err(self.unsupported(start, "a function name that is not plain")),
        };
        if !self.empty_parens()? {
            self.bump();
            return Err(self.unexpected());
        }
        self.function_body(start, name)
    }

    fn function_name(&mut self, from: usize) -> Parsed<String> {
        let text = self.slice(from, self.pos);
        if !is_function_name(text) {
            return Err(self.unsupported(from, "a function name that is not plain"));
        }
        Ok(text.to_owned())
    }

    /// Steps over `()`, if that is what stands here.
    fn empty_parens(&mut self) -> Parsed<bool> {
        let start = self.pos;
        if self.eat(b'(') {
            self.skip_blanks()?;
            if self.eat(b')') {
                return Ok(true);
            }
        }
        self.pos = start;
        Ok(false)
    }

    fn function_body(&mut self, start: usize, name: String) -> Parsed<Command> {
        self.skip_newlines()?;
        if !self.at_compound() {
            return Err(self.unexpected());
        }
        self.reserved = true;
        let body = Arc::new(self.compound()?);
        let span = self.source.span(start, start).to(body.span);
        Ok(Command::Function(Box::new(Function { span, name, body })))
    }

    /// Reads `coproc …`.
    pub(super) fn coproc_command(&mut self) -> Parsed<Command> {
        let start = self.pos;
        self.expect_keyword(Keyword::Coproc)?;
        // Bash runs `$( )` from text that it writes out again, and gets this one wrong.
        if self.heredocs.is_inside() {
            return Err(self.unsupported(start, "a coprocess in a substitution"));
        }
        self.skip_blanks()?;
        let (name, command) = if self.at_compound() {
            self.refuse_array_at_once(start)?;
            (None, compound(self.compound()?))
        } else {
            self.coproc_word(start)?
        };
        let span = self.source.span(start, start).to(command.span());
        Ok(Command::Coproc(Box::new(Coproc { span, name, command })))
    }

    /// Bash takes reserved words for what they are in an array that stands second in a coprocess:
    /// it refuses `coproc { A=(if); }`.
    fn refuse_array_at_once(&mut self, start: usize) -> Parsed<()> {
        let text = self.source.text.get(self.pos..).unwrap_or_default();
        let blank = |c: char| c.is_ascii_whitespace() || c == '\\';
        let behind = match text.strip_prefix('(') {
            Some(rest) => rest,
            None => text.split_once(blank).map_or("", |(_, rest)| rest),
        };
        let is_name = |c: char| !blank(c) && c != '(';
        let array = behind.trim_start_matches(blank).trim_start_matches(is_name);
        let before = behind.strip_suffix(array).unwrap_or_default();
        match array.starts_with('(') && before.ends_with('=') {
            true => Err(self.unsupported(start, "an array at the beginning of a coprocess")),
            false => Ok(()),
        }
    }

    /// Reads a coprocess that begins with a word: its name, or its program.
    fn coproc_word(&mut self, start: usize) -> Parsed<(Option<String>, Command)> {
        if self.peek_keyword().is_some_and(|keyword| keyword != Keyword::Time) {
            return Err(self.unexpected());
        }
        let from = self.pos;
        if let Some(name) = self.name() {
            if self.byte(self.pos).is_some_and(|byte| b"{[!".contains(&byte)) {
                return Err(self.unsupported(start, "text right after the name of a coprocess"));
            }
            self.skip_blanks()?;
            if self.at_compound() {
                self.reserved = true;
                return Ok((Some(name), compound(self.compound()?)));
            }
            // Reserved words are still reserved after the first word of a coprocess.
            if self.peek_keyword().is_some_and(|keyword| keyword != Keyword::Time) {
                return Err(self.unexpected());
            }
        }
        self.pos = from;
        if !matches!(self.peek_op(), Op::Word | Op::Redirect) {
            return Err(self.unexpected());
        }
        match self.simple_command().map_err(|error| error.deferred())? {
            simple @ Command::Simple(_) => {
                self.refuse_unplain_second(start, &simple)?;
                Ok((None, simple))
            }
            _ => Err(self.unsupported(start, "a function defined in a coprocess")),
        }
    }

    /// Bash reads the second word of a coprocess as if a command began there.
    fn refuse_unplain_second(&mut self, start: usize, command: &Command) -> Parsed<()> {
        let Command::Simple(simple) = command else { return Ok(()) };
        let assigns = |part: &Part| match &part.kind {
            PartKind::Literal(text) | PartKind::Glob(text) => {
                !part.quoted && text.contains(['[', '='])
            }
            _ => false,
        };
        // Braces may have made nothing of the first.
        let unplain = |word: &Word| {
            word.parts.iter().any(assigns)
                || word.as_bare().is_some_and(|text| RESERVED.contains(&text))
        };
        if simple.words.iter().take(2).any(unplain) {
            return Err(self.unsupported(start, "such a word after the first of a coprocess"));
        }
        Ok(())
    }
}

/// Words that are no programs where a command begins.
pub(super) const RESERVED: [&str; 21] = [
    "if", "then", "elif", "else", "fi", "while", "until", "for", "select", "do", "done", "case",
    "in", "esac", "function", "coproc", "!", "{", "}", "[[", "]]",
];

fn compound(compound: Compound) -> Command {
    Command::Compound(Box::new(compound))
}

/// Whether a function may be called this. Bash takes more.
fn is_function_name(name: &str) -> bool {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || b"_-.:/,%^".contains(&byte) || byte >= 0x80;
    !name.is_empty() && name.bytes().all(plain)
}
