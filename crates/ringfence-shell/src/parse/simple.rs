//! Simple commands.

use crate::ast::{Command, SimpleCommand};

use super::finish::Use;
use super::function::RESERVED;
use super::token::Op;
use super::{Parsed, Parser};

/// How the arguments of a command are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arguments {
    /// As words.
    Plain,
    /// `declare` and kin: what looks like an assignment is one.
    Declared,
    /// `eval` and `let`: `NAME=( … )` may stand there, but not with certainty.
    Evaluated,
}

impl Arguments {
    fn of(program: Option<&str>) -> Arguments {
        match program {
            Some("declare" | "typeset" | "local" | "export" | "readonly" | "alias") => {
                Arguments::Declared
            }
            Some("eval" | "let") => Arguments::Evaluated,
            _ => Arguments::Plain,
        }
    }
}

/// A simple command that is being read.
#[derive(Default)]
struct Reading {
    command: SimpleCommand,
    /// How many words were read; braces may have made more or fewer of them.
    words: usize,
    /// How further arguments are read; `None` before the first word.
    arguments: Option<Arguments>,
    /// Whether `NAME=( … )` may be an argument. Bash takes it only before a redirection.
    arrays: bool,
    /// Whether a redirection came after an assignment. Bash goes on to see `NAME=` after both, but
    /// neither `NAME[…]=` nor `NAME=( … )`.
    redirected: bool,
}

impl Reading {
    fn is_function_head(&self) -> bool {
        let command = &self.command;
        self.words == 1 && command.assignments.is_empty() && command.redirects.is_empty()
    }
}

impl Parser<'_> {
    /// Reads a simple command, or the definition of a function that begins like one.
    pub(super) fn simple_command(&mut self) -> Parsed<Command> {
        let start = self.pos;
        let mut reading = Reading::default();
        let mut end = self.pos;
        loop {
            self.skip_blanks()?;
            match self.peek_op() {
                Op::Word | Op::Redirect => {
                    self.element(&mut reading)?;
                    end = self.pos;
                }
                Op::OpenParen if reading.is_function_head() => {
                    return self.function_after_name(start, reading.command);
                }
                Op::OpenParen if reading.arrays => {
                    return Err(self.unsupported(start, "a parenthesis among the arguments"));
                }
                Op::OpenParen => return Err(self.unexpected()),
                _ => break,
            }
        }
        self.reserved = false;
        reading.command.span = self.source.span(start, end);
        Ok(Command::Simple(reading.command))
    }

    /// Reads a redirection, an assignment or a word.
    fn element(&mut self, reading: &mut Reading) -> Parsed<()> {
        if let Some(redirect) = self.redirect()? {
            reading.command.redirects.push(redirect);
            reading.arrays = false;
            reading.redirected = !reading.command.assignments.is_empty();
            return Ok(());
        }
        if let Some(arguments) = reading.arguments {
            return self.further_argument(reading, arguments);
        }
        let start = self.pos;
        let assigned = match self.assignment(&mut reading.command) {
            Err(error) if reading.redirected => return Err(error.deferred()),
            assigned => assigned?,
        };
        if reading.redirected && self.slice(start, self.pos).contains(['[', '(']) {
            return Err(self.unsupported(start, "an array after a redirection"));
        }
        if !assigned {
            self.argument(reading, Use::Argument)?;
            // What braces make of a word is not looked at.
            let braces = self.slice(start, self.pos).contains('{');
            let program = if braces { None } else { first_bare(&reading.command) };
            if self.is_printed_again(reading, program) {
                return Err(
                    self.unsupported(start, "such a word after a redirection in a substitution")
                );
            }
            let arguments = Arguments::of(program);
            reading.arguments = Some(arguments);
            reading.arrays = arguments != Arguments::Plain;
        }
        Ok(())
    }

    /// Bash runs `$( )` from text that it writes out again, with redirections behind the words: then the
    /// first of them is reserved.
    fn is_printed_again(&self, reading: &Reading, program: Option<&str>) -> bool {
        let is_reserved = |word: &str| RESERVED.contains(&word) || word == "time";
        !reading.command.redirects.is_empty()
            && self.heredocs.is_inside()
            && program.is_some_and(is_reserved)
    }

    fn further_argument(&mut self, reading: &mut Reading, arguments: Arguments) -> Parsed<()> {
        if reading.arrays {
            let start = self.pos;
            if let Some(word) = self.array_argument()? {
                if arguments == Arguments::Evaluated {
                    return Err(self.unsupported(start, "an array given to `eval` or `let`"));
                }
                reading.words = reading.words.saturating_add(1);
                reading.command.words.push(word);
                return Ok(());
            }
        }
        let declared = arguments == Arguments::Declared;
        self.argument(reading, if declared { Use::Declared } else { Use::Argument })
    }

    fn argument(&mut self, reading: &mut Reading, usage: Use) -> Parsed<()> {
        let start = self.pos;
        let parts = self.word_parts()?;
        let span = self.span(start);
        reading.words = reading.words.saturating_add(1);
        self.finish_words(span, parts, usage, &mut reading.command.words)
    }
}

/// The program, if it is written plainly.
fn first_bare(command: &SimpleCommand) -> Option<&str> {
    command.words.first().and_then(|word| word.as_bare())
}
