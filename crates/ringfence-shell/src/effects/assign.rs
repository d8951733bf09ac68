//! Assignments.

use ringfence_core::What;
use ringfence_core::program::Role;

use super::Walker;
use crate::ast::{Assignment, AssignmentValue};
use crate::field::Field;
use crate::span::Span;

/// Variables that change how the shell reads the rest of the line.
const POISONOUS: [&str; 11] = [
    "IFS",
    "CDPATH",
    "SHELLOPTS",
    "BASHOPTS",
    "PS4",
    "BASH_ENV",
    "ENV",
    "BASH_ALIASES",
    "BASH_CMDS",
    "POSIXLY_CORRECT",
    "PROMPT_COMMAND",
];

/// A variable that is set for a command.
#[derive(Debug, Clone)]
pub(super) struct Set {
    pub(super) name: String,
    pub(super) value: Field,
    pub(super) span: Span,
}

impl Walker<'_> {
    /// The assignments before a command, with what they run.
    pub(super) fn assigned(&mut self, assignments: &[Assignment]) -> Vec<Set> {
        let mut sets = Vec::with_capacity(assignments.len());
        for assignment in assignments {
            if let Some(subscript) = &assignment.subscript {
                self.look_at(subscript);
            }
            let value = match &assignment.value {
                AssignmentValue::Scalar(word) => self.expand_one(word),
                AssignmentValue::Array(elements) => {
                    self.elements(elements);
                    Field::unknown("(…)", true, assignment.span)
                }
            };
            let whole = !assignment.append && assignment.subscript.is_none();
            let value = if whole { value } else { Field::unknown("…", false, assignment.span) };
            sets.push(Set { name: assignment.name.clone(), value, span: assignment.span });
        }
        sets
    }

    /// Assignments without a command set variables of the shell.
    pub(super) fn set_in_shell(&mut self, sets: Vec<Set>) {
        for set in sets {
            self.set_variable(&set.name, &set.value, set.span);
        }
    }

    pub(super) fn set_variable(&mut self, name: &str, value: &Field, span: Span) {
        if self.is_exported(name) {
            self.set_env(name, value, span);
        } else {
            if self.world.objects_to_variable(name) {
                self.add(What::SetEnv(name.into()), span);
            }
            // Whether programs are given it is not known for sure.
            self.named_by(name, value);
        }
        if name == "PATH" {
            self.state.poisoned = Some("the line changes where programs are found".to_owned());
        }
        if POISONOUS.contains(&name) {
            let reason = format!("the line sets `{name}`, after which words may mean other things");
            self.state.poisoned = Some(reason);
        }
        self.check_value(value);
        self.state.set(name, value.as_known().map(str::to_owned));
    }

    /// Whether programs are given a variable.
    pub(super) fn is_exported(&self, name: &str) -> bool {
        self.state.variables.get(name).is_some_and(|own| own.exported)
            || self.world.host().env(name).is_some()
    }

    /// A variable is set to what cannot be told.
    pub(super) fn set_unknown(&mut self, name: &str, span: Span) {
        self.set_variable(name, &Field::unknown("…", false, span), span);
    }

    /// A value that would run a command wherever a shell evaluates it: arithmetic, subscripts and
    /// `-v` expand what stands in brackets.
    pub(super) fn check_value(&mut self, value: &Field) {
        let runs = |text: &str| text.contains('[') && (text.contains("$(") || text.contains('`'));
        if value.as_known().is_some_and(runs) {
            self.unanalysable("a value runs commands where it is evaluated", Some(value.span));
        }
    }

    /// A variable that programs are given: the variable, and what its value names.
    pub(super) fn set_env(&mut self, name: &str, value: &Field, span: Span) {
        if name.is_empty() || name.contains(['=', '\0']) {
            return;
        }
        self.add(What::SetEnv(name.into()), span);
        self.named_by(name, value);
    }

    /// What the value of a variable names: `PAGER` a command.
    fn named_by(&mut self, name: &str, value: &Field) {
        if let Some(role) = self.world.catalogue().variable(name)
            && role != Role::Text
        {
            self.role(&role, std::slice::from_ref(value), None);
        }
    }

    /// A word `NAME=VALUE` or `NAME`.
    pub(super) fn set_word(&mut self, field: &Field) {
        let text = field.prefix();
        match text.split_once('=') {
            Some((name, _)) => {
                let value = field.skip(name.len().saturating_add(1));
                self.set_env(name.trim_end_matches('+'), &value, field.span);
            }
            None if field.as_known().is_some() => {
                self.add(What::SetEnv(text.into()), field.span);
            }
            None => self.unanalysable("which variable is set cannot be told", Some(field.span)),
        }
    }
}
