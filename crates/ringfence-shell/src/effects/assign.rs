//! Assignments.

use ringfence_core::What;
use ringfence_core::program::Role;

use super::Walker;
use crate::ast::{Assignment, AssignmentValue};
use crate::field::{Field, NUMBER, PERHAPS};
use crate::parse::PlainSet;
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

/// Variables that a shell does not let anybody set: it leaves out the rest of a line that tries.
const READ_ONLY: [&str; 6] = ["UID", "EUID", "PPID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO"];

/// A variable that is set for a command.
#[derive(Debug, Clone)]
pub(super) struct Set {
    pub(super) name: String,
    pub(super) value: Field,
    /// The elements of an array, where all of them are known.
    pub(super) list: Option<Vec<String>>,
    pub(super) span: Span,
}

impl From<PlainSet<'_>> for Set {
    fn from(set: PlainSet<'_>) -> Set {
        Set { name: set.name.to_owned(), value: set.value, list: None, span: set.span }
    }
}

impl Set {
    /// A value behind it has set the variable once more.
    fn forget(&mut self) {
        self.value = Field::unknown("…", false, self.span);
        self.list = None;
    }
}

impl Walker<'_> {
    /// The assignments before a command, with what they run.
    pub(super) fn assigned(&mut self, assignments: &[Assignment]) -> Vec<Set> {
        if assignments.is_empty() {
            return Vec::new();
        }
        let mut sets: Vec<Set> = Vec::with_capacity(assignments.len());
        let before = self.state.variables.clone();
        let mut changed = Vec::new();
        for assignment in assignments {
            // Each one sees those before it.
            if let Some(set) = sets.last() {
                self.state.set(&set.name, set.value.as_known().map(str::to_owned));
                self.state.set_list(&set.name, set.list.clone());
            }
            let seen = self.state.variables.clone();
            if let Some(subscript) = &assignment.subscript {
                self.evaluate(subscript, assignment.span);
            }
            let mut list = None;
            let value = match &assignment.value {
                AssignmentValue::Scalar(word) => self.expand_one(word),
                AssignmentValue::Array(elements) => {
                    list = self.elements(elements);
                    Field::unknown("(…)", true, assignment.span)
                }
            };
            let whole = !assignment.append && assignment.subscript.is_none();
            let value = if whole { value } else { Field::unknown("…", false, assignment.span) };
            let list = list.filter(|_| whole);
            for name in self.state.variables.differing(&seen) {
                sets.iter_mut().filter(|set| set.name == name).for_each(Set::forget);
                changed.push(name);
            }
            sets.push(Set { name: assignment.name.clone(), value, list, span: assignment.span });
        }
        if assignments.len() > 1 {
            self.state.variables = before;
            // What the values themselves have set is not known: `a=${x:=v} b=2`.
            for name in changed {
                self.state.set(&name, None);
                self.state.set_list(&name, None);
            }
        }
        sets
    }

    /// Assignments without a command set variables of the shell.
    pub(super) fn set_in_shell(&mut self, sets: Vec<Set>) {
        for set in sets {
            self.set_variable(&set.name, &set.value, set.span);
            // `PATH` stays what it was where directories are added to it.
            if self.state.variables.contains_key(&set.name) {
                self.state.set_list(&set.name, set.list);
            }
        }
    }

    pub(super) fn set_variable(&mut self, name: &str, value: &Field, span: Span) {
        if READ_ONLY.contains(&name) || self.state.variables.get(name).is_some_and(|own| own.odd) {
            self.may_be_cut_short();
        }
        if self.state.variables.get(name).is_some_and(|own| own.odd) {
            // Some variables evaluate what they are set to.
            self.evaluated_at(value, 1);
        }
        if self.is_exported(name) {
            self.set_env(name, value, span);
        } else {
            if self.world.objects_to_variable(name) {
                self.add(What::SetEnv(name.into()), span);
            }
            // Whether programs are given it is not known for sure.
            self.named_by(name, value);
        }
        if name == "PATH" && self.changes_path(value, span) {
            return;
        }
        self.note_poison(name);
        self.hold(name, value);
    }

    /// A variable holds what it is set to, as far as that is known.
    fn hold(&mut self, name: &str, value: &Field) {
        let before = self.number_in(name);
        self.state.set(name, value.as_known().map(str::to_owned));
        // What cannot be computed leaves the variable as it was.
        if let (Some(before), Some(mark)) = (before, value.as_number()) {
            let mark = if before == NUMBER { mark } else { PERHAPS };
            self.state.set_number(name, mark);
        }
    }

    /// After some variables are set, words may mean other things.
    pub(super) fn note_poison(&mut self, name: &str) {
        if POISONOUS.contains(&name) {
            let reason = format!("the line sets `{name}`, after which words may mean other things");
            self.state.poisoned = Some(reason.into());
        }
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
            // What a list had before the line adds nothing to it.
            let added = match &role {
                Role::Code(_) => value.besides(name).map(|text| Field::known(text, value.span)),
                _ => None,
            };
            self.role(&role, std::slice::from_ref(added.as_ref().unwrap_or(value)), None);
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
