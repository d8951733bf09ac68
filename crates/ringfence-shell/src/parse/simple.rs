//! Simple commands.

use crate::ast::{Command, SimpleCommand};

use super::finish::Use;
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

impl Parser<'_> {
    /// Reads a simple command, or the definition of a function that begins like one.
    pub(super) fn simple_command(&mut self) -> Parsed<Command> {
        let start = self.pos;
        let mut command = SimpleCommand::default();
        let mut arguments = Arguments::Plain;
        // Bash takes `NAME=( … )` in an argument only before the first redirection.
        let mut arrays = false;
        // It goes on to see `NAME=` after both, but `NAME[…]=` and `NAME=( … )` no more.
        let mut redirected = false;
        let mut end = self.pos;
        loop {
            self.skip_blanks()?;
            match self.peek_op() {
                Op::Word | Op::Redirect => {
                    if let Some(redirect) = self.redirect()? {
                        command.redirects.push(redirect);
                        arrays = false;
                        redirected = !command.assignments.is_empty();
                    } else if command.words.is_empty() {
                        let before = self.pos;
                        let assigned = self.assignment(&mut command)?;
                        if redirected && self.slice(before, self.pos).contains(['[', '(']) {
                            return Err(self.unsupported(before, "an array after a redirection"));
                        }
                        if !assigned {
                            self.argument(&mut command, Use::Argument)?;
                            arguments = Arguments::of(first_bare(&command));
                            arrays = arguments != Arguments::Plain;
                        }
                    } else {
                        self.further_argument(&mut command, arguments, arrays)?;
                    }
                    end = self.pos;
                }
                Op::OpenParen if is_function_head(&command) => {
                    return self.function_after_name(start, command);
                }
                Op::OpenParen if arrays => {
                    return Err(self.unsupported(start, "a parenthesis among the arguments"));
                }
                Op::OpenParen => return Err(self.unexpected()),
                _ => break,
            }
        }
        self.reserved = false;
        command.span = self.source.span(start, end);
        Ok(Command::Simple(command))
    }

    fn further_argument(
        &mut self,
        command: &mut SimpleCommand,
        arguments: Arguments,
        arrays: bool,
    ) -> Parsed<()> {
        if arrays {
            let start = self.pos;
            if let Some(word) = self.array_argument()? {
                if arguments == Arguments::Evaluated {
                    return Err(self.unsupported(start, "an array given to `eval` or `let`"));
                }
                command.words.push(word);
                return Ok(());
            }
        }
        let usage = if arguments == Arguments::Declared { Use::Declared } else { Use::Argument };
        self.argument(command, usage)
    }

    fn argument(&mut self, command: &mut SimpleCommand, usage: Use) -> Parsed<()> {
        let start = self.pos;
        let parts = self.word_parts()?;
        let span = self.span(start);
        self.finish_words(span, parts, usage, &mut command.words);
        Ok(())
    }
}

/// The program, if it is written plainly.
fn first_bare(command: &SimpleCommand) -> Option<&str> {
    command.words.first().and_then(|word| word.as_bare())
}

fn is_function_head(command: &SimpleCommand) -> bool {
    command.words.len() == 1 && command.assignments.is_empty() && command.redirects.is_empty()
}
