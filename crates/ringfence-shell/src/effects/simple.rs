//! Simple commands.

use ringfence_core::text::{has_byte, inline_text};
use smallvec::SmallVec;

use super::assign::Set;
use super::dialect::Dialect;
use super::known::Known;
use super::state::Variable;
use super::walk::Stdin;
use super::{MAX_COMMANDS, Walker};
use crate::ast::{PartKind, Redirect, RedirectOp, RedirectTarget, SimpleCommand};
use crate::field::{Field, FieldText};
use crate::span::Span;

/// Builtins that use variables, or run what does.
const SEES_VARIABLES: [&str; 7] = ["eval", "source", ".", "cd", "pushd", "command", "builtin"];

/// What a word costs that a program is given: it is looked at many times.
const WORD: usize = 64;

/// The words of a command: most have few, which need no memory of their own.
type Words = SmallVec<[Field; 8]>;

/// What the variables were before a command for which some are set.
pub(super) enum Before {
    /// As they are: none is set.
    Same,
    /// Nothing was known of any; as they are for the command.
    Nothing(Known<Variable>),
    /// Those that are set.
    Each(Vec<(String, Option<Variable>)>),
}

impl Walker<'_> {
    pub(super) fn simple(&mut self, command: &SimpleCommand, stdin: &Stdin) {
        let mut fields = Words::new();
        if self.words(command, &mut fields) {
            self.command_of(&fields, command, stdin);
        }
    }

    /// A simple command that nobody comes back to.
    pub(super) fn simple_once(&mut self, command: &mut SimpleCommand) {
        let mut fields = Words::new();
        if self.words(command, &mut fields) {
            command.words = Vec::new();
            self.command_of(&fields, command, &Stdin::Inherited);
        }
    }

    /// The words of a command as the shell expands them; false where that would be too much.
    fn words(&mut self, command: &SimpleCommand, fields: &mut Words) -> bool {
        if !self.count(command.span) {
            return false;
        }
        fields.reserve(command.words.len());
        if let Some(first) = command.words.first()
            && first.parts.iter().any(|part| matches!(part.kind, PartKind::Command(_)))
        {
            self.unanalysable("which program runs is what a command prints", Some(first.span));
        }
        for word in &command.words {
            match word.as_static() {
                Some(text) => fields
                    .push(Field { text: FieldText::Known(inline_text(&text)), span: word.span }),
                None => fields.extend(self.expand(word)),
            }
        }
        self.spend(fields.len().saturating_mul(WORD))
    }

    /// Counts a command and its text; false where that would be too much.
    fn count(&mut self, span: Span) -> bool {
        self.commands = self.commands.saturating_add(1);
        if self.commands > MAX_COMMANDS {
            self.exhaust("the line runs too many commands");
        }
        self.spend(span.end.saturating_sub(span.start))
    }

    fn command_of(&mut self, fields: &[Field], command: &SimpleCommand, stdin: &Stdin) {
        let sets = self.assigned(&command.assignments);
        match command.redirects.is_empty() {
            true => self.run_with(fields, sets, stdin),
            false => self.redirected(fields, sets, command, stdin),
        }
    }

    /// A command for which files are opened first.
    fn redirected(
        &mut self,
        fields: &[Field],
        sets: Vec<Set>,
        command: &SimpleCommand,
        stdin: &Stdin,
    ) {
        let from = self.effects.accesses.len();
        let own = self.redirects(&command.redirects);
        let stdin = own.as_ref().unwrap_or(stdin);
        self.keep_text(fields, command, stdin, from);
        if self.state.dialect == Dialect::Zsh && fields.is_empty() {
            self.check_null_command(command.span);
        }
        if fields.is_empty() && self.output.is_some() {
            self.say_input(stdin);
        }
        let before = self.state.clone();
        let reads = ["read", "mapfile", "readarray"];
        let first = fields.first().and_then(Field::as_known);
        let is_read = first.is_some_and(|name| reads.contains(&name));
        self.own_input = own.is_some() && is_read && command.assignments.is_empty();
        self.saying_into(&command.redirects, |walker| walker.run_with(fields, sets, stdin));
        self.own_input = false;
        // A text that stands on the line is always there.
        let is_text = |own: &Redirect| {
            own.op == RedirectOp::HereString || matches!(own.target, RedirectTarget::HereDoc(_))
        };
        if !command.redirects.iter().all(is_text) {
            self.unless_opened(before);
        }
    }

    fn run_with(&mut self, fields: &[Field], sets: Vec<Set>, stdin: &Stdin) {
        match fields.split_first() {
            None => self.set_in_shell(sets),
            Some((first, args)) => self.run(first, args, &sets, stdin),
        }
    }

    fn run(&mut self, first: &Field, args: &[Field], sets: &[Set], stdin: &Stdin) {
        let name = match &first.text {
            FieldText::Known(name) if !name.is_empty() => name.clone(),
            FieldText::Known(_) => {
                return self.unanalysable("the program has no name", Some(first.span));
            }
            FieldText::Glob(_) | FieldText::Unknown(_) => {
                let reason = format!("can't tell which program `{}` is", first.shown());
                return self.unanalysable(&reason, Some(first.span));
            }
        };
        if let Some(reason) = self.state.poisoned.clone() {
            self.unanalysable(&reason, Some(first.span));
        }
        if self.state.functions.contains_key(&name) {
            return self.run_function(&name, first.span, args, sets, stdin);
        }
        let before = self.set_for_now(&name, sets);
        self.invoke(&name, first.span, args, sets, stdin, true, None);
        self.set_back(before);
    }

    /// Runs a function that the line has defined, and the program of its name where it may not be there.
    #[cold]
    fn run_function(
        &mut self,
        name: &str,
        span: Span,
        args: &[Field],
        sets: &[Set],
        stdin: &Stdin,
    ) {
        let before = self.set_for_now(name, sets);
        let found = self.path_for_now(sets, span);
        // Where the function may not be there, the program runs where the call began.
        let unsure = self.state.functions.get(name).is_some_and(|own| !own.certain);
        let start = unsure.then(|| self.state.clone());
        if has_byte(name, b'/') || !self.call(name, args, stdin) {
            let called = start.map(|start| std::mem::replace(&mut self.state, start));
            self.invoke(name, span, args, sets, stdin, true, None);
            called.into_iter().for_each(|called| self.state.join(called));
        }
        found.into_iter().for_each(|added| self.state.added = added);
        self.set_back(before);
    }

    /// Variables that are as they were again.
    #[inline]
    pub(super) fn set_back(&mut self, before: Before) {
        if !matches!(before, Before::Same) {
            self.set_all_back(before);
        }
    }

    #[cold]
    fn set_all_back(&mut self, before: Before) {
        match before {
            Before::Same => {}
            Before::Nothing(given) if self.state.variables.is(&given) => {
                self.state.variables = given.emptied();
            }
            Before::Nothing(given) => {
                given.names().for_each(|name| self.state.variables.remove(name));
            }
            Before::Each(each) => {
                for (name, variable) in each {
                    match variable {
                        Some(variable) => self.state.variables.insert(name, variable),
                        None => self.state.variables.remove(&name),
                    }
                }
            }
        }
    }

    /// What is set before a function or before what the shell carries out itself holds while that
    /// runs; what was before.
    #[inline]
    fn set_for_now(&mut self, name: &str, sets: &[Set]) -> Before {
        if sets.is_empty() { Before::Same } else { self.set_some_for_now(name, sets) }
    }

    #[cold]
    fn set_some_for_now(&mut self, name: &str, sets: &[Set]) -> Before {
        let is_call = self.state.functions.contains_key(name);
        if !(is_call || SEES_VARIABLES.contains(&name)) {
            return Before::Same;
        }
        if is_call {
            sets.iter().for_each(|set| self.set_for_command(&set.name, &set.value, set.span));
        }
        self.set_meanwhile(sets)
    }

    /// Variables that a command is given; what they were before.
    #[inline]
    pub(super) fn set_meanwhile(&mut self, sets: &[Set]) -> Before {
        if sets.is_empty() { Before::Same } else { self.set_all_meanwhile(sets) }
    }

    #[cold]
    fn set_all_meanwhile(&mut self, sets: &[Set]) -> Before {
        let variables = &self.state.variables;
        let each = (!variables.is_empty()).then(|| {
            let each = sets.iter().map(|set| (set.name.clone(), variables.get(&set.name).cloned()));
            each.collect()
        });
        for set in sets {
            self.state.set(&set.name, set.value.as_known().map(str::to_owned));
            self.state.export(&set.name);
        }
        each.map_or_else(|| Before::Nothing(self.state.variables.clone()), Before::Each)
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
                let reason = format!("can't tell which program `{}` is", first.shown());
                self.unanalysable(&reason, Some(first.span));
            }
        }
    }
}
