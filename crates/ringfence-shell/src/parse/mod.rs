//! The parser: from a line to its tree.
//!
//! It accepts less than bash 5.2 and never differently. What bash refuses is a syntax error; what
//! bash accepts in a way that is not read here with certainty is unsupported. It never recurses
//! deeper than [`MAX_DEPTH`] allows, and it reads no part of a line more often than a fixed number
//! of times.

mod ansi;
mod arith;
mod assign;
mod backquote;
mod case;
mod compound;
mod cond;
mod cursor;
mod dollar;
mod finish;
mod function;
mod heredoc;
mod list;
mod param;
mod parts;
mod quote;
mod redirect;
mod settle;
mod simple;
mod source;
mod token;
mod word;

use crate::ast::Script;
use crate::error::ParseError;
use crate::span::Span;

use heredoc::HereDocs;
use source::Source;

/// The longest line that is parsed, in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// The deepest nesting that is parsed.
pub const MAX_DEPTH: usize = 64;

const TOO_DEEP: &str = "nesting deeper than 64 levels";

/// How often a line may be read a second time where its beginning does not tell what it is.
const MAX_RETRIES: usize = 64;

/// How many bytes of words brace expansions may write out in one line.
const MAX_BRACE_BYTES: usize = 1 << 18;

/// How many steps the search for braces may take in one line.
const MAX_BRACE_STEPS: usize = 1 << 22;

type Parsed<T> = Result<T, ParseError>;

/// How the shell that will run the line was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Whether extended patterns are on from the start, as with `bash -O extglob`.
    pub extglob: bool,
}

/// Parses a line as bash 5.2 reads it, started without options.
///
/// ```
/// let script = ringfence_shell::parse("git log | head -3").unwrap();
/// assert_eq!(ringfence_shell::commands(&script).len(), 2);
/// ```
pub fn parse(line: &str) -> Result<Script, ParseError> {
    parse_with(line, Options::default())
}

/// Parses a line as bash 5.2 reads it, started with the given options.
pub fn parse_with(line: &str, options: Options) -> Result<Script, ParseError> {
    if line.len() > MAX_BYTES {
        let span = Span { start: MAX_BYTES, end: line.len() };
        return Err(ParseError::limit(span, "a line of more than 1 MiB"));
    }
    refuse_control_bytes(line)?;
    let source = Source::line(line);
    let extglob = if options.extglob { Extglob::On } else { Extglob::Off };
    let shared = Shared {
        depth: 0,
        retries: MAX_RETRIES,
        brace_bytes: MAX_BRACE_BYTES,
        brace_steps: MAX_BRACE_STEPS,
        extglob,
    };
    Parser::new(&source, shared).whole()
}

/// Bash drops NUL from its input and uses two other bytes as marks of its own.
fn refuse_control_bytes(line: &str) -> Parsed<()> {
    match line.bytes().position(|byte| matches!(byte, 0 | 1 | 0x7f)) {
        None => Ok(()),
        Some(start) => {
            let span = Span { start, end: start.saturating_add(1) };
            Err(ParseError::unsupported(
                span,
                "a control character that the shell treats as a mark",
            ))
        }
    }
}

/// A parser over one text. The text of backquotes and here-documents has a parser of its own.
pub(crate) struct Parser<'s> {
    source: &'s Source<'s>,
    pos: usize,
    shared: Shared,
    heredocs: HereDocs,
    /// Whether the text is read by the shell only when it gets there.
    embedded: bool,
    /// How many constructs are open whose end bash finds by counting parentheses in the text.
    counted: usize,
    /// How many `case` are open.
    cases: usize,
    /// Whether a reserved word may stand next.
    reserved: bool,
    /// Whether the next pipeline begins with `time` right after `$(`.
    timed: bool,
}

/// What all parsers of one line share.
#[derive(Clone, Copy)]
struct Shared {
    depth: usize,
    retries: usize,
    brace_bytes: usize,
    brace_steps: usize,
    extglob: Extglob,
}

/// Whether `@(…)` and kin are patterns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extglob {
    Off,
    On,
    /// They are in this one word, the right side of `==` in `[[ … ]]`.
    Here,
    /// An earlier line may have changed it.
    Unknown,
}

impl<'s> Parser<'s> {
    fn new(source: &'s Source<'s>, shared: Shared) -> Parser<'s> {
        Parser {
            source,
            pos: 0,
            shared,
            heredocs: HereDocs::default(),
            embedded: false,
            counted: 0,
            cases: 0,
            reserved: true,
            timed: false,
        }
    }

    /// Parses the whole text.
    fn whole(&mut self) -> Parsed<Script> {
        let mut script = self.list(list::Extent::Whole)?;
        if self.peek_op() != token::Op::End {
            return Err(self.unexpected());
        }
        self.settle(&mut script)?;
        Ok(script)
    }

    /// Runs one step a level deeper.
    fn nested<T>(
        &mut self,
        start: usize,
        step: impl FnOnce(&mut Parser<'s>) -> Parsed<T>,
    ) -> Parsed<T> {
        if self.shared.depth >= MAX_DEPTH {
            return Err(ParseError::limit(self.span(start), TOO_DEEP));
        }
        self.shared.depth = self.shared.depth.saturating_add(1);
        let result = step(self);
        self.shared.depth = self.shared.depth.saturating_sub(1);
        result
    }

    /// Runs one step inside a construct whose end bash finds by counting parentheses.
    fn counting<T>(&mut self, step: impl FnOnce(&mut Parser<'s>) -> Parsed<T>) -> Parsed<T> {
        self.counted = self.counted.saturating_add(1);
        let result = step(self);
        self.counted = self.counted.saturating_sub(1);
        result
    }

    /// Goes back to read the same text as something else.
    fn retry(&mut self, from: usize) -> Parsed<()> {
        let Some(left) = self.shared.retries.checked_sub(1) else {
            let what = "too many constructs that are told apart only at their end";
            return Err(ParseError::limit(self.span(from), what));
        };
        self.shared.retries = left;
        self.pos = from;
        Ok(())
    }

    fn span(&self, start: usize) -> Span {
        self.source.span(start, self.pos)
    }

    /// An error about the text from `start` to here.
    fn syntax(
        &self,
        start: usize,
        message: impl Into<std::borrow::Cow<'static, str>>,
    ) -> ParseError {
        ParseError::syntax(self.span(start), message)
    }

    /// A refusal of the text from `start` to here.
    fn unsupported(
        &self,
        start: usize,
        what: impl Into<std::borrow::Cow<'static, str>>,
    ) -> ParseError {
        ParseError::unsupported(self.span(start), what)
    }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
