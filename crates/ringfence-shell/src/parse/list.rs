//! Lists, pipelines and the choice between kinds of commands.

use crate::ast::{
    AndOr, AndOrOperator, AssignmentValue, Command, Item, ItemEnd, Pipe, Pipeline, Script, Stage,
    Timing,
};
use crate::span::Span;

use super::token::{Keyword, Op};
use super::{Extglob, Parsed, Parser};

/// Which list is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// The whole text, which bash reads and runs line by line.
    Whole,
    /// A part of a command.
    Part,
}

impl Parser<'_> {
    /// Reads a list up to whatever ends it; it may be empty.
    pub(super) fn list(&mut self, extent: Extent) -> Parsed<Script> {
        let mut items: Vec<Item> = Vec::with_capacity(1);
        self.reserved = true;
        self.skip_newlines()?;
        let start = self.source.span(self.pos, self.pos);
        while !self.at_list_end() {
            let list = self.and_or()?;
            let (end, more) = self.item_end(extent)?;
            let behind = self.pos;
            if more {
                self.reserved = true;
                self.skip_newlines()?;
            }
            let newline = || self.slice(behind, self.pos).contains('\n');
            let last_in_line = more && extent == Extent::Whole && newline();
            items.push(Item { list, end, last_in_line });
            if !more {
                break;
            }
        }
        let span = match (items.first(), items.last()) {
            (Some(first), Some(last)) => first.list.span.to(last.list.span),
            _ => start,
        };
        Ok(Script { span, items })
    }

    /// Reads a list of at least one command.
    pub(super) fn body(&mut self) -> Parsed<Script> {
        let script = self.list(Extent::Part)?;
        if script.items.is_empty() { Err(self.unexpected()) } else { Ok(script) }
    }

    fn at_list_end(&mut self) -> bool {
        match self.peek_op() {
            Op::End | Op::CloseParen | Op::SemiSemi | Op::SemiAmp | Op::SemiSemiAmp => true,
            Op::Word => self.reserved && self.peek_keyword().is_some_and(Keyword::ends_list),
            _ => false,
        }
    }

    /// How the element that was just read ends, and whether another may follow.
    fn item_end(&mut self, extent: Extent) -> Parsed<(ItemEnd, bool)> {
        self.skip_blanks()?;
        let op = self.peek_op();
        match op {
            Op::Semi => {
                let start = self.pos;
                self.take_op(op);
                // Bash runs `$( )` from text that it writes out again, and leaves this one out.
                if self.heredocs.is_inside() && self.heredocs.are_there() {
                    let what = "a semicolon behind a here-document in a substitution";
                    return Err(self.unsupported(start, what));
                }
                Ok((ItemEnd::Wait, true))
            }
            Op::Amp => {
                self.take_op(op);
                Ok((ItemEnd::Background, true))
            }
            Op::Newline => {
                // The commands so far have run before bash reads on; they may have changed it.
                if extent == Extent::Whole {
                    self.shared.extglob = Extglob::Unknown;
                }
                Ok((ItemEnd::Wait, true))
            }
            _ => Ok((ItemEnd::Wait, false)),
        }
    }

    fn and_or(&mut self) -> Parsed<AndOr> {
        let first = self.pipeline()?;
        let mut span = first.span;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks()?;
            let op = self.peek_op();
            let operator = match op {
                Op::AndAnd => AndOrOperator::And,
                Op::OrOr => AndOrOperator::Or,
                _ => return Ok(AndOr { span, first, rest }),
            };
            self.take_op(op);
            self.skip_newlines()?;
            let pipeline = self.pipeline()?;
            span = span.to(pipeline.span);
            rest.push((operator, pipeline));
        }
    }

    fn pipeline(&mut self) -> Parsed<Pipeline> {
        self.reserved = true;
        self.skip_blanks()?;
        let start = self.pos;
        let timed = std::mem::take(&mut self.timed);
        let (negated, timing) = self.pipeline_prefix()?;
        let bare = self.pos != start;
        let mut span = self.span(start);
        let mut stages = Vec::with_capacity(1);
        // `!` and `time` may stand alone, but only before the end of a line or a `;`.
        let op = self.peek_op();
        let ends =
            matches!(op, Op::End | Op::Newline | Op::Semi) || (timed && op == Op::CloseParen);
        if bare && ends {
            return Ok(Pipeline { span, negated, timing, stages });
        }
        loop {
            let first = timed && stages.is_empty();
            let command = if first {
                self.command().map_err(|error| error.deferred())?
            } else {
                self.command()?
            };
            if first && !reads_as_arguments(&command) {
                return Err(
                    self.unsupported(start, "`time` right after `$(` before what is not plain")
                );
            }
            span = whole(span, command.span(), bare || !stages.is_empty());
            self.skip_blanks()?;
            let op = self.peek_op();
            let pipe = match op {
                Op::Pipe => Some(Pipe::Output),
                Op::PipeAmp => Some(Pipe::OutputAndErrors),
                _ => None,
            };
            stages.push(Stage { command, pipe });
            if pipe.is_none() {
                return Ok(Pipeline { span, negated, timing, stages });
            }
            self.take_op(op);
            self.skip_newlines()?;
        }
    }

    fn pipeline_prefix(&mut self) -> Parsed<(bool, Timing)> {
        let mut negated = false;
        let mut timing = Timing::Untimed;
        loop {
            match self.peek_keyword() {
                Some(Keyword::Bang) if self.is_extglob_bang()? => break,
                Some(Keyword::Bang) => {
                    self.take_keyword(Keyword::Bang);
                    negated = !negated;
                }
                Some(Keyword::Time) => {
                    self.take_keyword(Keyword::Time);
                    timing = self.time_options()?;
                }
                _ => break,
            }
            self.skip_blanks()?;
        }
        Ok((negated, timing))
    }

    pub(super) fn time_options(&mut self) -> Parsed<Timing> {
        self.skip_blanks()?;
        let timing = if self.eat_bare("-p") { Timing::Posix } else { Timing::Timed };
        self.skip_blanks()?;
        self.eat_bare("--");
        Ok(timing)
    }

    /// Whether the `!` here begins a pattern: `!(…)` is one or a negated subshell.
    fn is_extglob_bang(&mut self) -> Parsed<bool> {
        if self.peek_second() != Some(b'(') {
            return Ok(false);
        }
        match self.shared.extglob {
            Extglob::Off => Ok(false),
            Extglob::On => Ok(true),
            Extglob::Here | Extglob::Unknown => Err(self.unknown_extglob()),
        }
    }

    /// Reads a command.
    pub(super) fn command(&mut self) -> Parsed<Command> {
        self.reserved = true;
        self.skip_blanks()?;
        match self.peek_op() {
            Op::Redirect => return self.simple_command(),
            Op::OpenParen => return self.compound_command(),
            Op::Word => {}
            _ => return Err(self.unexpected()),
        }
        match self.peek_keyword() {
            // `time` is reserved only where a pipeline begins, and there it was read already.
            None | Some(Keyword::Time) => self.simple_command(),
            Some(Keyword::Bang) if self.is_extglob_bang()? => self.simple_command(),
            Some(Keyword::Function) => self.function_command(),
            Some(Keyword::Coproc) => self.coproc_command(),
            Some(Keyword::Bang) => Err(self.unexpected()),
            Some(keyword) if keyword.ends_list() => Err(self.unexpected()),
            Some(_) => self.compound_command(),
        }
    }
}

/// Whether a command reads the same as the arguments of another.
///
/// Right after `$(` bash first takes `time` for a program, and for the reserved word only when it
/// parses the text again to run it.
fn reads_as_arguments(command: &Command) -> bool {
    match command {
        Command::Simple(simple) => simple.assignments.iter().all(|assignment| {
            assignment.subscript.is_none() && matches!(assignment.value, AssignmentValue::Scalar(_))
        }),
        Command::Compound(_) | Command::Function(_) | Command::Coproc(_) => false,
    }
}

fn whole(span: Span, command: Span, started: bool) -> Span {
    if started { span.to(command) } else { command }
}
