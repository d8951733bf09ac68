//! Variables of which a part is known: a path that a command was to print, or a beginning.

use super::Walker;
use super::state::State;
use crate::ast::{Param, ParamForm, Part, PartKind, Word};
use crate::field::Dynamic;

impl State {
    /// The variable holds this path, or nothing.
    #[cold]
    pub(super) fn set_path(&mut self, name: &str, path: &str) {
        let variable = self.variables.entry(name);
        variable.path = Some(path.into()).filter(|_| !variable.odd);
    }

    /// The variable holds something in the directory with which this begins.
    #[cold]
    pub(super) fn set_beginning(&mut self, name: &str, begins: &str) {
        let variable = self.variables.entry(name);
        variable.begins = Some(begins.into()).filter(|_| !variable.odd);
    }

    /// The command that was to print the path has not failed.
    #[cold]
    pub(super) fn path_is_sure(&mut self, name: &str) {
        if self.variables.get(name).is_some_and(|own| own.path.is_some()) {
            let variable = self.variables.entry(name);
            variable.value = variable.path.take().map(String::from);
        }
    }
}

impl Walker<'_> {
    /// Whether a word is a variable that holds a path which a command has printed, without blanks or
    /// signs of patterns.
    pub(super) fn is_printed_path(&self, word: &Word) -> bool {
        let [Part { kind: PartKind::Param(param), .. }] = word.parts.as_slice() else {
            return false;
        };
        let plain = param.form == ParamForm::Value && param.subscript.is_none();
        let is_plain = |path: &str| !path.contains([' ', '\t', '\n', '*', '?', '[', '\\']);
        plain && self.holds_path(param).is_some_and(is_plain)
    }

    /// The path that a variable holds where it holds anything.
    pub(super) fn holds_path(&self, param: &Param) -> Option<&str> {
        let variable = self.state.variables.get(&param.name).filter(|_| param.op.is_none())?;
        variable.path.as_deref()
    }

    /// The word of which as much is known as of what a variable holds.
    pub(super) fn holds_like(&self, param: &Param) -> Option<&Dynamic> {
        if param.form != ParamForm::Value {
            return None;
        }
        let variable = self.state.variables.get(&param.name).filter(|_| param.op.is_none())?;
        variable.like.as_deref()
    }

    /// What a variable surely begins with, where no more is known of it.
    pub(super) fn beginning(&self, param: &Param) -> Option<&str> {
        let variable = self.state.variables.get(&param.name).filter(|_| param.op.is_none())?;
        variable.begins.as_deref()
    }
}
