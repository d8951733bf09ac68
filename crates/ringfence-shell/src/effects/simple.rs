//! Simple commands.

use super::assign::Set;
use super::walk::Stdin;
use super::{MAX_COMMANDS, Walker};
use crate::ast::SimpleCommand;
use crate::field::{Field, FieldText};

impl Walker<'_> {
    pub(super) fn simple(&mut self, command: &SimpleCommand, stdin: &Stdin) {
        self.commands = self.commands.saturating_add(1);
        if self.commands > MAX_COMMANDS {
            self.exhaust("the line runs too many commands");
        }
        if !self.spend(command.words.len()) {
            return;
        }
        let mut fields: Vec<Field> = Vec::with_capacity(command.words.len());
        for word in &command.words {
            match word.as_static() {
                Some(text) => fields.push(Field::known(text, word.span)),
                None => fields.extend(self.expand(word)),
            }
        }
        let sets = self.assigned(&command.assignments);
        let own = self.redirects(&command.redirects);
        let stdin = own.unwrap_or_else(|| stdin.clone());
        match fields.split_first() {
            None => self.set_in_shell(sets),
            Some((first, args)) => self.run(first, args, &sets, &stdin),
        }
    }

    fn run(&mut self, first: &Field, args: &[Field], sets: &[Set], stdin: &Stdin) {
        let name = match &first.text {
            FieldText::Known(name) if !name.is_empty() => name.clone(),
            FieldText::Known(_) => {
                return self.unanalysable("the program has no name", Some(first.span));
            }
            FieldText::Glob(_) | FieldText::Unknown(_) => {
                let reason = format!("which program `{}` is cannot be told", first.shown());
                return self.unanalysable(&reason, Some(first.span));
            }
        };
        if let Some(reason) = self.state.poisoned.clone() {
            self.unanalysable(&reason, Some(first.span));
        }
        if !name.contains('/') && self.call(&name, args, stdin) {
            return;
        }
        self.invoke(&name, first.span, args, sets, stdin, true, None);
    }

    /// Runs a program without a shell.
    pub(super) fn spawn(&mut self, argv: &[Field], sets: &[Set]) {
        let Some((first, args)) = argv.split_first() else {
            return self.unanalysable("it names no program", None);
        };
        match first.as_known().map(str::to_owned) {
            Some(name) if !name.is_empty() => {
                self.invoke(&name, first.span, args, sets, &Stdin::Unknown, false, None);
            }
            _ => {
                let reason = format!("which program `{}` is cannot be told", first.shown());
                self.unanalysable(&reason, Some(first.span));
            }
        }
    }
}
